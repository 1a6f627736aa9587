package reach

// Successors are what follows some states.
type Successors struct {
	size     int
	bytes    []byte // of all states
	found    []found
	of       [shards][]int32 // indices of found
	complete int64
	parent   stateID // that is expanded
	wrong    stateID // the first state with a move that goes wrong
}

// found is a state without its bytes.
type found struct {
	mark   int32
	parent stateID
}

// Add adds a state. Its bytes are copied.
func (s *Successors) Add(state []byte, mark int32) {
	s.bytes = append(s.bytes, state...)
	sh := hashOf(state) >> (64 - shardBits)
	s.of[sh] = append(s.of[sh], int32(len(s.found)))
	s.found = append(s.found, found{mark, s.parent})
}

// Wrong says that the state that is expanded has a move that goes wrong.
func (s *Successors) Wrong() {
	if s.wrong == noState {
		s.wrong = s.parent
	}
}

// Complete counts a move after which there is nothing left to do.
func (s *Successors) Complete() { s.complete++ }

// successors gives an empty list, an old one if there is one.
func (g *goroutine) successors(size int) *Successors {
	s := &Successors{size: size}
	if n := len(g.free); n > 0 {
		s, g.free = g.free[n-1], g.free[:n-1]
	}
	s.bytes, s.found, s.complete, s.wrong = s.bytes[:0], s.found[:0], 0, noState
	for i := range s.of {
		s.of[i] = s.of[i][:0]
	}
	return s
}

// chunk finds what follows some states.
func (g *goroutine) chunk(x *exploration, states []stateID, length int) (*Successors, error) {
	to := g.successors(x.Size)
	for _, id := range states {
		to.parent = id
		mark := x.store.get(id, g.state, g.scratch)
		if err := g.Expand(State{g.state, mark}, length, to); err != nil {
			return nil, err
		}
	}
	return to, nil
}
