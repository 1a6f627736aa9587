package register_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// sound is a small well-formed program for the tests below to break: locals
// a, b, c; b0 reads c0 into b and c, and goes to b1, which returns.
func sound() *register.Program {
	return &register.Program{
		Name:   "f",
		Params: []register.Local{0},
		Names:  []string{"a", "b", "c"},
		Cells:  []register.Cell{{Kind: register.Map, Map: register.L(0), Key: register.L(0), Zero: "nil"}},
		Blocks: []*register.Block{
			{
				Instrs: []register.Instr{{Op: register.Read, Dst: []register.Local{1, 2}}},
				Term:   register.Term{Kind: register.Jump, To: []int{1}},
			},
			{Term: register.Term{Kind: register.Return}},
		},
	}
}

func TestCheckAcceptsSound(t *testing.T) { require.NoError(t, register.Check(sound())) }

func TestCheckOfTheWholeProgram(t *testing.T) {
	tests := []struct {
		want  string
		spoil func(p *register.Program)
	}{
		{"there is no entry block", func(p *register.Program) { p.Blocks = nil }},
		{"b1 is missing", func(p *register.Program) { p.Blocks[1] = nil }},
		{"two locals have the name a", func(p *register.Program) { p.Names[2] = "a" }},
		{`"x.y" is no name for a local`, func(p *register.Program) { p.Names[2] = "x.y" }},
		{`"nil" is no name for a local`, func(p *register.Program) { p.Names[2] = "nil" }},
		{`"" is no name for a local`, func(p *register.Program) { p.Names[2] = "" }},
		{"local 3 does not exist", func(p *register.Program) { p.Params = append(p.Params, 3) }},
		{"a is assigned twice", func(p *register.Program) { p.Params = append(p.Params, 0) }},
		{"a parameter has no local", func(p *register.Program) { p.Params = append(p.Params, register.None) }},
		{"c0 has no kind", func(p *register.Program) { p.Cells[0].Kind = 3 }},
		{"c0 has no zero value", func(p *register.Program) { p.Cells[0].Zero = "" }},
		{"c0 has no zero value", func(p *register.Program) { p.Cells[0].Zero = register.LitAbsent }},
		{"map and key of c0: a value is missing", func(p *register.Program) { p.Cells[0].Map = register.NoOperand }},
		{"map and key of c0: a value is missing", func(p *register.Program) { p.Cells[0].Key = register.NoOperand }},
		{"map and key of c0: local -2 does not exist", func(p *register.Program) { p.Cells[0].Key = register.L(-2) }},
	}
	for _, tt := range tests {
		p := sound()
		tt.spoil(p)
		assert.EqualError(t, register.Check(p), "f: "+tt.want)
	}
}

func TestCheckLetsAtomicsHaveNoKey(t *testing.T) {
	for _, kind := range []register.CellKind{register.Atomic, register.Latch} {
		p := sound()
		p.Cells[0].Kind, p.Cells[0].Key = kind, register.NoOperand
		assert.NoError(t, register.Check(p))
	}
}

func TestCheckOfInstructions(t *testing.T) {
	a, b := register.L(0), register.L(1)
	args := func(ops ...register.Operand) []register.Operand { return ops }
	locals := func(ls ...register.Local) []register.Local { return ls }
	tests := []struct {
		in   register.Instr
		want string
	}{
		{register.Instr{Op: 99}, "there is no such instruction"},
		{register.Instr{Op: register.Copy, Dst: locals(1)}, "0 arguments, want 1"},
		{register.Instr{Op: register.Copy, Args: args(a)}, "0 results, want 1"},
		{register.Instr{Op: register.Copy, Dst: locals(1), Args: args(register.NoOperand)}, "a value is missing"},
		{register.Instr{Op: register.Copy, Dst: locals(1), Args: args(register.Absent)}, "absent is not a value"},
		{register.Instr{Op: register.Copy, Dst: locals(1), Args: args(register.Operand{Lit: "1"})}, "1 is a local and a literal at once"},
		{register.Instr{Op: register.Copy, Dst: locals(1), Args: args(register.L(3))}, "local 3 does not exist"},
		{register.Instr{Op: register.Copy, Dst: locals(-2), Args: args(a)}, "local -2 does not exist"},
		{register.Instr{Op: register.Pure, Dst: locals(1)}, "the name is missing"},
		{register.Instr{Op: register.Pure, Name: "f"}, "a pure function without a result does nothing"},
		{register.Instr{Op: register.Pure, Name: "eq", Dst: locals(1), Args: args(a)}, "1 arguments, want 2"},
		{register.Instr{Op: register.Pure, Name: "not", Dst: locals(1), Args: args(a, a)}, "2 arguments, want 1"},
		{register.Instr{Op: register.Pure, Name: "choose", Dst: locals(1), Args: args(a, a)}, "2 arguments, want 3"},
		{register.Instr{Op: register.Pure, Name: "add", Dst: locals(1, 2), Args: args(a, a)}, "2 results, want 1"},
		{register.Instr{Op: register.Fresh, Name: "T#1", Dst: locals(1, 2)}, "2 results, want 1"},
		{register.Instr{Op: register.Read, Dst: locals(1)}, "1 results, want 2"},
		{register.Instr{Op: register.Read, Dst: locals(1, 1)}, "b is assigned twice"},
		{register.Instr{Op: register.Read, Dst: locals(1, 2), Cell: 1}, "cell 1 does not exist"},
		{register.Instr{Op: register.Read, Dst: locals(1, 2), Cell: -1}, "cell -1 does not exist"},
		{register.Instr{Op: register.Write, Dst: locals(1, 2)}, "0 arguments, want 1"},
		{register.Instr{Op: register.CAS, Dst: locals(1, 2), Args: args(a)}, "1 arguments, want 2"},
		{register.Instr{Op: register.CAS, Dst: locals(1, 2), Args: args(register.Absent, register.NoOperand)}, "a value is missing"},
		{register.Instr{Op: register.Effect, Name: "f", Dst: locals(1)}, "1 results, want 0"},
		{register.Instr{Op: register.Effect, Name: "f", Args: args(register.Absent)}, "absent is not a value"},
		{register.Instr{Op: register.Enter, Args: args(a)}, "1 arguments, want 0"},
		{register.Instr{Op: register.Lock, Name: "x", Args: args(a)}, `a lock is taken for r or w, not for "x"`},
		{register.Instr{Op: register.Unlock, Name: "r"}, "0 arguments, want 1"},
		{register.Instr{Op: register.Unknown}, "the name is missing"},
		{register.Instr{Op: register.Call}, "the name is missing"},
		{register.Instr{Op: register.Blocking}, "the name is missing"},
		{register.Instr{Op: register.Copy, Dst: locals(2), Args: args(b)}, "b may not have been assigned"},
		{register.Instr{Op: register.Leave}, "leave without enter"},
		{register.Instr{Op: register.Write, Dst: locals(1, 2), Args: args(register.Absent)}, ""},
		{register.Instr{Op: register.CAS, Dst: locals(register.None, register.None), Args: args(register.Absent, register.Absent)}, ""},
		{register.Instr{Op: register.Unknown, Name: "s"}, ""},
		{register.Instr{Op: register.Blocking, Name: "recv#1", Dst: locals(1, 2), Args: args(a)}, ""},
	}
	for _, tt := range tests {
		p := sound()
		p.Blocks[0].Instrs = []register.Instr{tt.in}
		err := register.Check(p)
		if tt.want == "" {
			assert.NoError(t, err)
			continue
		}
		var ill *register.IllFormed
		require.ErrorAs(t, err, &ill, "%v", tt.in)
		assert.Equal(t, tt.want, ill.Reason)
		assert.Equal(t, []int{0, 0}, []int{ill.Block, ill.Instr})
	}
}

func TestCheckOfTerminators(t *testing.T) {
	tests := []struct {
		term register.Term
		want string
	}{
		{register.Term{Kind: 99}, "there is no such terminator"},
		{register.Term{Kind: register.Jump}, "0 successors, want 1"},
		{register.Term{Kind: register.Jump, To: []int{2}}, "block 2 does not exist"},
		{register.Term{Kind: register.Jump, To: []int{-1}}, "block -1 does not exist"},
		{register.Term{Kind: register.Jump, To: []int{0}}, "the entry block is jumped to"},
		{register.Term{Kind: register.Branch, Cond: register.L(0), To: []int{1}}, "1 successors, want 2"},
		{register.Term{Kind: register.Branch, Cond: register.NoOperand, To: []int{1, 1}}, "a value is missing"},
		{register.Term{Kind: register.Branch, Cond: register.L(1), To: []int{1, 1}}, "b may not have been assigned"},
		{register.Term{Kind: register.Return, To: []int{1}}, "1 successors, want 0"},
		{register.Term{Kind: register.Return, Vals: []register.Operand{register.Absent}}, "absent is not a value"},
		{register.Term{Kind: register.Panic, Vals: []register.Operand{register.L(9)}}, "local 9 does not exist"},
	}
	for _, tt := range tests {
		p := sound()
		p.Blocks[0] = &register.Block{Term: tt.term}
		var ill *register.IllFormed
		require.ErrorAs(t, register.Check(p), &ill)
		assert.Equal(t, tt.want, ill.Reason)
		assert.Equal(t, []int{0, 0}, []int{ill.Block, ill.Instr})
	}
}

func TestCheckNamesThePlace(t *testing.T) {
	p := sound()
	p.Name = "(*T).Get"
	p.Blocks[1].Instrs = []register.Instr{
		{Op: register.Enter},
		{Op: register.Copy, Dst: []register.Local{0}, Args: []register.Operand{register.L(7)}},
	}
	assert.EqualError(t, register.Check(p), "(*T).Get: b1, instruction 1 (a = <?>): local 7 does not exist")
}

// Balance is about paths: a diamond b0 -> b1, b2 -> b3 with parts of it in
// the four blocks.
func TestCheckBalance(t *testing.T) {
	const enter, leave = "enter\n", "leave\n"
	tests := []struct {
		name           string
		b0, b1, b2, b3 string
		want           string
	}{
		{name: "none"},
		{name: "around all", b0: enter, b3: leave},
		{name: "nested", b0: enter, b1: enter + leave, b2: enter + leave, b3: leave},
		{name: "left in both arms", b0: enter, b1: leave, b2: leave},
		{name: "entered in one arm", b1: enter, b3: leave, want: "at different depths"},
		{name: "left in one arm", b0: enter, b2: leave, want: "at different depths"},
		{name: "never left", b3: enter, want: "return without leave"},
		{name: "left twice", b0: enter, b1: leave, b2: leave, b3: leave, want: "leave without enter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := "func f(a)\nb0:\n" + tt.b0 + "branch a, b1, b2\nb1:\n" + tt.b1 +
				"jump b3\nb2:\n" + tt.b2 + "jump b3\nb3:\n" + tt.b3 + "return"
			_, err := register.Parse("t.reg", []byte(src))
			if tt.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, tt.want)
			}
		})
	}
}

func TestCheckBalanceInLoopsAndPanics(t *testing.T) {
	_, err := register.Parse("t.reg", []byte("func f()\nb0:\njump b1\nb1:\nenter\njump b1"))
	assert.ErrorContains(t, err, "b1 is entered at different depths")
	_, err = register.Parse("t.reg", []byte("func f()\nb0:\nenter\npanic x ()"))
	assert.NoError(t, err, "a panic may be inside")
}

// Nothing is known of a block that cannot be reached, so nothing is asked of
// its paths; its instructions still have to be ones.
func TestCheckOfUnreachableBlocks(t *testing.T) {
	p := sound()
	p.Blocks = append(p.Blocks, &register.Block{
		Instrs: []register.Instr{{Op: register.Leave}, {Op: register.Effect, Name: "f", Args: []register.Operand{register.L(1)}}},
		Term:   register.Term{Kind: register.Return},
	})
	assert.NoError(t, register.Check(p))
	p.Blocks[2].Instrs[1].Args[0] = register.NoOperand
	assert.ErrorContains(t, register.Check(p), "a value is missing")
}

// unassigned walks from the entry, without any assignment to l, in search of
// a read of it.
func unassigned(p *register.Program, l register.Local) bool {
	return !slices.Contains(p.Params, l) && readFrom(p, l, livePlace{}, map[livePlace]bool{})
}

func TestCheckOfAssignmentAgreesWithPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawDataflow(t)
		bad := false
		for l := range p.Names {
			bad = bad || unassigned(p, register.Local(l))
		}
		err := register.Check(p)
		if !bad {
			require.NoError(t, err)
			return
		}
		require.ErrorContains(t, err, "may not have been assigned")
	})
}

func TestNewLocalNamesAreUniqueIdentifiers(t *testing.T) {
	p := sound()
	for _, hint := range []string{"a", "a", "", "_", "nil", "x.y", "1", "a_2", "é", "ok"} {
		p.NewLocal(hint)
	}
	assert.Equal(t, []string{"a", "b", "c", "a_2", "a_3", "t", "t_2", "nil_", "x_y", "t_3", "a_2_2", "é", "ok"}, p.Names)
	assert.NoError(t, register.Check(p))
}

func TestCheckOfTypes(t *testing.T) {
	pure := func(name string, at register.Type, args ...register.Operand) func(p *register.Program) {
		return func(p *register.Program) {
			in := register.Instr{Op: register.Pure, Name: name, Type: at, Dst: []register.Local{1}, Args: args}
			p.Blocks[0].Instrs = append(p.Blocks[0].Instrs, in)
		}
	}
	byteType, floatType := register.Type{Kind: register.Uint8}, register.Type{Kind: register.Float64}
	a := register.L(0)
	wrong := []struct {
		want  string
		spoil func(p *register.Program)
	}{
		{`f: b0, instruction 1 (b = pure add uint8(a, -1)): -1 is no value of type uint8`, pure("add", byteType, a, register.Lit("-1"))},
		{`f: b0, instruction 1 (b = pure rem float64(a, 2)): rem does not work at a type of kind "float64"`, pure("rem", floatType, a, register.Lit("2"))},
		{`f: b0, instruction 1 (b = pure is(a)): is does not work at a type of kind ""`, pure("is", register.Type{}, a)},
		{`f: b0, instruction 1 (b = pure g uint8(a)): it works at no type`, pure("g", byteType, a)},
		{`f: b0, instruction 1 (b = pure add float64(a, a)): a is of kind uint8, not float64`, func(p *register.Program) {
			p.Declare(0, byteType)
			pure("add", floatType, a, a)(p)
		}},
		{`f: the zero value of c0: 256 is no value of type uint8`, func(p *register.Program) {
			p.Cells[0].Type, p.Cells[0].Zero = byteType, "256"
		}},
	}
	for _, tt := range wrong {
		p := sound()
		tt.spoil(p)
		assert.EqualError(t, register.Check(p), tt.want)
	}
	for _, right := range []func(p *register.Program){
		pure("add", byteType, a, register.Lit("255")),
		pure("shl", byteType, a, register.Lit("300")),
		pure("convert", byteType, register.Lit("-1")),
		pure("is", byteType, a),
		pure("add", register.Type{}, a, register.Lit("1")),
	} {
		p := sound()
		right(p)
		assert.NoError(t, register.Check(p))
	}
}
