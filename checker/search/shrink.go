package search

// shrinkNodes bounds the steps of all searches that shrink one core.
const shrinkNodes = 4 << 20

// shrink leaves operations out of a core as long as what remains has no
// linearization, and shows by itself that the whole history has none:
// read-only operations one by one, others in the groups that the
// specification can do without. What cannot be decided stays.
func (j *job[S]) shrink(g *engine[S], core []int32) []int32 {
	s := shrinker[S]{g: g, inits: j.sp.init(), core: core}
	left := int64(shrinkNodes)
	s.nodes = &left
	if !s.bad(core) {
		return core
	}
	for size := -1; size != len(s.core); {
		size = len(s.core)
		s.leaveOut(s.readers())
		if j.sp.groups != nil {
			s.leaveOut(j.sp.groups(s.core))
		}
	}
	return s.core
}

// A shrinker has a core that it knows to be bad, and what is left of the budget.
type shrinker[S any] struct {
	g     *engine[S]
	inits []S
	core  []int32
	nodes *int64
}

// bad reports whether the rows are known to have no linearization.
func (s *shrinker[S]) bad(rows []int32) bool {
	if *s.nodes <= 0 || s.g.ctx.Err() != nil {
		return false
	}
	// The rows are sorted in place, and the core must stay as it is. Reading
	// them counts as well: thousands of attempts on a long history take time
	// even if each is decided at once.
	s.g.limit.nodes = *s.nodes
	out := s.g.run(append([]int32(nil), rows...), wholeHistory, s.inits)
	*s.nodes -= s.g.nodes + int64(len(rows))
	return out == exhausted
}

// readers gives the read-only rows of the core, one a group.
func (s *shrinker[S]) readers() (groups [][]int32) {
	for _, row := range s.core {
		if s.g.sp.traits(row, wholeHistory.hides(s.g.sp.ret[row], row))&readOnly != 0 {
			groups = append(groups, []int32{row})
		}
	}
	return groups
}

// leaveOut leaves out as many groups as it can: first many at a time, then
// fewer, at last each by itself.
func (s *shrinker[S]) leaveOut(groups [][]int32) {
	for chunk := len(groups); chunk > 0; chunk /= 2 {
		for from := 0; from < len(groups); {
			to := min(from+chunk, len(groups))
			if rest := without(s.core, groups[from:to]); s.bad(rest) {
				s.core = rest
				groups = append(groups[:from:from], groups[to:]...)
				continue
			}
			from = to
		}
	}
}

// without gives the rows that are in none of the groups.
func without(rows []int32, groups [][]int32) []int32 {
	out := make(map[int32]bool)
	for _, group := range groups {
		for _, row := range group {
			out[row] = true
		}
	}
	var rest []int32
	for _, row := range rows {
		if !out[row] {
			rest = append(rest, row)
		}
	}
	return rest
}
