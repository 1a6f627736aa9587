package register_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// textFiles are the programs under testdata/text, by file name.
func textFiles(t testing.TB) map[string]string {
	paths, err := filepath.Glob("testdata/text/*.reg")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	files := map[string]string{}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		files[filepath.Base(path)] = string(src)
	}
	return files
}

// Each file is the text of its program, to the byte.
func TestParseThenPrintGivesTheFileBack(t *testing.T) {
	for name, src := range textFiles(t) {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, src, parseOne(t, src).String())
		})
	}
}

func TestParseReadsEveryPart(t *testing.T) {
	p := parseOne(t, textFiles(t)["getorcreate.reg"])
	assert.Equal(t, "(*Registry).Get", p.Name)
	assert.Equal(t, []string{"r", "id", "m", "v", "ok", "n", "actual", "stored", "v2"}, p.Names)
	assert.Equal(t, []register.Local{0, 1}, p.Params)
	assert.Equal(t, []register.Cell{{
		Kind: register.Map, Map: register.L(2), Key: register.L(1), Zero: "nil", Label: "r.sessions[id]",
	}}, p.Cells)
	require.Len(t, p.Blocks, 3)
	assert.Equal(t, register.Instr{
		Op: register.Read, Dst: []register.Local{3, 4}, Cell: 0, Pos: at("registry.go:12:3"),
	}, p.Blocks[0].Instrs[1])
	assert.Equal(t, register.Term{
		Kind: register.Branch, Cond: register.L(4), To: []int{1, 2}, Pos: at("registry.go:13:5"),
	}, p.Blocks[0].Term)
	assert.Equal(t, register.Instr{
		Op: register.CAS, Dst: []register.Local{6, 7}, Args: []register.Operand{register.Absent, register.L(5)}, Pos: at("registry.go:17:3"),
	}, p.Blocks[2].Instrs[1])
	assert.Equal(t, register.Term{Kind: register.Return, Vals: []register.Operand{register.L(8)}}, p.Blocks[2].Term)
}

func TestParseSeveralPrograms(t *testing.T) {
	progs, err := register.Parse("two.reg", []byte("; remark\n\nfunc f()\nb0:\n return\n\nfunc g(x) ; remark\nb0: ; remark\n return x"))
	require.NoError(t, err)
	require.Len(t, progs, 2)
	assert.Equal(t, "f", progs[0].Name)
	assert.Equal(t, "func g(x)\n\nb0:\n    return x\n", progs[1].String())
}

func TestParseNothing(t *testing.T) {
	progs, err := register.Parse("empty.reg", []byte("\n  ; nothing\r\n"))
	require.NoError(t, err)
	assert.Empty(t, progs)
}

func TestParseDropsRemarksAndKeepsPositions(t *testing.T) {
	p := parseOne(t, "func f()\nb0:\n\n x = 1 ; why not\n ; a.go:7:1\n y = x ;b.go:2:3\n return y ; c.go:3\n ; end")
	assert.True(t, p.Blocks[0].Instrs[0].Pos.IsZero())
	assert.Equal(t, at("b.go:2:3"), p.Blocks[0].Instrs[1].Pos)
	assert.Equal(t, at("c.go:3"), p.Blocks[0].Term.Pos)
}

// The language has no reserved words: what a word is, its place tells.
func TestParseWordsAsLocals(t *testing.T) {
	words := strings.Fields(`func cell map atomic latch zero evicts guarded label pure fresh unknown read write cas effect
		enter leave lock unlock blocking call jump branch return panic b0 b1 c0 r w`)
	for _, w := range words {
		src := strings.ReplaceAll(`func W(W)
cell c0 map W[W] zero nil evicts

b0:
    W = W
    W, _ = read c0
    _, W = cas c0, W, W
    W = pure W(W)
    effect W(W)
    lock w W
    branch W, b1, b2

b1:
    return W

b2:
    return W (W)
`, "W", w)
		assert.Equal(t, src, parseOne(t, src).String())
	}
}

func TestParseErrors(t *testing.T) {
	head := "func f(a)\ncell c0 map a[a] zero nil\nb0:\n"
	tests := []struct{ src, want string }{
		{"x", "t.reg:1:1: expected func, found x"},
		{"func", "t.reg:1:5: expected the function's name, found the end of the input"},
		{"func f", `t.reg:1:7: expected "(", found the end of the input`},
		{"func f(", "t.reg:1:8: expected a local, found the end of the input"},
		{"func f(a b", `t.reg:1:10: expected ",", found b`},
		{"func f(nil)", "t.reg:1:8: expected a local, found nil"},
		{"func f(a.b)", "t.reg:1:8: expected a local, found a.b"},
		{"func f() x", "t.reg:1:10: expected the end of the line, found x"},
		{"func f()\n\n", "t.reg:1:1: f: there is no entry block"},
		{"func f()\ncell c1", "t.reg:2:6: expected c0, found c1"},
		{"func f()\ncell c0 heap", "t.reg:2:9: expected map, atomic or latch, found heap"},
		{"func f(a)\ncell c0 map a[a", `t.reg:2:16: expected "]", found the end of the input`},
		{"func f(a)\ncell c0 map a zero a", "t.reg:2:20: expected a literal, found a"},
		{"func f(a)\ncell c0 map a zero nil\nb0:\nreturn", "t.reg:1:1: f: map and key of c0: a value is missing"},
		{"func f(a)\ncell c0 latch a zero nil label x", "t.reg:2:32: expected a quoted string, found x"},
		{"func f(a)\nb1:", "t.reg:2:1: expected b0, found b1"},
		{"func f(a)\nb0", `t.reg:2:3: expected ":", found the end of the input`},
		{head, "t.reg:4:1: expected an instruction or a terminator, found the end of the input"},
		{head + "a", "t.reg:4:1: expected an instruction or a terminator, found a"},
		{head + "a =", "t.reg:4:4: expected a local or a literal, found the end of the input"},
		{head + "a = = b", `t.reg:4:5: expected a local or a literal, found "="`},
		{head + "a, = b", `t.reg:4:4: expected a local, found "="`},
		{head + "a = b c", "t.reg:4:7: expected the end of the line, found c"},
		{head + "a, b = read a", "t.reg:4:13: expected a cell, found a"},
		{head + "a, b = read c99999999999", "t.reg:4:13: expected a cell, found c99999999999"},
		{head + "a, b = read c0 c0", "t.reg:4:16: expected the end of the line, found c0"},
		{head + "a = pure (a)", `t.reg:4:10: expected a name, found "("`},
		{head + "a = pure f a", `t.reg:4:12: expected "(", found a`},
		{head + "a = pure f(a", `t.reg:4:13: expected ",", found the end of the input`},
		{head + "lock w", "t.reg:4:7: expected a local or a literal, found the end of the input"},
		{head + "jump 1", "t.reg:4:6: expected a block, found 1"},
		{head + "branch a, b1", `t.reg:4:13: expected ",", found the end of the input`},
		{head + "return a,", "t.reg:4:10: expected a local or a literal, found the end of the input"},
		{head + "panic (a)", `t.reg:4:7: expected what the panic is, found "("`},
		{head + "return a\nreturn a", "t.reg:5:1: expected b1, found return"},
		{head + `x = "a`, "t.reg:4:5: expected a local or a literal, found a string without its end"},
		{head + "x = {a", "t.reg:4:5: expected a local or a literal, found a literal without its closing brace"},
		{head + `x = {"a"`, "t.reg:4:5: expected a local or a literal, found a literal without its closing brace"},
		{head + "x = 'a'", `t.reg:4:5: expected a local or a literal, found '\''`},
		{head + "x = \xff", "t.reg:4:5: expected a local or a literal, found '\uFFFD'"},
		{"func f(a)\nvar x int\nb0:\nreturn a", "t.reg:2:5: x is declared and occurs nowhere"},
		{"func f(a)\nvar a int\nvar a int8\nb0:\nreturn a", "t.reg:3:5: a is declared twice"},
		{"func f(a)\nvar a number\nb0:\nreturn a", "t.reg:2:7: expected a type, found number"},
		// Read, but not well formed: the line is the one Check is about.
		{head + "a = b\nreturn a", "t.reg:4:1: f: b0, instruction 0 (a = b): b may not have been assigned"},
		{head + "\nenter\n\nreturn a", "t.reg:7:1: f: b0, instruction 1 (return a): return without leave"},
		{head + "jump b7", "t.reg:4:1: f: b0, instruction 0 (jump b7): block 7 does not exist"},
	}
	for _, tt := range tests {
		progs, err := register.Parse("t.reg", []byte(tt.src))
		assert.EqualError(t, err, tt.want, "%q", tt.src)
		assert.Nil(t, progs)
	}
}

// programDraw draws well-formed programs: a block reads parameters and what
// it has assigned itself.
type programDraw struct {
	*rapid.T
	p     *register.Program
	known []register.Local
}

var (
	drawnNames = rapid.OneOf(
		rapid.SampledFrom([]string{"f", "pkg.F", "(*T).M", "T[K, V].m", "a/b.c#1", "func1$2", "read", `"`, "é", "_"}),
		rapid.StringN(1, 6, -1))
	drawnLits = rapid.OneOf(
		rapid.SampledFrom([]string{"nil", "true", "false", "0", "-1", "1e+3", `"x;y"`, "&pkg.v", "{1 + 2i}", "{struct{}{}}", "x", "{", `{"`}),
		rapid.StringN(1, 6, -1).Filter(func(s string) bool { return s != register.LitAbsent }))
	drawnTypes = rapid.Custom(func(t *rapid.T) register.Type {
		return register.Type{
			Kind: register.TypeKind(rapid.IntRange(int(register.Bool), int(register.Aggregate)).Draw(t, "kind")),
			Name: rapid.OneOf(drawnNames, rapid.Just("")).Draw(t, "type name"),
		}
	})
	drawnPos = rapid.OneOf(rapid.Just(register.Pos{}), rapid.Just(register.Pos{File: "a.go", Line: 1, Column: 2}), rapid.Custom(func(t *rapid.T) register.Pos {
		file := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a:1"]{1,5}`)).Draw(t, "file")
		return register.Pos{File: file, Line: rapid.IntRange(1, 99).Draw(t, "line"), Column: rapid.IntRange(0, 9).Draw(t, "column")}
	}))
)

func drawProgram(t *rapid.T) *register.Program {
	d := programDraw{T: t, p: drawGraph(t)}
	d.p.Name = rapid.OneOf(drawnNames, rapid.Just("")).Draw(t, "name")
	for range rapid.IntRange(1, 3).Draw(t, "locals") {
		d.p.Params = append(d.p.Params, d.p.NewLocal(drawnNames.Draw(t, "local")))
	}
	d.known = d.p.Params
	for range rapid.IntRange(1, 3).Draw(t, "cells") {
		d.p.Cells = append(d.p.Cells, register.Cell{
			Kind: rapid.SampledFrom([]register.CellKind{register.Map, register.Atomic, register.Latch}).Draw(t, "kind"),
			Map:  d.operand(), Key: d.operand(),
			Zero:   drawnLits.Draw(t, "zero"),
			Evicts: rapid.Bool().Draw(t, "evicts"), Guarded: rapid.Bool().Draw(t, "guarded"),
			Label: rapid.String().Draw(t, "label"),
		})
	}
	for _, blk := range d.p.Blocks {
		d.known = d.p.Params
		for range rapid.IntRange(0, 4).Draw(t, "instrs") {
			blk.Instrs = append(blk.Instrs, d.instrs()...)
		}
		d.term(&blk.Term)
	}
	for l := range d.p.Names {
		if rapid.IntRange(0, 3).Draw(t, "typed") == 0 {
			d.p.Declare(register.Local(l), drawnTypes.Draw(t, "type"))
		}
	}
	return d.p
}

func (d *programDraw) operand() register.Operand {
	if rapid.Bool().Draw(d.T, "literal") {
		return register.Lit(drawnLits.Draw(d.T, "lit"))
	}
	return register.L(rapid.SampledFrom(d.known).Draw(d.T, "known"))
}

func (d *programDraw) operands(n int) []register.Operand {
	var ops []register.Operand
	for range n {
		ops = append(ops, d.operand())
	}
	return ops
}

// results draws n results, new locals or unused.
func (d *programDraw) results(n int) []register.Local {
	var dst []register.Local
	for range n {
		l := register.None
		if rapid.Bool().Draw(d.T, "used") {
			l = d.p.NewLocal("t")
			d.known = append(d.known[:len(d.known):len(d.known)], l)
		}
		dst = append(dst, l)
	}
	return dst
}

func (d *programDraw) instrs() []register.Instr {
	in := register.Instr{
		Op:  register.Op(rapid.IntRange(int(register.Copy), int(register.Call)).Draw(d.T, "op")),
		Pos: drawnPos.Draw(d.T, "pos"),
	}
	name := drawnNames.Filter(func(s string) bool { return !register.Interpreted[s] })
	few := rapid.IntRange(0, 3)
	switch in.Op {
	case register.Enter, register.Leave:
		return []register.Instr{{Op: register.Enter, Pos: in.Pos}, {Op: register.Leave}}
	case register.Copy:
		in.Args, in.Dst = d.operands(1), d.results(1)
	case register.Read, register.Write, register.CAS:
		in.Cell = rapid.IntRange(0, len(d.p.Cells)-1).Draw(d.T, "cell")
		in.Args = d.operands(int(in.Op - register.Read))
		if len(in.Args) > 0 && rapid.Bool().Draw(d.T, "absent") {
			in.Args[0] = register.Absent
		}
		in.Dst = d.results(2)
	case register.Lock, register.Unlock:
		in.Name, in.Args = rapid.SampledFrom([]string{"r", "w"}).Draw(d.T, "mode"), d.operands(1)
	default:
		in.Name, in.Args = name.Draw(d.T, "callee"), d.operands(few.Draw(d.T, "args"))
		results := few.Draw(d.T, "results")
		switch in.Op {
		case register.Effect:
			results = 0
		case register.Fresh:
			results = 1
		case register.Pure:
			results++
		}
		in.Dst = d.results(results)
	}
	return []register.Instr{in}
}

func (d *programDraw) term(t *register.Term) {
	t.Pos = drawnPos.Draw(d.T, "pos")
	switch {
	case t.Kind == register.Branch:
		t.Cond = d.operand()
	case t.Kind == register.Return:
		t.Kind = rapid.SampledFrom([]register.TermKind{register.Return, register.Panic}).Draw(d.T, "exit")
		t.Label = rapid.OneOf(drawnNames, rapid.Just("")).Draw(d.T, "exit label")
		t.Vals = d.operands(rapid.IntRange(0, 3).Draw(d.T, "vals"))
	}
}

// renumbered is p with its locals in the order of their first appearance in
// the text, which is what a round trip may change.
func renumbered(p, like *register.Program) *register.Program {
	number := map[string]register.Local{}
	for l, n := range like.Names {
		number[n] = register.Local(l)
	}
	locals := func(ls []register.Local) {
		for i, l := range ls {
			if l != register.None {
				ls[i] = number[p.Names[l]]
			}
		}
	}
	operand := func(o *register.Operand) {
		if o.Local != register.None && !o.IsNone() {
			o.Local = number[p.Names[o.Local]]
		}
	}
	operands := func(os []register.Operand) {
		for i := range os {
			operand(&os[i])
		}
	}
	locals(p.Params)
	for i := range p.Cells {
		operand(&p.Cells[i].Map)
		operand(&p.Cells[i].Key)
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			locals(blk.Instrs[i].Dst)
			operands(blk.Instrs[i].Args)
		}
		if blk.Term.Kind == register.Branch {
			operand(&blk.Term.Cond)
		}
		operands(blk.Term.Vals)
	}
	types := make([]register.Type, len(like.Types))
	for l, n := range p.Names {
		if at, ok := number[n]; ok && int(at) < len(types) {
			types[at] = p.TypeOf(register.Local(l))
		}
	}
	if p.Types = nil; len(types) > 0 {
		p.Types = types
	}
	p.Names = like.Names
	return p
}

func TestDrawnProgramsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		require.NoError(t, register.Check(p), "%s", p)
		text := p.String()
		back := parseOne(t, text)
		require.Equal(t, text, back.String())
		require.ElementsMatch(t, p.Names, back.Names)
		require.Equal(t, renumbered(p, back), back)
	})
}

func FuzzParse(f *testing.F) {
	for _, src := range textFiles(f) {
		f.Add(src)
	}
	f.Add("func f(a, b)\ncell c0 atomic &x of uint8 zero 0\nvar b, a uint8 \"pkg.T\"\nb0:\n t = pure add uint8(a, 255)\n s = pure is pointer \"*T\"(t)\n return s")
	f.Add("func f(a)\ncell c0 latch {\"a\"} zero {x}\nb0:\n a, _ = cas c0, absent, -1 ; \"p\"\n branch a, b1, b1\nb1:\n panic x (a)\nfunc g()\nb0:\n return \"\" ()")
	f.Fuzz(func(t *testing.T, src string) {
		progs, err := register.Parse("fuzz", []byte(src))
		if err != nil {
			require.Nil(t, progs)
			require.True(t, strings.HasPrefix(err.Error(), "fuzz:"), err)
			return
		}
		for _, p := range progs {
			require.NoError(t, register.Check(p))
			text := p.String()
			again, err := register.Parse("again", []byte(text))
			require.NoError(t, err, text)
			require.Equal(t, []*register.Program{p}, again)
			require.Equal(t, text, again[0].String())
		}
	})
}

// at is a position.
func at(text string) register.Pos {
	p, err := register.ParsePos(text)
	if err != nil {
		panic(err)
	}
	return p
}

// TestParsePos: what is not a position is refused.
func TestParsePos(t *testing.T) {
	for _, text := range []string{"a.go", "a.go:", "a.go:-1", "a.go:x:y", "a.go:01", ":"} {
		_, err := register.ParsePos(text)
		assert.Error(t, err, text)
	}
	assert.True(t, at("a.go:1:2").Before(at("a.go:1:3")))
	assert.True(t, at("a.go:1:2").Before(at("a.go:2:1")))
	assert.False(t, at("a.go:1:2").Before(at("a.go:1:2")))
	assert.False(t, at("a.go:1:2").Before(at("b.go:2:1")))
}
