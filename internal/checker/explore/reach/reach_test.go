package reach

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A graph is a system given by its edges: for each node and length, where they
// lead. Edges to bad go wrong, and edges to done lead nowhere.
type graph [][2][]int

const (
	bad  = -1
	done = -2
)

func (g graph) system() *System {
	return &System{Size: 8, Free: true, NewWorker: func() Worker { return g }}
}

func (g graph) Start(to *Successors) error {
	to.Add(make([]byte, 8), 0)
	return nil
}

func (g graph) Expand(s State, length int, to *Successors) error {
	for _, next := range g[binary.LittleEndian.Uint64(s.Bytes)][length] {
		switch next {
		case bad:
			to.Wrong()
		case done:
			to.Complete()
		default:
			to.Add(binary.LittleEndian.AppendUint64(nil, uint64(next)), 0)
		}
	}
	return nil
}

// random is a graph of n nodes.
func random(r *rand.Rand, n, edges int) graph {
	g := make(graph, n)
	for range edges {
		from, length := r.IntN(n), r.IntN(2)
		g[from][length] = append(g[from][length], r.IntN(n))
	}
	return g
}

// distances are those of all nodes from the first, by relaxing edges until
// nothing changes; far is the distance of what cannot be reached.
func (g graph) distances() []int {
	far := len(g) + 1
	d := make([]int, len(g))
	for i := range d {
		d[i] = far
	}
	d[0] = 0
	for changed := true; changed; {
		changed = false
		for from := range g {
			for length, tos := range g[from] {
				for _, to := range tos {
					if to >= 0 && d[from]+length < d[to] {
						d[to], changed = d[from]+length, true
					}
				}
			}
		}
	}
	return d
}

// Everything is visited once, in the order of its distance, and a way that goes
// wrong is a shortest one; the number of goroutines makes no difference.
func TestExplore(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(60)
		g := random(r, n, r.IntN(3*n))
		reached, edges, far := 0, 0, 0
		for node, d := range g.distances() {
			if d <= n {
				reached, far = reached+1, max(far, d)
				edges += len(g[node][0]) + len(g[node][1])
			}
		}
		got, err := Explore(t.Context(), g.system(), Options{Workers: 2})
		require.NoError(t, err)
		require.Equal(t, int64(reached), got.Stored)
		require.Equal(t, int64(edges-reached+1), got.Matched)
		require.Equal(t, far+1, got.Length, "the longest of the shortest ways, and a round that finds nothing")

		node, length := r.IntN(n), r.IntN(2)
		g[node][length] = append(g[node][length], bad)
		wrong, err := Explore(t.Context(), g.system(), Options{Workers: 2})
		require.NoError(t, err)
		if g.distances()[node] > n {
			require.Nil(t, wrong.Path)
			continue
		}
		last := wrong.Path[len(wrong.Path)-1]
		require.Equal(t, uint64(node), binary.LittleEndian.Uint64(last.Bytes))
		require.Equal(t, g.distances()[node], g.length(t, wrong.Path))
		again, err := Explore(t.Context(), g.system(), Options{Workers: 1})
		require.NoError(t, err)
		require.Equal(t, again, wrong)
	}
}

// length is that of a path, which has to be one.
func (g graph) length(t *testing.T, path []State) (sum int) {
	for k := range path[1:] {
		from, to := binary.LittleEndian.Uint64(path[k].Bytes), binary.LittleEndian.Uint64(path[k+1].Bytes)
		best := 2
		for length, tos := range g[from] {
			for _, next := range tos {
				if next == int(to) {
					best = min(best, length)
				}
			}
		}
		require.Less(t, best, 2, "there is no edge")
		sum += best
	}
	return sum
}

// chain counts up without end.
type chain struct{}

func (chain) Start(to *Successors) error {
	to.Add(make([]byte, 16), 7)
	return nil
}

func (chain) Expand(s State, length int, to *Successors) error {
	n := binary.LittleEndian.Uint64(s.Bytes)
	switch {
	case s.Mark != 7:
		return errors.New("the mark is lost")
	case n == 500:
		return errors.New("too far")
	}
	for k := range uint64(64) {
		to.Add(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, n+1), k), s.Mark)
	}
	to.Complete()
	return nil
}

func endless() *System {
	return &System{Size: 16, NewWorker: func() Worker { return chain{} }, Bytes: func() int64 { return 1000 }}
}

// Bounds end an exploration, and a worker's error does.
func TestBounds(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for _, c := range []struct {
		ctx    context.Context
		o      Options
		reason string
	}{
		{t.Context(), Options{States: 1000}, "the budget of states is used up"},
		{t.Context(), Options{Memory: 100_000}, "the memory is used up"},
		{cancelled, Options{}, "interrupted"},
		{late, Options{}, "the time is used up"},
		{t.Context(), Options{Length: 3}, ""},
	} {
		r, err := Explore(c.ctx, endless(), c.o)
		require.NoError(t, err)
		assert.Equal(t, c.reason, r.Reason)
		assert.Positive(t, r.Bytes)
		if c.o.Length > 0 {
			assert.Equal(t, []int64{1 + 3*64, 3, 1 + 2*64}, []int64{r.Stored, int64(r.Length), r.Complete})
		}
	}
	_, err := Explore(t.Context(), endless(), Options{})
	require.EqualError(t, err, "too far")
}

// Progress is reported now and then.
func TestProgress(t *testing.T) {
	var shown []Result
	_, err := Explore(t.Context(), slow(), Options{Length: 4, Progress: func(r Result) { shown = append(shown, r) }})
	require.NoError(t, err)
	require.NotEmpty(t, shown)
	assert.Positive(t, shown[0].Stored)
}

// slow is a chain that takes its time.
func slow() *System {
	s := endless()
	s.NewWorker = func() Worker { return sleeper{} }
	return s
}

type sleeper struct{ chain }

func (s sleeper) Expand(state State, length int, to *Successors) error {
	time.Sleep(5 * time.Millisecond)
	return s.chain.Expand(state, length, to)
}
