package reduce_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/reduce"
)

// sound is a small well-formed program for the tests below to break: locals
// a, b, c; b0 reads c0 into b and c, and goes to b1, which returns.
func sound() *reduce.Program {
	return &reduce.Program{
		Name:   "f",
		Params: []reduce.Local{0},
		Names:  []string{"a", "b", "c"},
		Cells:  []reduce.Cell{{Kind: reduce.Map, Map: reduce.L(0), Key: reduce.L(0), Zero: "nil"}},
		Blocks: []*reduce.Block{
			{
				Instrs: []reduce.Instr{{Op: reduce.Read, Dst: []reduce.Local{1, 2}}},
				Term:   reduce.Term{Kind: reduce.Jump, To: []int{1}},
			},
			{Term: reduce.Term{Kind: reduce.Return}},
		},
	}
}

func TestCheckAcceptsSound(t *testing.T) { require.NoError(t, reduce.Check(sound())) }

func TestCheckOfTheWholeProgram(t *testing.T) {
	tests := []struct {
		want  string
		spoil func(p *reduce.Program)
	}{
		{"there is no entry block", func(p *reduce.Program) { p.Blocks = nil }},
		{"b1 is missing", func(p *reduce.Program) { p.Blocks[1] = nil }},
		{"two locals have the name a", func(p *reduce.Program) { p.Names[2] = "a" }},
		{`"x.y" is no name for a local`, func(p *reduce.Program) { p.Names[2] = "x.y" }},
		{`"nil" is no name for a local`, func(p *reduce.Program) { p.Names[2] = "nil" }},
		{`"" is no name for a local`, func(p *reduce.Program) { p.Names[2] = "" }},
		{"local 3 does not exist", func(p *reduce.Program) { p.Params = append(p.Params, 3) }},
		{"a is assigned twice", func(p *reduce.Program) { p.Params = append(p.Params, 0) }},
		{"a parameter has no local", func(p *reduce.Program) { p.Params = append(p.Params, reduce.None) }},
		{"c0 has no kind", func(p *reduce.Program) { p.Cells[0].Kind = 3 }},
		{"c0 has no zero value", func(p *reduce.Program) { p.Cells[0].Zero = "" }},
		{"c0 has no zero value", func(p *reduce.Program) { p.Cells[0].Zero = reduce.LitAbsent }},
		{"map and key of c0: a value is missing", func(p *reduce.Program) { p.Cells[0].Map = reduce.NoOperand }},
		{"map and key of c0: a value is missing", func(p *reduce.Program) { p.Cells[0].Key = reduce.NoOperand }},
		{"map and key of c0: local -2 does not exist", func(p *reduce.Program) { p.Cells[0].Key = reduce.L(-2) }},
	}
	for _, tt := range tests {
		p := sound()
		tt.spoil(p)
		assert.EqualError(t, reduce.Check(p), "f: "+tt.want)
	}
}

func TestCheckLetsAtomicsHaveNoKey(t *testing.T) {
	for _, kind := range []reduce.CellKind{reduce.Atomic, reduce.Latch} {
		p := sound()
		p.Cells[0].Kind, p.Cells[0].Key = kind, reduce.NoOperand
		assert.NoError(t, reduce.Check(p))
	}
}

func TestCheckOfInstructions(t *testing.T) {
	a, b := reduce.L(0), reduce.L(1)
	args := func(ops ...reduce.Operand) []reduce.Operand { return ops }
	locals := func(ls ...reduce.Local) []reduce.Local { return ls }
	tests := []struct {
		in   reduce.Instr
		want string
	}{
		{reduce.Instr{Op: 99}, "there is no such instruction"},
		{reduce.Instr{Op: reduce.Copy, Dst: locals(1)}, "0 arguments, want 1"},
		{reduce.Instr{Op: reduce.Copy, Args: args(a)}, "0 results, want 1"},
		{reduce.Instr{Op: reduce.Copy, Dst: locals(1), Args: args(reduce.NoOperand)}, "a value is missing"},
		{reduce.Instr{Op: reduce.Copy, Dst: locals(1), Args: args(reduce.Absent)}, "absent is not a value"},
		{reduce.Instr{Op: reduce.Copy, Dst: locals(1), Args: args(reduce.Operand{Lit: "1"})}, "1 is a local and a literal at once"},
		{reduce.Instr{Op: reduce.Copy, Dst: locals(1), Args: args(reduce.L(3))}, "local 3 does not exist"},
		{reduce.Instr{Op: reduce.Copy, Dst: locals(-2), Args: args(a)}, "local -2 does not exist"},
		{reduce.Instr{Op: reduce.Pure, Dst: locals(1)}, "the name is missing"},
		{reduce.Instr{Op: reduce.Pure, Name: "f"}, "a pure function without a result does nothing"},
		{reduce.Instr{Op: reduce.Pure, Name: "eq", Dst: locals(1), Args: args(a)}, "1 arguments, want 2"},
		{reduce.Instr{Op: reduce.Pure, Name: "not", Dst: locals(1), Args: args(a, a)}, "2 arguments, want 1"},
		{reduce.Instr{Op: reduce.Pure, Name: "choose", Dst: locals(1), Args: args(a, a)}, "2 arguments, want 3"},
		{reduce.Instr{Op: reduce.Pure, Name: "add", Dst: locals(1, 2), Args: args(a, a)}, "2 results, want 1"},
		{reduce.Instr{Op: reduce.Fresh, Name: "T#1", Dst: locals(1, 2)}, "2 results, want 1"},
		{reduce.Instr{Op: reduce.Read, Dst: locals(1)}, "1 results, want 2"},
		{reduce.Instr{Op: reduce.Read, Dst: locals(1, 1)}, "b is assigned twice"},
		{reduce.Instr{Op: reduce.Read, Dst: locals(1, 2), Cell: 1}, "cell 1 does not exist"},
		{reduce.Instr{Op: reduce.Read, Dst: locals(1, 2), Cell: -1}, "cell -1 does not exist"},
		{reduce.Instr{Op: reduce.Write, Dst: locals(1, 2)}, "0 arguments, want 1"},
		{reduce.Instr{Op: reduce.CAS, Dst: locals(1, 2), Args: args(a)}, "1 arguments, want 2"},
		{reduce.Instr{Op: reduce.CAS, Dst: locals(1, 2), Args: args(reduce.Absent, reduce.NoOperand)}, "a value is missing"},
		{reduce.Instr{Op: reduce.Effect, Name: "f", Dst: locals(1)}, "1 results, want 0"},
		{reduce.Instr{Op: reduce.Effect, Name: "f", Args: args(reduce.Absent)}, "absent is not a value"},
		{reduce.Instr{Op: reduce.Enter, Args: args(a)}, "1 arguments, want 0"},
		{reduce.Instr{Op: reduce.Lock, Name: "x", Args: args(a)}, `a lock is taken for r or w, not for "x"`},
		{reduce.Instr{Op: reduce.Unlock, Name: "r"}, "0 arguments, want 1"},
		{reduce.Instr{Op: reduce.Unknown}, "the name is missing"},
		{reduce.Instr{Op: reduce.Call}, "the name is missing"},
		{reduce.Instr{Op: reduce.Blocking}, "the name is missing"},
		{reduce.Instr{Op: reduce.Copy, Dst: locals(2), Args: args(b)}, "b may not have been assigned"},
		{reduce.Instr{Op: reduce.Leave}, "leave without enter"},
		{reduce.Instr{Op: reduce.Write, Dst: locals(1, 2), Args: args(reduce.Absent)}, ""},
		{reduce.Instr{Op: reduce.CAS, Dst: locals(reduce.None, reduce.None), Args: args(reduce.Absent, reduce.Absent)}, ""},
		{reduce.Instr{Op: reduce.Unknown, Name: "s"}, ""},
		{reduce.Instr{Op: reduce.Blocking, Name: "recv#1", Dst: locals(1, 2), Args: args(a)}, ""},
	}
	for _, tt := range tests {
		p := sound()
		p.Blocks[0].Instrs = []reduce.Instr{tt.in}
		err := reduce.Check(p)
		if tt.want == "" {
			assert.NoError(t, err)
			continue
		}
		var ill *reduce.IllFormed
		require.ErrorAs(t, err, &ill, "%v", tt.in)
		assert.Equal(t, tt.want, ill.Reason)
		assert.Equal(t, []int{0, 0}, []int{ill.Block, ill.Instr})
	}
}

func TestCheckOfTerminators(t *testing.T) {
	tests := []struct {
		term reduce.Term
		want string
	}{
		{reduce.Term{Kind: 99}, "there is no such terminator"},
		{reduce.Term{Kind: reduce.Jump}, "0 successors, want 1"},
		{reduce.Term{Kind: reduce.Jump, To: []int{2}}, "block 2 does not exist"},
		{reduce.Term{Kind: reduce.Jump, To: []int{-1}}, "block -1 does not exist"},
		{reduce.Term{Kind: reduce.Jump, To: []int{0}}, "the entry block is jumped to"},
		{reduce.Term{Kind: reduce.Branch, Cond: reduce.L(0), To: []int{1}}, "1 successors, want 2"},
		{reduce.Term{Kind: reduce.Branch, Cond: reduce.NoOperand, To: []int{1, 1}}, "a value is missing"},
		{reduce.Term{Kind: reduce.Branch, Cond: reduce.L(1), To: []int{1, 1}}, "b may not have been assigned"},
		{reduce.Term{Kind: reduce.Return, To: []int{1}}, "1 successors, want 0"},
		{reduce.Term{Kind: reduce.Return, Vals: []reduce.Operand{reduce.Absent}}, "absent is not a value"},
		{reduce.Term{Kind: reduce.Panic, Vals: []reduce.Operand{reduce.L(9)}}, "local 9 does not exist"},
	}
	for _, tt := range tests {
		p := sound()
		p.Blocks[0] = &reduce.Block{Term: tt.term}
		var ill *reduce.IllFormed
		require.ErrorAs(t, reduce.Check(p), &ill)
		assert.Equal(t, tt.want, ill.Reason)
		assert.Equal(t, []int{0, 0}, []int{ill.Block, ill.Instr})
	}
}

func TestCheckNamesThePlace(t *testing.T) {
	p := sound()
	p.Name = "(*T).Get"
	p.Blocks[1].Instrs = []reduce.Instr{
		{Op: reduce.Enter},
		{Op: reduce.Copy, Dst: []reduce.Local{0}, Args: []reduce.Operand{reduce.L(7)}},
	}
	assert.EqualError(t, reduce.Check(p), "(*T).Get: b1, instruction 1 (a = <?>): local 7 does not exist")
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
			_, err := reduce.Parse("t.reg", []byte(src))
			if tt.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, tt.want)
			}
		})
	}
}

func TestCheckBalanceInLoopsAndPanics(t *testing.T) {
	_, err := reduce.Parse("t.reg", []byte("func f()\nb0:\njump b1\nb1:\nenter\njump b1"))
	assert.ErrorContains(t, err, "b1 is entered at different depths")
	_, err = reduce.Parse("t.reg", []byte("func f()\nb0:\nenter\npanic x ()"))
	assert.NoError(t, err, "a panic may be inside")
}

// Nothing is known of a block that cannot be reached, so nothing is asked of
// its paths; its instructions still have to be ones.
func TestCheckOfUnreachableBlocks(t *testing.T) {
	p := sound()
	p.Blocks = append(p.Blocks, &reduce.Block{
		Instrs: []reduce.Instr{{Op: reduce.Leave}, {Op: reduce.Effect, Name: "f", Args: []reduce.Operand{reduce.L(1)}}},
		Term:   reduce.Term{Kind: reduce.Return},
	})
	assert.NoError(t, reduce.Check(p))
	p.Blocks[2].Instrs[1].Args[0] = reduce.NoOperand
	assert.ErrorContains(t, reduce.Check(p), "a value is missing")
}

// unassigned walks from the entry, without any assignment to l, in search of
// a read of it.
func unassigned(p *reduce.Program, l reduce.Local) bool {
	return !slices.Contains(p.Params, l) && readFrom(p, l, livePlace{}, map[livePlace]bool{})
}

func TestCheckOfAssignmentAgreesWithPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawDataflow(t)
		bad := false
		for l := range p.Names {
			bad = bad || unassigned(p, reduce.Local(l))
		}
		err := reduce.Check(p)
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
	assert.Equal(t, []string{"a", "b", "c", "a_2", "a_3", "t", "t_2", "nil_", "x_y", "t_3", "a_2_2", "t_4", "ok"}, p.Names)
	assert.NoError(t, reduce.Check(p))
}
