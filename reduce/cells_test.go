package reduce

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parseOneProgram reads a program in function form.
func parseOneProgram(t *testing.T, text string) *register.Program {
	t.Helper()
	progs, err := register.Parse("test", []byte(text))
	require.NoError(t, err)
	require.Len(t, progs, 1)
	return progs[0]
}

// namedLocal is the operand for the local of that name.
func namedLocal(t *testing.T, p *register.Program, name string) register.Operand {
	t.Helper()
	for i, n := range p.Names {
		if n == name {
			return register.L(register.Local(i))
		}
	}
	require.Fail(t, "no local "+name)
	return register.NoOperand
}

func TestNumberTerms(t *testing.T) {
	p := parseOneProgram(t, `
func F(a, b, c)
b0:
    x = pure f(a, b)
    y = a
    z = pure f(y, b)
    w = pure f(b, a)
    l = "s"
    u = unknown site()
    v = unknown site()
    p, q = pure g(a)
    r, s = pure g(y)
    twice = a
    branch c, b1, b2
b1:
    twice = b
    c = true
    jump b2
b2:
    return x, z
`)
	n := register.Number(p)
	term := func(name string) string { return n.Term(namedLocal(t, p, name)) }
	assert.Equal(t, term("x"), term("z"), "the same function of the same")
	assert.NotEqual(t, term("x"), term("w"), "arguments have an order")
	assert.Equal(t, term("a"), term("y"), "a copy")
	assert.Equal(t, n.Term(register.Str("s")), term("l"), "a literal")
	assert.NotEqual(t, term("u"), term("v"), "unknown results differ")
	assert.Equal(t, term("p"), term("r"))
	assert.NotEqual(t, term("p"), term("q"), "results of one function")
	assert.NotEqual(t, term("a"), term("twice"), "assigned twice")
	assert.Equal(t, term("c"), n.Term(namedLocal(t, p, "c")), "a parameter that is assigned is itself")
	assert.NotEqual(t, register.LitTrue, term("c"))
	assert.Empty(t, n.Term(register.NoOperand))

	def, i := n.Def(namedLocal(t, p, "s"))
	require.NotNil(t, def)
	assert.Equal(t, "g", def.Name)
	assert.Equal(t, 1, i)
	def, _ = n.Def(namedLocal(t, p, "u"))
	assert.Nil(t, def)
	assert.Equal(t, namedLocal(t, p, "a"), n.Source(namedLocal(t, p, "y")))
}

// A value that exists only so that Check can see it assigned is no assignment.
func TestNumberIgnoresUndef(t *testing.T) {
	p := parseOneProgram(t, `
func F(a)
b0:
    k = unknown undef()
    branch a, b1, b2
b1:
    k = pure f(a)
    jump b2
b2:
    return k
`)
	def, _ := register.Number(p).Def(namedLocal(t, p, "k"))
	require.NotNil(t, def)
	assert.Equal(t, "f", def.Name)
}

// Terms refer to each other by number: a tower of pairs has as many terms as
// floors, and is not written out.
func TestNumberIsSmall(t *testing.T) {
	var b strings.Builder
	b.WriteString("func F(x0)\nb0:\n")
	for i := range 200 {
		fmt.Fprintf(&b, "    x%d = pure pair(x%d, x%d)\n", i+1, i, i)
	}
	b.WriteString("    return x200\n")
	p := parseOneProgram(t, b.String())
	n := register.Number(p)
	assert.Less(t, len(n.Term(namedLocal(t, p, "x200"))), 10)
	assert.LessOrEqual(t, len([]rune(n.Path(namedLocal(t, p, "x200")))), register.MaxLabel)
}

// A local that is copied to itself by way of others, in code that no run
// reaches, has some term.
func TestNumberCycle(t *testing.T) {
	p := &register.Program{Name: "F", Names: []string{"a", "b"}, Blocks: []*register.Block{
		{Term: register.Term{Kind: register.Return}},
		{Instrs: []register.Instr{
			{Op: register.Copy, Dst: []register.Local{0}, Args: []register.Operand{register.L(1)}},
			{Op: register.Copy, Dst: []register.Local{1}, Args: []register.Operand{register.L(0)}},
		}, Term: register.Term{Kind: register.Return}},
	}}
	n := register.Number(p)
	assert.NotEmpty(t, n.Term(register.L(0)))
	assert.NotPanics(t, func() { n.Def(register.L(0)); n.Path(register.L(1)) })
}

func TestMergeCells(t *testing.T) {
	p := parseOneProgram(t, `
func F(r, id, other)
cell c0 map m1[id] zero nil
cell c1 map m2[id2] zero nil
cell c2 map m1[other] zero nil
cell c3 atomic n zero 0
cell c4 map &p.m[s] zero nil
cell c5 map &p.m["x"] zero nil
b0:
    m1 = pure &p.R.sessions(r)
    m2 = pure &p.R.sessions(r)
    n = pure &p.R.n(r)
    id2 = id
    f = pure p.R.name(r)
    c = pure "convert:string"(f)
    s = pure "struct:p.key"(c, id)
    _, _ = read c1
    _, _ = write c0, absent
    _, _ = read c2
    _, _ = read c3
    _, _ = read c4
    return
`)
	register.MergeCells(p)
	var labels []string
	for _, c := range p.Cells {
		labels = append(labels, c.Label)
	}
	assert.Equal(t, []string{"r.sessions[id]", "r.sessions[other]", "r.n", "m[key{string(r.name), id}]"}, labels, "equal ones are one, the unused one is gone")
	var used []int
	for _, in := range p.Blocks[0].Instrs {
		if in.IsBase() {
			used = append(used, in.Cell)
		}
	}
	assert.Equal(t, []int{0, 0, 1, 2, 3}, used)
	require.NoError(t, register.Check(p))
}
