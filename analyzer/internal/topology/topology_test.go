package topology_test

import (
	"go/types"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/analyzer/internal/topology"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

const server = `package server

import (
	"net/http"
	"sync"
	"time"
)

type Server struct{ n int }

func (s *Server) Public() { s.helper() }

func (s *Server) helper() {}

func (s *Server) loop() {}

func (s *Server) Run() { go s.loop() }

func (s *Server) forever() {
	for s.n > 0 {
	}
}

func (s *Server) Start() { go s.forever() }

func (s *Server) serve(t *task) {
	for t.n > 0 {
	}
}

func (s *Server) Accept(t *task) { go s.serve(t) }

func (s *Server) each() {}

func New() *Server {
	s := &Server{}
	for range 4 {
		go s.each()
	}
	return s
}

func (s *Server) worker() {}

func (s *Server) Workers(n int) {
	for range n {
		go s.worker()
	}
}

type task struct{ n int }

func (t *task) run() {}

func Tasks(n int) {
	for i := range n {
		t := &task{i}
		go t.run()
	}
}

func (s *Server) do(t *task) {}

func (s *Server) All(ts []*task) {
	for _, t := range ts {
		go s.do(t)
	}
}

func (s *Server) picked(t *task) {}

func (s *Server) Picked(ts []task) {
	var wg sync.WaitGroup
	for i := range ts {
		wg.Go(func() { s.picked(&ts[i]) })
	}
}

func (s *Server) captured(t *task) {}

func (s *Server) Captured(ts []*task) {
	for _, t := range ts {
		go func() { s.captured(t) }()
	}
}

func (s *Server) common(t *task) {}

func (s *Server) Common(ts []*task) {
	k := len(ts) / 2
	for range ts {
		go func() { s.common(ts[k]) }()
	}
}

func (s *Server) again(t *task) {}

func (s *Server) Again(ts []*task) {
	for range ts {
		go s.again(ts[0])
	}
}

func (s *Server) handle(http.ResponseWriter, *http.Request) {}

func (s *Server) Routes(m *http.ServeMux) { m.HandleFunc("/", s.handle) }

func (s *Server) tick() {}

func (s *Server) Later() { time.AfterFunc(time.Second, s.tick) }

func (s *Server) part() {}

func (s *Server) Group(n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { s.part() })
	}
	wg.Wait()
}

func unused() {}

func init() { setup() }

func setup() {}
`

// way is an entry without its place.
type way struct {
	kind    topology.Kind
	several bool
}

func TestEntries(t *testing.T) {
	pass := passtest.New(t).Pass("example.com/server", server)
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	top := topology.New(ssaprog.Lower(pass, catalog.Default(), pkg, funcs))
	for name, want := range map[string][]way{
		"Public":  {{topology.Outside, false}},
		"helper":  {{topology.Outside, false}},
		"loop":    {{topology.Started, true}},  // Run can be called again
		"forever": {{topology.Started, false}}, // Start is not called again
		"serve":   {{topology.Started, true}},
		"each":    {{topology.Started, true}}, // all have the one
		"worker":  {{topology.Started, true}},
		"run":     {{topology.Started, false}}, // each has its own
		"do":      {{topology.Started, true}},
		"again":   {{topology.Started, true}},
		"handle":  {{topology.Handler, true}},
		"tick":    {{topology.Started, true}},
		"part":    {{topology.Started, true}},
		"setup":   {{topology.Single, false}},
		"unused":  nil,
		"Workers": {{topology.Outside, false}},
	} {
		i := slices.IndexFunc(funcs, func(fn *ssa.Function) bool {
			obj, ok := fn.Object().(*types.Func)
			return ok && obj.Name() == name
		})
		require.GreaterOrEqual(t, i, 0, name)
		var have []way
		for _, e := range top.Entries(funcs[i]) {
			assert.True(t, e.Pos.IsValid() || e.Kind == topology.Single, name)
			if w := (way{e.Kind, e.Several}); !slices.Contains(have, w) {
				have = append(have, w)
			}
		}
		assert.Equal(t, want, have, name)
	}
}

// TestEach: who is started for each element of something has it for himself.
func TestEach(t *testing.T) {
	pass := passtest.New(t).Pass("example.com/server", server)
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	top := topology.New(ssaprog.Lower(pass, catalog.Default(), pkg, funcs))
	for name, want := range map[string]string{
		"do": "*example.com/server.task", "picked": "*example.com/server.task", "captured": "*example.com/server.task",
		"common": "", "again": "", "worker": "",
	} {
		i := slices.IndexFunc(funcs, func(fn *ssa.Function) bool { return fn.Name() == name })
		require.GreaterOrEqual(t, i, 0, name)
		for _, e := range top.Entries(funcs[i]) {
			each := ""
			if e.Each != nil {
				each = e.Each.String()
			}
			assert.Equal(t, want, each, name)
		}
	}
}

const connections = `package connections

type Server struct {
	accepted chan int
	names    map[int]bool
}

type client struct {
	server *Server
	state  *state
}

type state struct{ n int }

func (s *Server) Run() {
	for n := range s.accepted {
		go s.serve(n)
	}
}

func (s *Server) serve(n int) {
	c := &client{server: s, state: &state{n}}
	c.loop()
}

func newClient(s *Server) *client { return &client{server: s, state: &state{}} }

func (s *Server) RunAll() {
	for range s.accepted {
		c := newClient(s)
		go c.loop()
	}
}

func (s *Server) RunOne() {
	c := newClient(s)
	for range s.accepted {
		go c.share()
	}
}

func (c *client) share() {}

func (c *client) loop() {
	c.state.step()
	c.server.note()
}

func (s *state) step() {}

func (s *Server) note() {}
`

// TestAlone: who makes an object and starts one goroutine on it says that this one is alone with it; not of
// several, nor of one that is started on what is there already.
func TestAlone(t *testing.T) {
	pass := passtest.New(t).Pass("example.com/connections", connections)
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	top := topology.New(ssaprog.Lower(pass, catalog.Default(), pkg, funcs))
	alone := map[string][]bool{}
	for _, fn := range funcs {
		if len(fn.Params) == 0 {
			continue
		}
		for _, e := range top.EntriesOn(fn, []ssa.Value{fn.Params[0]}, func(types.Type) bool { return false }) {
			if e.Kind == topology.Started {
				alone[fn.Name()] = append(alone[fn.Name()], e.Alone)
			}
		}
	}
	assert.Equal(t, []bool{true}, alone["loop"])
	assert.Equal(t, []bool{false}, alone["share"])
	assert.Equal(t, []bool{false}, alone["serve"])
}

// TestEntriesOn: what several goroutines have of their own is entered by the one that has made it.
func TestEntriesOn(t *testing.T) {
	pass := passtest.New(t).Pass("example.com/connections", connections)
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	top := topology.New(ssaprog.Lower(pass, catalog.Default(), pkg, funcs))
	parts := func(typ types.Type) bool { return typ.String() == "*example.com/connections.state" }
	for name, want := range map[string][]way{
		"loop":  {{topology.Maker, false}, {topology.Started, false}},
		"step":  {{topology.Maker, false}, {topology.Started, false}},
		"share": {{topology.Started, true}},
		// All clients have one server: of that nothing is known but who comes.
		"note":  {{topology.Started, true}, {topology.Started, false}},
		"serve": {{topology.Started, true}},
	} {
		i := slices.IndexFunc(funcs, func(fn *ssa.Function) bool { return fn.Name() == name })
		require.GreaterOrEqual(t, i, 0, name)
		var have []way
		for _, e := range top.EntriesOn(funcs[i], []ssa.Value{funcs[i].Params[0]}, parts) {
			if w := (way{e.Kind, e.Several}); !slices.Contains(have, w) {
				have = append(have, w)
			}
		}
		assert.ElementsMatch(t, want, have, name)
	}
}
