package search

// unionFind ties values together.
type unionFind struct{ parent map[int64]int64 }

// find gives the value that stands for all that v is tied to.
func (u *unionFind) find(v int64) int64 {
	for {
		p, ok := u.parent[v]
		if !ok || p == v {
			return v
		}
		v = p
	}
}

// join ties two values together. There is no balancing: the ties of a core that
// is worth shrinking are few.
func (u *unionFind) join(a, b int64) {
	if u.parent == nil {
		u.parent = make(map[int64]int64)
	}
	if a, b = u.find(a), u.find(b); a != b {
		u.parent[a] = b
	}
}

// groups gives the rows of values that are tied together, in the order in
// which they come up. Rows without a value are in no group.
func (u *unionFind) groups(rows []int32, value func(row int32) (int64, bool)) [][]int32 {
	number := make(map[int64]int)
	var groups [][]int32
	for _, row := range rows {
		v, ok := value(row)
		if !ok {
			continue
		}
		v = u.find(v)
		n, ok := number[v]
		if !ok {
			n = len(groups)
			number[v], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], row)
	}
	return groups
}
