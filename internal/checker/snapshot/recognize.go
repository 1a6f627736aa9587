package snapshot

// simple gives the history as a simple one, and the operation of every action,
// or nil if it is none. It is one if every operation is an update of one segment
// or a scan of all, no two threads update the same segment, and the values are
// as they have to be: all the same at first, and one other one.
func (h *History) simple() (*Simple, []int32) {
	n := len(h.Segments)
	if n < 2 || n > 1<<16 || len(h.Threads) > 1<<16 {
		return nil, nil
	}
	r := recognizer{History: h, writer: make([]int32, n), changes: make([]bool, n), changed: -1}
	for s := range r.writer {
		r.writer[s] = -1
		if h.Initial[s] != h.Initial[0] {
			return nil, nil
		}
	}
	for i := range h.Operations {
		if !r.fits(&h.Operations[i]) {
			return nil, nil
		}
	}
	return r.actions()
}

// A recognizer finds out whether a history is simple.
type recognizer struct {
	*History
	writer  []int32 // of each segment, -1 if it has none
	changes []bool  // segments that are updated to the other value, or said to have it
	changed int32   // the other value, -1 if there is none yet
}

// fits takes up an operation.
func (r *recognizer) fits(op *Operation) bool {
	switch {
	case len(op.Writes) == 1 && len(op.Reads) == 0:
		c := op.Writes[0]
		if r.writer[c.Segment] >= 0 && r.writer[c.Segment] != op.Thread {
			return false
		}
		r.writer[c.Segment] = op.Thread
		return r.value(c)
	case len(op.Writes) == 0 && op.Pending():
		return true
	case len(op.Writes) == 0 && len(op.Reads) == len(r.Segments):
		for _, c := range op.Reads {
			if !r.value(c) {
				return false
			}
		}
		return true
	}
	return false
}

// value takes up a value that was written or read.
func (r *recognizer) value(c Cell) bool {
	if c.Value == r.Initial[0] {
		return true
	}
	r.changes[c.Segment] = true
	if r.changed < 0 {
		r.changed = c.Value
	}
	return c.Value == r.changed
}

// pair gives the two segments that change and the processes that update them,
// in order of these; -1 and a process without operations where there is none.
// More than two are not simple, and neither is one thread that updates both.
func (r *recognizer) pair() (segments [2]int, processes [2]int, ok bool) {
	found := 0
	segments, processes = [2]int{-1, -1}, [2]int{len(r.Threads), len(r.Threads) + 1}
	for s, changes := range r.changes {
		if !changes {
			continue
		}
		if found == 2 {
			return segments, processes, false
		}
		segments[found] = s
		if r.writer[s] >= 0 {
			processes[found] = int(r.writer[s])
		}
		found++
	}
	if processes[0] > processes[1] {
		segments[0], segments[1] = segments[1], segments[0]
		processes[0], processes[1] = processes[1], processes[0]
	}
	return segments, processes, processes[0] != processes[1]
}

// actions makes the simple history. Its processes are the threads, and two more
// for segments that nobody writes.
func (r *recognizer) actions() (*Simple, []int32) {
	segments, processes, ok := r.pair()
	if !ok {
		return nil, nil
	}
	s := &Simple{Processes: len(r.Threads) + 2, I: processes[0], J: processes[1]}
	moments := r.moments()
	s.Actions = make([]Action, len(moments))
	calls := make([]int32, len(moments))
	for at, m := range moments {
		s.Actions[at], calls[at] = r.action(m, segments), m.op
	}
	if s.Validate() != nil {
		return nil, nil
	}
	return s, calls
}

// action is a call or a return.
func (r *recognizer) action(m moment, segments [2]int) Action {
	op := &r.Operations[m.op]
	a := Action{Process: uint16(op.Thread), Event: InvokeScan}
	switch {
	case len(op.Writes) == 1:
		a.Event = InvokeUpdate
		if !m.returns && op.Writes[0].Value != r.Initial[0] {
			a.Values = 1
		}
	case m.returns:
		for k, segment := range segments {
			if segment >= 0 && op.Reads[segment].Value != r.Initial[0] {
				a.Values |= 1 << k
			}
		}
	}
	if m.returns {
		a.Event++
	}
	return a
}
