package reduce

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// nativeHost computes the pure functions that lowering leaves uninterpreted.
// Nothing in these functions is unpredictable but what is never looked at.
type nativeHost struct {
	t     require.TestingT
	fresh int
}

func (h *nativeHost) Pure(name string, _ int, args []register.Value) register.Value {
	switch kind, _, _ := strings.Cut(name, ":"); {
	case name == "mul":
		x, _ := strconv.Atoi(string(args[0]))
		y, _ := strconv.Atoi(string(args[1]))
		return register.Value(strconv.Itoa(x * y))
	case kind == "is": // nil is tested for before
		return register.LitTrue
	}
	return register.Value(fmt.Sprintf("{%s%v}", name, args))
}

func (h *nativeHost) Fresh(site string, _ []register.Value) register.Value {
	h.fresh++
	return register.Value(site + "!" + strconv.Itoa(h.fresh))
}

func (h *nativeHost) Unknown(site string, _ int, _ []register.Value) register.Value {
	require.Equal(h.t, register.Undef, site, "nothing is unknown")
	return register.Value("undefined")
}

// nativeState is what a run starts with and leaves: the contents of m for the
// keys a, b and pair{a, b}, nil if absent, and n.
type nativeState struct {
	a, b    int
	content [3]any
	n       int64
	result  int
	crash   bool
}

func (s *nativeState) keys() [3]any { return [3]any{s.a, s.b, pair{s.a, s.b}} }

// runNative runs the function as Go.
func (s nativeState) runNative(f nativeFunc) (out nativeState) {
	m, n := &sync.Map{}, &atomic.Int64{}
	for i, k := range s.keys() {
		if s.content[i] != nil {
			m.Store(k, s.content[i])
		}
	}
	n.Store(s.n)
	out = s
	defer func() {
		out.crash = recover() != nil
		for i, k := range s.keys() {
			out.content[i], _ = m.Load(k)
		}
		out.n = n.Load()
	}()
	out.result = f(m, n, s.a, s.b)
	return out
}

// nativeCells are the labels of the cells for content and n.
var nativeCells = []string{"m[a]", "m[b]", "m[pair{a, b}]", "n"}

// runProgram runs the function's program.
func (s nativeState) runProgram(t require.TestingT, p *register.Program) nativeState {
	var cells []register.Value
	for _, c := range p.Cells {
		i := slices.Index(nativeCells, c.Label)
		require.GreaterOrEqual(t, i, 0, c.Label)
		switch {
		case i == 3:
			cells = append(cells, register.Value(fmt.Sprint(s.n)))
		case s.content[i] == nil:
			cells = append(cells, register.LitAbsent)
		default:
			cells = append(cells, register.Value(fmt.Sprint(s.content[i])))
		}
	}
	args := []register.Value{"map!", "counter!", register.Value(strconv.Itoa(s.a)), register.Value(strconv.Itoa(s.b))}
	o, err := register.Run(p, args, cells, &nativeHost{t: t}, nil, 10_000)
	require.NoError(t, err)
	out := s
	out.crash = o.Kind == register.Panic
	if !out.crash {
		out.result, err = strconv.Atoi(string(o.Vals[0]))
		require.NoError(t, err)
	}
	for i, c := range p.Cells {
		val, err := strconv.Atoi(string(cells[i]))
		switch at := slices.Index(nativeCells, c.Label); {
		case at == 3:
			out.n = int64(val)
		case cells[i] == register.LitAbsent:
			out.content[at] = nil
		default:
			require.NoError(t, err)
			out.content[at] = val
		}
	}
	return out
}

// TestLowerNative runs Go functions and their programs side by side: lowering,
// inlining and tidying must not change what a function does when it is alone.
func TestLowerNative(t *testing.T) {
	src, err := os.ReadFile("lower_native_funcs_test.go")
	require.NoError(t, err)
	lp := buildLower(t, string(src))
	for _, name := range slices.Sorted(maps.Keys(nativeFuncs)) {
		t.Run(name, func(t *testing.T) {
			p := lp.inline(t, name)
			seen := map[nativeState]bool{}
			rapid.Check(t, func(rt *rapid.T) {
				s := drawNative(rt)
				want := s.runNative(nativeFuncs[name])
				got := s.runProgram(rt, p)
				require.Equal(rt, want, got, "%s", p)
				seen[nativeState{result: got.result, crash: got.crash}] = true
			})
			assert.NotEmpty(t, seen)
		})
	}
}

func drawNative(rt *rapid.T) nativeState {
	s := nativeState{a: rapid.IntRange(0, 6).Draw(rt, "a"), n: rapid.Int64Range(0, 4).Draw(rt, "n")}
	s.b = rapid.IntRange(0, 6).Filter(func(b int) bool { return b != s.a }).Draw(rt, "b")
	for i := range s.content {
		if rapid.Bool().Draw(rt, "present") {
			s.content[i] = rapid.IntRange(0, 5).Draw(rt, "content")
		}
	}
	return s
}

// tidyHost answers by what is asked, so that a question dropped as useless
// changes no other answer. It also counts how often a site was asked.
type tidyHost struct{ asked map[string]int }

func (h tidyHost) Pure(name string, result int, args []register.Value) register.Value {
	return digest("v%d%s%v", result, name, args)
}

func (h tidyHost) Fresh(site string, args []register.Value) register.Value {
	h.asked[site]++
	return digest("%s!%d%v", site, h.asked[site], args)
}

func (h tidyHost) Unknown(site string, result int, args []register.Value) register.Value {
	if strings.HasPrefix(site, "cond") {
		h.asked[site]++
		return register.Value(strconv.FormatBool(h.asked[site]%3 == 1))
	}
	return digest("u%d%s%v", result, site, args)
}

// digest is a short name for what may be long: f(f(f(x, x), ...), ...).
func digest(format string, args ...any) register.Value {
	h := fnv.New64a()
	fmt.Fprintf(h, format, args...)
	return register.Value(fmt.Sprintf("v%x", h.Sum64()))
}

// TestFinishKeepsRuns asserts that tidying a random program changes neither
// what it gives nor its effects nor what it leaves in the cells.
func TestFinishKeepsRuns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := drawTidy(rt)
		before := p.String()
		require.NoError(rt, register.Check(p), before)
		want := tidyRun(p)
		register.Tidy(p)
		register.Finish(p, register.MergeCells)
		require.NoError(rt, register.Check(p), "%s\n%s", before, p)
		require.Equal(rt, want, tidyRun(p), "%s\n%s", before, p)
	})
}

// tidyRun is all that a run of p gives, in one text. A run that does not end
// gives nothing: tidying may shorten the way round an endless loop.
func tidyRun(p *register.Program) string {
	contents := map[string]register.Value{"0": "x", "1": register.LitAbsent}
	var cells []register.Value
	for _, c := range p.Cells {
		cells = append(cells, contents[c.Key.Lit])
	}
	o, err := register.Run(p, []register.Value{"p", "true"}, cells, tidyHost{map[string]int{}}, nil, 3000)
	if errors.Is(err, register.ErrDiverges) {
		return "does not end"
	}
	if err != nil {
		return err.Error()
	}
	for i, c := range p.Cells {
		contents[c.Key.Lit] = cells[i]
	}
	return fmt.Sprint(o.Kind, o.Label, o.Vals, o.Effects, contents["0"], contents["1"])
}

// drawTidy draws a program of up to eight blocks whose locals are all assigned
// at the entry, as copies of each other, and then again and again.
func drawTidy(rt *rapid.T) *register.Program {
	p := &register.Program{Name: "drawn", Cells: []register.Cell{
		{Kind: register.Map, Map: register.Lit("&m"), Key: register.Lit("0"), Zero: register.LitNil},
		{Kind: register.Map, Map: register.Lit("&m"), Key: register.Lit("1"), Zero: register.LitNil},
	}}
	p.Params = []register.Local{p.NewLocal("p"), p.NewLocal("c")}
	n := rapid.IntRange(1, 8).Draw(rt, "blocks")
	for range 4 {
		p.NewLocal("v")
	}
	local := func() register.Local { return register.Local(rapid.IntRange(0, len(p.Names)-1).Draw(rt, "local")) }
	operand := func() register.Operand {
		if rapid.IntRange(0, 4).Draw(rt, "literal") == 0 {
			return register.Lit(rapid.SampledFrom([]string{register.LitNil, register.LitTrue, register.LitFalse, "1", `"s"`}).Draw(rt, "lit"))
		}
		return register.L(local())
	}
	for b := range n {
		blk := &register.Block{}
		p.Blocks = append(p.Blocks, blk)
		for i := 2; b == 0 && i < len(p.Names); i++ {
			blk.Instrs = append(blk.Instrs, register.Instr{Op: register.Copy, Dst: []register.Local{register.Local(i)}, Args: []register.Operand{register.L(register.Local(rapid.IntRange(0, i-1).Draw(rt, "init")))}})
		}
		for i := range rapid.IntRange(0, 5).Draw(rt, "instrs") {
			blk.Instrs = append(blk.Instrs, drawTidyInstr(rt, fmt.Sprintf("%d_%d", b, i), local, operand))
		}
		blk.Term = drawTidyTerm(rt, blk, b, n, local, operand)
	}
	return p
}

func drawTidyInstr(rt *rapid.T, at string, local func() register.Local, operand func() register.Operand) register.Instr {
	dst := []register.Local{local()}
	switch rapid.IntRange(0, 9).Draw(rt, "kind") {
	case 0, 1, 2:
		return register.Instr{Op: register.Copy, Dst: dst, Args: []register.Operand{operand()}}
	case 3:
		return register.Instr{Op: register.Pure, Name: "eq", Dst: dst, Args: []register.Operand{operand(), operand()}}
	case 4:
		return register.Instr{Op: register.Pure, Name: "f", Dst: dst, Args: []register.Operand{operand(), operand()}}
	case 5:
		return register.Instr{Op: register.Unknown, Name: "u" + at, Dst: dst, Args: []register.Operand{operand()}}
	case 6:
		return register.Instr{Op: register.Fresh, Name: "T#" + at, Dst: dst, Args: []register.Operand{operand()}}
	case 7:
		return register.Instr{Op: register.Read, Dst: []register.Local{dst[0], register.None}, Cell: rapid.IntRange(0, 1).Draw(rt, "cell")}
	case 8:
		return register.Instr{Op: register.Write, Dst: []register.Local{register.None, dst[0]}, Cell: rapid.IntRange(0, 1).Draw(rt, "cell"), Args: []register.Operand{operand()}}
	default:
		return register.Instr{Op: register.Effect, Name: "e", Args: []register.Operand{operand()}}
	}
}

func drawTidyTerm(rt *rapid.T, blk *register.Block, b, n int, local func() register.Local, operand func() register.Operand) register.Term {
	to := func() int { return rapid.IntRange(1, n-1).Draw(rt, "to") }
	kind := rapid.IntRange(0, 6).Draw(rt, "term")
	switch {
	case n == 1 || kind == 0:
		return register.Term{Kind: register.Return, Vals: []register.Operand{operand(), operand()}}
	case kind < 3:
		return register.Term{Kind: register.Jump, To: []int{to()}}
	case kind == 3: // a condition that is known
		c := local()
		blk.Instrs = append(blk.Instrs, register.Instr{Op: register.Pure, Name: "eq", Dst: []register.Local{c}, Args: []register.Operand{operand(), operand()}})
		return register.Term{Kind: register.Branch, Cond: register.L(c), To: []int{to(), to()}}
	default:
		c := local()
		blk.Instrs = append(blk.Instrs, register.Instr{Op: register.Unknown, Name: "cond" + strconv.Itoa(b), Dst: []register.Local{c}})
		return register.Term{Kind: register.Branch, Cond: register.L(c), To: []int{to(), to()}}
	}
}
