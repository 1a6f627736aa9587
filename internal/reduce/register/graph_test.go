package register_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// graphProgram is a program without instructions, given its successor lists:
// two are a branch, one is a jump, none a return.
func graphProgram(succs ...[]int) *register.Program {
	p := &register.Program{Name: "graph"}
	for _, to := range succs {
		t := register.Term{Kind: register.Return, To: to}
		switch len(to) {
		case 1:
			t.Kind = register.Jump
		case 2:
			t.Kind, t.Cond = register.Branch, register.Lit(register.LitTrue)
		}
		p.Blocks = append(p.Blocks, &register.Block{Term: t})
	}
	return p
}

// drawGraph draws a program without instructions of up to nine blocks.
func drawGraph(t *rapid.T) *register.Program {
	n := rapid.IntRange(1, 9).Draw(t, "blocks")
	succs := make([][]int, n)
	for b := range succs {
		most := 2
		if n == 1 {
			most = 0
		}
		for range rapid.IntRange(0, most).Draw(t, "ways") {
			succs[b] = append(succs[b], rapid.IntRange(1, n-1).Draw(t, "to"))
		}
	}
	return graphProgram(succs...)
}

// graphReaches walks from block a to block b without entering block not; a and b
// themselves may be the same, but not be not.
func graphReaches(p *register.Program, a, b, not int) bool {
	seen := map[int]bool{not: true}
	var walk func(x int) bool
	walk = func(x int) bool {
		if seen[x] {
			return false
		}
		seen[x] = true
		if x == b {
			return true
		}
		for _, s := range p.Blocks[x].Term.To {
			if walk(s) {
				return true
			}
		}
		return false
	}
	return walk(a)
}

// graphLeaves walks from block a to some exit without entering block not.
func graphLeaves(p *register.Program, a, not int) bool {
	for b := range p.Blocks {
		if len(p.Blocks[b].Term.To) == 0 && graphReaches(p, a, b, not) {
			return true
		}
	}
	return false
}

// nowhere is no block: nothing is avoided.
const nowhere = -1

func TestPredsAreTheEdgesTurnedAround(t *testing.T) {
	p := graphProgram([]int{1, 2}, []int{3, 3}, []int{3}, nil, []int{3})
	assert.Equal(t, [][]int{nil, {0}, {0}, {1, 2, 4}, nil}, register.Preds(p))
}

func TestEmptyProgramHasAnEmptyGraph(t *testing.T) {
	p := &register.Program{}
	assert.Empty(t, register.Preds(p))
	assert.Empty(t, register.Reachable(p))
	assert.Empty(t, register.Dominators(p))
	assert.Empty(t, register.PostDominators(p))
	assert.Empty(t, register.ControlDeps(p))
	assert.Empty(t, register.Loops(p))
	assert.False(t, p.Prune())
}

func TestReversePostorderRespectsForwardEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawGraph(t)
		place := map[int]int{}
		for i, b := range register.ReversePostorder(p) {
			place[b] = i
		}
		for b, ok := range register.Reachable(p) {
			_, listed := place[b]
			require.Equal(t, graphReaches(p, 0, b, nowhere), ok)
			require.Equal(t, ok, listed)
			if !ok {
				continue
			}
			for _, s := range p.Blocks[b].Term.To {
				inCycle := graphReaches(p, s, b, nowhere)
				require.True(t, inCycle || place[b] < place[s], "b%d before b%d", b, s)
			}
		}
	})
}

func TestDominatorsAgreeWithRemoval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawGraph(t)
		tree := register.Dominators(p)
		require.Equal(t, -1, tree[0])
		for b := range p.Blocks {
			if !graphReaches(p, 0, b, nowhere) {
				require.Equal(t, -1, tree[b])
				continue
			}
			for a := range p.Blocks {
				want := graphReaches(p, 0, a, nowhere) && (a == b || !graphReaches(p, 0, b, a))
				require.Equal(t, want, register.Dominates(tree, a, b), "b%d over b%d", a, b)
			}
		}
	})
}

// drawLeavable draws a graph in which an exit can be reached from all blocks
// that can be reached.
func drawLeavable(t *rapid.T) *register.Program {
	p := drawGraph(t)
	for b := range p.Blocks {
		if graphReaches(p, 0, b, nowhere) && !graphLeaves(p, b, nowhere) {
			p.Blocks[b].Term = register.Term{Kind: register.Return}
		}
	}
	return p
}

func TestPostDominatorsAgreeWithRemoval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawLeavable(t)
		tree := register.PostDominators(p)
		for b := range p.Blocks {
			if !graphReaches(p, 0, b, nowhere) {
				require.Equal(t, -1, tree[b])
				continue
			}
			for a := range p.Blocks {
				want := a == b || !graphLeaves(p, b, a)
				require.Equal(t, want, register.Dominates(tree, a, b), "b%d over b%d", a, b)
			}
		}
	})
}

func TestControlDepsAgreeWithTheirDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawLeavable(t)
		after := func(b, a int) bool { return a == b || !graphLeaves(p, a, b) }
		for b, got := range register.ControlDeps(p) {
			var want []int
			for a, blk := range p.Blocks {
				some := false
				for _, s := range blk.Term.To {
					some = some || after(b, s)
				}
				strictly := a != b && after(b, a)
				if graphReaches(p, 0, a, nowhere) && blk.Term.Kind == register.Branch && some && !strictly {
					want = append(want, a)
				}
			}
			require.Equal(t, want, got, "b%d", b)
		}
	})
}

func TestEndlessLoops(t *testing.T) {
	tests := []struct {
		name  string
		graph [][]int
		post  []int
		deps  [][]int
	}{
		{
			name:  "one block",
			graph: [][]int{{1}, {1}},
			post:  []int{1, -1},
			deps:  [][]int{nil, nil},
		}, {
			name: "an arm inside depends on its branch, the head does not",
			// b1 head, b2 branch, b3 arm
			graph: [][]int{{1}, {2}, {3, 1}, {1}},
			post:  []int{1, -1, 1, 1},
			deps:  [][]int{nil, nil, nil, {2}},
		}, {
			name: "a branch on the way in decides",
			// b1 returns, b2 and b3 loop
			graph: [][]int{{1, 2}, nil, {3}, {2}},
			post:  []int{-1, -1, -1, 2},
			deps:  [][]int{nil, {0}, {0}, nil},
		}, {
			name: "two loops in a row, the second is never left",
			// b1 may go round or on to b2
			graph: [][]int{{1}, {1, 2}, {2}},
			post:  []int{1, 2, -1},
			deps:  [][]int{nil, {1}, nil},
		}, {
			name:  "two loops, none left",
			graph: [][]int{{1, 2}, {1}, {2}},
			post:  []int{-1, -1, -1},
			deps:  [][]int{nil, {0}, {0}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := graphProgram(tt.graph...)
			assert.Equal(t, tt.post, register.PostDominators(p))
			assert.Equal(t, tt.deps, register.ControlDeps(p))
		})
	}
}

// In any graph, only what a branch can steer away from depends on it.
func TestControlDepsInAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawGraph(t)
		for b, deps := range register.ControlDeps(p) {
			for i, a := range deps {
				require.True(t, i == 0 || deps[i-1] < a, "ascending")
				require.Equal(t, register.Branch, p.Blocks[a].Term.Kind)
				require.True(t, graphReaches(p, 0, a, nowhere))
				to := p.Blocks[a].Term.To
				require.True(t, graphReaches(p, to[0], b, nowhere) || graphReaches(p, to[1], b, nowhere))
			}
		}
	})
}

func TestLoopsAgreeWithTheirDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawGraph(t)
		var want []register.Loop
		for h := range p.Blocks {
			l := register.Loop{Head: h}
			for b, blk := range p.Blocks {
				for i, s := range blk.Term.To {
					first := i == 0 || s != blk.Term.To[0]
					if s == h && first && graphReaches(p, 0, b, nowhere) && (b == h || !graphReaches(p, 0, b, h)) {
						l.Back = append(l.Back, b)
					}
				}
			}
			for b := range p.Blocks {
				in := b == h
				for _, back := range l.Back {
					in = in || graphReaches(p, 0, b, nowhere) && graphReaches(p, b, back, h)
				}
				if in {
					l.Blocks = append(l.Blocks, b)
				}
			}
			if l.Back != nil {
				want = append(want, l)
			}
		}
		require.Equal(t, want, register.Loops(p))
	})
}

func TestLoopWithTwoEntriesIsNoNaturalLoop(t *testing.T) {
	assert.Empty(t, register.Loops(graphProgram([]int{1, 2}, []int{2}, []int{1})))
}

// TestChangesOfACloneAreItsOwn: what tidies a copy leaves the program as it is.
func TestChangesOfACloneAreItsOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawGraph(t)
		before := p.String()
		q := p.Clone()
		register.Tidy(q)
		register.Reorder(q)
		register.Renumber(q)
		assert.Equal(t, before, p.String())
	})
}

func TestPruneKeepsTheReachableBlocksInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawGraph(t)
		var want []string // what is reachable, by the names that blocks had
		for b := range p.Blocks {
			p.Blocks[b].Term.Label = fmt.Sprint(b)
		}
		for b, blk := range p.Blocks {
			if graphReaches(p, 0, b, nowhere) {
				line := blk.Term.Label
				for _, s := range blk.Term.To {
					line += " to " + p.Blocks[s].Term.Label
				}
				want = append(want, line)
			}
		}
		before := len(p.Blocks)
		require.Equal(t, len(want) < before, p.Prune())
		var got []string
		for _, blk := range p.Blocks {
			line := blk.Term.Label
			for _, s := range blk.Term.To {
				line += " to " + p.Blocks[s].Term.Label
			}
			got = append(got, line)
		}
		require.Equal(t, want, got)
		require.NoError(t, register.Check(p))
		require.False(t, p.Prune())
	})
}

// After inlining, a chain of blocks can be long; the walks must not recurse.
func TestLongChains(t *testing.T) {
	const n = 20000
	succs := make([][]int, n)
	for b := range n - 1 {
		succs[b] = []int{b + 1}
	}
	p := graphProgram(succs...)
	assert.Equal(t, n-2, register.Dominators(p)[n-1])
	assert.Equal(t, 1, register.PostDominators(p)[0])
}
