package absint

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

var binaryOps = []string{"add", "sub", "mul", "quo", "rem", "and", "or", "xor", "andnot", "shl", "shr", "lt", "le"}

// TestFoldsAsReplaysDo compares the two ways to calculate: the exploration's, and
// the replay's, which is compared with compiled Go where it is defined.
func TestFoldsAsReplaysDo(t *testing.T) {
	terms := newTerms()
	agree := func(t require.TestingT, f function, texts ...string) {
		args, vals := make([]term, len(texts)), make([]register.Value, len(texts))
		for i, s := range texts {
			args[i], vals[i] = terms.lit(s), register.Value(s)
		}
		want, ok, err := register.Fold(f.name, f.at, vals)
		require.NoError(t, err)
		got := terms.apply(f, args)
		if !ok {
			require.Equal(t, appTerm, terms.of(got).kind, "%v%v", f, texts)
			return
		}
		require.Equal(t, string(want), terms.of(got).name, "%v%v", f, texts)
	}
	rapid.Check(t, func(t *rapid.T) {
		at := register.Type{Kind: register.TypeKind(rapid.IntRange(int(register.Int), int(register.Uintptr)).Draw(t, "kind"))}
		number := func(what string) string {
			b := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 10), rapid.Just(uint64(1)<<63)).Draw(t, what)
			return bitsText(at.Kind, b)
		}
		x, y := number("x"), number("y")
		for _, op := range binaryOps {
			agree(t, function{name: op, at: at}, x, y)
		}
		agree(t, function{name: "neg", at: at}, x)
		agree(t, function{name: "compl", at: at}, x)
		for kind := register.Int; kind <= register.Float64; kind++ {
			agree(t, function{name: "convert", at: register.Type{Kind: kind}}, x)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		at := register.Type{Kind: rapid.SampledFrom([]register.TypeKind{register.Float32, register.Float64}).Draw(t, "kind")}
		number := func(what string) string {
			f := rapid.Float32Range(-1000, 1000).Draw(t, what)
			s, ok := register.Real(at.Kind, strconv.FormatFloat(float64(f), 'f', -1, 64))
			if !ok {
				return "0"
			}
			return s
		}
		x, y := number("x"), number("y")
		for _, op := range []string{"add", "sub", "mul", "quo", "lt", "le", "feq"} {
			agree(t, function{name: op, at: at}, x, y)
		}
	})
}

// TestLenOfLists: a nil list is empty, one that is cut is as long as its bounds say, and what is added to a list makes it longer.
func TestLenOfLists(t *testing.T) {
	terms := newTerms()
	list, none, i := terms.named("list"), terms.lit(register.NoBound), terms.named("i")
	length := func(x term) string { return terms.of(terms.apply(function{name: "len"}, []term{x})).name }
	cut := func(lo, hi term) term {
		return terms.apply(function{name: register.SliceOf}, []term{list, lo, hi, none})
	}
	assert.Equal(t, "0", length(terms.nilT))
	assert.Equal(t, "len", length(list))
	assert.Equal(t, "0", length(cut(none, terms.lit("0"))))
	assert.Equal(t, "2", length(cut(terms.lit("1"), terms.lit("3"))))
	assert.Equal(t, "len", length(cut(terms.lit("3"), terms.lit("1"))), "which panics")
	of := func(name string, args ...term) term { return terms.apply(function{name: name}, args) }
	long := func(x term) term { return of("len", x) }
	assert.Equal(t, i, long(cut(none, i)))
	assert.Equal(t, of("sub", terms.lit("3"), i), long(cut(i, terms.lit("3"))))
	assert.Equal(t, of("sub", long(list), terms.lit("1")), long(cut(terms.lit("1"), none)))
	assert.Equal(t, of("add", long(list), terms.lit("2")), long(of(register.Append, of(register.Append, list, i), i)))
	assert.Equal(t, of("add", long(list), long(i)), long(of(register.AppendAll, list, i)))
	assert.Equal(t, "1", length(of(register.Append, terms.nilT, i)))
	zero, ok, err := register.Fold("len", register.Type{}, []register.Value{register.LitNil})
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, register.Value("0"), zero)
}

// small is an expression over two numbers of eight bits: a term, and what it is
// for each pair of numbers.
type small struct {
	term term
	of   func(x, y int64) int64
}

// smallGen makes expressions of one kind.
type smallGen struct {
	r     *rand.Rand
	terms *terms
	at    register.Type
	vars  [2]small
}

func newSmallGen(r *rand.Rand) *smallGen {
	g := &smallGen{r: r, terms: newTerms(), at: register.Type{Kind: register.Int8}}
	if r.IntN(2) == 0 {
		g.at.Kind = register.Uint8
	}
	for i := range g.vars {
		x := g.terms.sym("v", false, nil)
		g.terms.declare(x, g.at)
		g.vars[i] = small{x, func(x, y int64) int64 { return []int64{x, y}[i] }}
	}
	return g
}

func (g *smallGen) literal() small {
	text := bitsText(g.at.Kind, uint64(g.r.IntN(8)-3))
	if g.r.IntN(4) == 0 {
		text = bitsText(g.at.Kind, g.r.Uint64())
	}
	n, _ := strconv.ParseInt(text, 10, 64)
	return small{g.terms.lit(text), func(int64, int64) int64 { return n }}
}

func (g *smallGen) number(depth int) small {
	switch {
	case g.r.IntN(5) == 0:
		return g.literal()
	case depth == 0 || g.r.IntN(2) == 0:
		return g.vars[g.r.IntN(2)]
	}
	op := []string{"add", "add", "sub", "and", "mul", "rem", "shl"}[g.r.IntN(7)]
	a, b := g.number(depth-1), g.literal()
	if g.r.IntN(4) == 0 && op != "rem" && op != "shl" {
		b = g.number(depth - 1)
	}
	return small{g.terms.apply(function{name: op, at: g.at}, []term{a.term, b.term}), func(x, y int64) int64 {
		return g.calculate(op, a.of(x, y), b.of(x, y))
	}}
}

// calculate is compiled arithmetic; where Go panics it is anything.
func (g *smallGen) calculate(op string, a, b int64) int64 {
	if op == "rem" && b == 0 || op == "shl" && b < 0 {
		return 77
	}
	if g.at.Kind == register.Uint8 {
		return int64(compiled(op, uint8(a), uint8(b)))
	}
	return int64(compiled(op, int8(a), int8(b)))
}

func compiled[T int8 | uint8](op string, x, y T) T {
	switch op {
	case "add":
		return x + y
	case "sub":
		return x - y
	case "mul":
		return x * y
	case "and":
		return x & y
	case "rem":
		return x % y
	default:
		return x << y
	}
}

// question is a comparison and its answers.
func (g *smallGen) question() small {
	a, b := g.number(2), g.number(2)
	op := []string{"eq", "lt", "le"}[g.r.IntN(3)]
	f := function{name: op, at: g.at}
	if op == "eq" {
		f.at = register.Type{}
	}
	return small{g.terms.apply(f, []term{a.term, b.term}), func(x, y int64) int64 {
		p, q := a.of(x, y), b.of(x, y)
		if op == "eq" && p == q || op == "lt" && p < q || op == "le" && p <= q {
			return 1
		}
		return 0
	}}
}

// solutions are the pairs of numbers.
func (g *smallGen) solutions() (all [][2]int64) {
	lo, hi := g.at.Kind.Range()
	for x := lo.Int64(); x <= hi.Int64(); x++ {
		for y := lo.Int64(); y <= hi.Int64(); y++ {
			all = append(all, [2]int64{x, y})
		}
	}
	return all
}

// TestConcludesWhatHolds: a path that is given up has no numbers, and what a path
// decides holds for all numbers that it leaves. All pairs are tried.
func TestConcludesWhatHolds(t *testing.T) {
	open := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := newSmallGen(r)
		left := g.solutions()
		p := newPath(g.terms)
		for range 4 {
			q := g.question()
			yesses := 0
			for _, s := range left {
				yesses += int(q.of(s[0], s[1]))
			}
			decided, err := asked(p, q.term)
			where := fmt.Sprintf("seed %d, %s, %s", seed, g.at.GoName(), g.write(q.term))
			if err == nil {
				require.True(t, decided && yesses == len(left) || !decided && yesses == 0, "%s is %v, of %d cases %d", where, decided, len(left), yesses)
				continue
			}
			open++
			sp := err.(*split)
			is := r.IntN(2) == 0
			next := p.with(literal{sp.literal.a, sp.literal.b, is})
			holds := g.either(q, is)
			if next == nil {
				assert.Empty(t, filter(left, q, holds), "%s cannot be %v", where, is)
				break
			}
			p, left = next, filter(left, q, holds)
			if len(left) == 0 {
				break // nobody promises that this is noticed
			}
		}
	}
	assert.Greater(t, open, 150)
}

// either is the answer to q if the comparison that was left open is answered so.
func (g *smallGen) either(q small, is bool) int64 {
	n := g.terms.of(q.term)
	negated := n.kind == appTerm && n.name == "not"
	if is != negated {
		return 1
	}
	return 0
}

func filter(all [][2]int64, q small, want int64) (out [][2]int64) {
	for _, s := range all {
		if q.of(s[0], s[1]) == want {
			out = append(out, s)
		}
	}
	return out
}

// asked asks a path as the machine does.
func asked(p *path, x term) (bool, error) {
	m := machine{terms: p.terms, decide: func(a, b term) (bool, error) {
		switch p.equal(a, b) {
		case yes:
			return true, nil
		case no:
			return false, nil
		}
		return false, &split{literal: literal{a, b, true}}
	}}
	return m.truth(x)
}

func (g *smallGen) write(x term) string {
	n := g.terms.of(x)
	if n.kind == symTerm {
		return fmt.Sprint("v", x)
	}
	if n.kind == litTerm {
		return n.name
	}
	s := n.name + "("
	for _, a := range n.args {
		s += g.write(a) + " "
	}
	return s + ")"
}
