package search

// newStuckJob makes the tasks of a stuck history. Each part has one for the
// operations that returned, and one more for each pending operation, whose
// search must also end in a state that blocks it. Pending operations take no
// effect: were they to, they would have returned.
func newStuckJob[S any](sp *spec[S], parts [][]int32, o Options) *job[S] {
	returned := make([][]int32, len(parts))
	blocked := make([][]int32, len(parts))
	for p, rows := range parts {
		for _, row := range rows {
			if wholeHistory.hides(sp.ret[row], row) {
				blocked[p] = append(blocked[p], row)
			} else {
				returned[p] = append(returned[p], row)
			}
		}
	}
	j := newJob(sp, returned, o)
	for p, rows := range blocked {
		for _, row := range rows {
			j.tasks = append(j.tasks, task[S]{part: p, rows: returned[p], inits: sp.init(), blocked: row})
		}
	}
	return j
}
