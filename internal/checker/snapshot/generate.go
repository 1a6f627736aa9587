package snapshot

import "math/rand/v2"

// A Generator makes simple histories for tests as the paper does (section
// 7.4): what an atomic snapshot object does under random scheduling, and for
// histories that are not linearizable, such a one with the last scans changed.
type Generator struct {
	_ struct{}

	Processes int // at least 2
	Length    int // actions
	Seed      uint64
	// Broken asks for a history that is not linearizable. There is none if
	// it is too short for a scan to return what it must not.
	Broken bool
}

// suffix is how many actions at the end are changed, as in the paper.
const suffix = 20

// attempts is how many histories are tried before there is held to be none.
const attempts = 1000

// Simple makes the history. The same generator makes the same. It gives nil if
// there is none.
func (g Generator) Simple() *Simple {
	r := rand.New(rand.NewPCG(g.Seed, uint64(g.Processes)<<32|uint64(g.Length)))
	for range attempts {
		h := g.atomic(r)
		if !g.Broken {
			return h
		}
		for at := max(0, len(h.Actions)-suffix); at < len(h.Actions); at++ {
			if h.Actions[at].Event == ReturnScan {
				h.Actions[at].Values = Values(r.IntN(4))
			}
		}
		if h.Test() != nil {
			return h
		}
	}
	return nil
}

// atomic runs an atomic snapshot object: each operation is invoked, takes effect
// and returns in three steps, and each step is that of any process.
func (g Generator) atomic(r *rand.Rand) *Simple {
	h := &Simple{Processes: g.Processes, Actions: make([]Action, 0, g.Length)}
	h.I = r.IntN(g.Processes - 1)
	h.J = h.I + 1 + r.IntN(g.Processes-1-h.I)
	// When the two begin to write 1, anywhere in the history.
	change := [3]int{1: r.IntN(g.Length), 2: r.IntN(g.Length)}
	type process struct {
		open Action // the invocation
		step int    // 0 idle, 1 invoked, 2 took effect
		got  Values
	}
	all := make([]process, g.Processes)
	var object Values
	for len(h.Actions) < g.Length {
		id := r.IntN(g.Processes)
		p := &all[id]
		mine := h.segment(uint16(id))
		switch p.step {
		case 0:
			p.open = Action{Process: uint16(id), Event: InvokeScan}
			if r.IntN(2) == 0 {
				p.open.Event = InvokeUpdate
				if mine != 0 && len(h.Actions) >= change[mine] {
					p.open.Values = 1
				}
			}
			h.Actions = append(h.Actions, p.open)
		case 1:
			if p.got = object; p.open.Event == InvokeUpdate && p.open.Values == 1 {
				object |= mine
			}
		case 2:
			a := Action{Process: uint16(id), Event: p.open.Event + 1}
			if a.Event == ReturnScan {
				a.Values = p.got
			}
			h.Actions = append(h.Actions, a)
		}
		p.step = (p.step + 1) % 3
	}
	return h
}

// CorpusSize is how many histories Corpus gives.
const CorpusSize = 900

// Corpus gives histories of the shapes of the paper's section 7.4: 25 of every
// length and number of processes, half of them not linearizable. The same ones
// every time.
func Corpus(visit func(g Generator, h *Simple)) {
	for _, part := range []struct {
		broken             bool
		lengths, processes []int
	}{
		{false, []int{200, 500, 1000}, []int{5, 8, 11, 14, 17, 20}},
		{true, []int{50, 100, 200}, []int{3, 4, 5, 6, 8, 10}},
	} {
		for _, length := range part.lengths {
			for _, n := range part.processes {
				for seed := range uint64(25) {
					g := Generator{Processes: n, Length: length, Seed: seed, Broken: part.broken}
					visit(g, g.Simple())
				}
			}
		}
	}
}
