package monitor

// peekTrees find the peeks of a stack's value that a gap lies in, and forget
// them. Only peeks between the insertion and the removal of their value are
// in them: one that begins before its value can go in, or ends after it has
// to be out, contains the whole of what is left of that operation, and is
// free when it is.
type peekTrees struct {
	c       *container
	grouped *grouping
	// late has a tree of the returns of each value's peeks, which are sorted
	// by call: the node i of a value with n peeks is above 2i and 2i+1, its
	// leaves are n to 2n-1, and every node has the latest return below it.
	// That of a peek that was taken is -1.
	late []int32
	leaf []int32 // of each row, in late; 0 for others
}

// newPeekTrees makes the trees, and counts the peeks of each value.
func newPeekTrees(c *container, grouped *grouping, counts []int32) peekTrees {
	t := peekTrees{c: c, grouped: grouped}
	if c.peeks == 0 {
		return t
	}
	t.late, t.leaf = make([]int32, 2*c.peeks), make([]int32, c.ev.n)
	for v, s := range c.stays {
		rows := grouped.of(int32(v))
		tree := t.of(int32(v))
		for i, row := range rows {
			leaf := len(rows) + i
			tree[leaf] = -1
			if c.ev.call[row] > s.call && c.ev.ret[row] < s.ret {
				tree[leaf] = c.ev.ret[row]
				counts[v]++
				t.leaf[row] = 2*grouped.start[v] + int32(leaf)
			}
		}
		for i := len(rows) - 1; i > 0; i-- {
			tree[i] = max(tree[2*i], tree[2*i+1])
		}
	}
	return t
}

func (t *peekTrees) of(v int32) []int32 {
	return t.late[2*t.grouped.start[v] : 2*t.grouped.start[v+1]]
}

// take takes a peek of a value that a gap lies in, and reports whether there
// was one.
func (t *peekTrees) take(v, gap int32) bool {
	if t.late == nil {
		return false
	}
	tree := t.of(v)
	if len(tree) == 0 || tree[1] <= gap {
		return false
	}
	n := len(tree) / 2
	for low, high := n, n+t.called(v, gap); low < high; low, high = low/2, high/2 {
		if low&1 == 1 {
			if tree[low] > gap {
				t.takeBelow(tree, low, gap)
				return true
			}
			low++
		}
		if high&1 == 1 {
			if high--; tree[high] > gap {
				t.takeBelow(tree, high, gap)
				return true
			}
		}
	}
	return false
}

// called gives how many peeks of a value are called before a gap.
func (t *peekTrees) called(v, gap int32) int {
	rows := t.grouped.of(v)
	low, high := 0, len(rows)
	for low < high {
		if mid := (low + high) / 2; t.c.ev.call[rows[mid]] <= gap {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// takeBelow takes a leaf below a node that has one returning after the gap.
func (t *peekTrees) takeBelow(tree []int32, node int, gap int32) {
	for node < len(tree)/2 {
		if node *= 2; tree[node] <= gap {
			node++
		}
	}
	t.takeLeaf(tree, node)
}

func (t *peekTrees) takeLeaf(tree []int32, node int) {
	tree[node] = -1
	for node /= 2; node > 0; node /= 2 {
		tree[node] = max(tree[2*node], tree[2*node+1])
	}
}

// takeRow takes a row, and reports whether it was a peek and there.
func (t *peekTrees) takeRow(row int32) bool {
	if t.late == nil || t.leaf[row] == 0 || t.late[t.leaf[row]] < 0 {
		return false
	}
	v := t.c.value[row]
	t.takeLeaf(t.of(v), int(t.leaf[row]-2*t.grouped.start[v]))
	return true
}

// rest gives the peeks of a value that were not taken.
func (t *peekTrees) rest(v int32) (rows []int32) {
	for _, row := range t.grouped.of(v) {
		if t.leaf[row] != 0 && t.late[t.leaf[row]] >= 0 {
			rows = append(rows, row)
		}
	}
	return rows
}
