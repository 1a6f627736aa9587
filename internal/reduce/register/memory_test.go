package register

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMemory has the names that Lower gives to instructions on memory, and names of
// calls that look like them.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		op   Op
		name string
		want Memory
	}{
		{Pure, "pkg.T.f", Memory{Kind: Field, Name: "pkg.T.f", Value: -1}},
		{Unknown, "pkg.T.f#2", Memory{Kind: Field, Name: "pkg.T.f", Value: -1}},
		{Pure, "&pkg.T.f", Memory{Kind: Field, Name: "pkg.T.f", Address: true, Value: -1}},
		{Pure, "struct.f", Memory{Kind: Part, Name: "struct.f", Value: -1}},
		{Pure, "elem:int", Memory{Kind: Element, Value: -1}},
		{Unknown, "lookup:map[string]int#1", Memory{Kind: Entry, Value: -1}},
		{Unknown, "next#1", Memory{Kind: Visited, Value: -1}},
		{Unknown, "load#3", Memory{Kind: Variable, Value: -1}},
		{Effect, "store pkg.T.f", Memory{Kind: Field, Name: "pkg.T.f", Writes: true, Value: 1}},
		{Effect, "store element", Memory{Kind: Element, Writes: true, Value: 2}},
		{Effect, "store", Memory{Kind: Variable, Writes: true, Value: 1}},
		{Effect, "map assign", Memory{Kind: Entry, Writes: true, Value: 2}},
		{Effect, "map delete", Memory{Kind: Entry, Writes: true, Value: -1}},
		// Calls: of a package called store, of a method, of a function.
		{Effect, "store.Put", Memory{Value: -1}},
		{Effect, "storeAll", Memory{Value: -1}},
		{Unknown, "(*pkg.T).f#1", Memory{Value: -1}},
		{Pure, "strings.Cut", Memory{Value: -1}},
		{Pure, "add", Memory{Value: -1}},
		{Fresh, "pkg.T.f#1", Memory{Value: -1}},
		{Read, "", Memory{Value: -1}},
	} {
		in := &Instr{Op: c.op, Name: c.name}
		assert.Equal(t, c.want, in.Memory(), "%v %s", c.op, c.name)
	}
}

// TestAsCall: a call of a function is about no memory, whatever the function is called, and
// its text says so where the name does not.
func TestAsCall(t *testing.T) {
	for _, c := range []struct {
		in   Instr
		text string
	}{
		{Instr{Op: Unknown, Name: "load#1"}, "unknown call load#1()"},
		{Instr{Op: Unknown, Name: "next#1"}, "unknown call next#1()"},
		{Instr{Op: Effect, Name: "store"}, "effect call store()"},
		{Instr{Op: Pure, Name: "pkg.Interface.Method"}, "pure call pkg.Interface.Method()"},
		{Instr{Op: Pure, Name: "strings.Cut"}, "pure strings.Cut()"},
		{Instr{Op: Unknown, Name: "call"}, "unknown call()"},
	} {
		in := c.in.AsCall()
		assert.Equal(t, Memory{Value: -1}, in.Memory(), c.text)
		if in.Op == Effect {
			assert.Equal(t, Action{Called, in.Name, in.Name}, in.Effect())
		}
		if in.Op != Effect {
			in.Dst = []Local{0}
			c.text = "x = " + c.text
		}
		p := &Program{Name: "f", Names: []string{"x"}, Blocks: []*Block{{Instrs: []Instr{in}, Term: Term{Kind: Return}}}}
		assert.Equal(t, c.text, p.InstrText(&in))
		again, err := Parse("a.reg", []byte(p.String()))
		if assert.NoError(t, err, p.String()) {
			got := again[0].Blocks[0].Instrs[0]
			assert.Equal(t, []any{in.Op, in.Name, in.Called}, []any{got.Op, got.Name, got.Called})
		}
		in.Name = "count"
		assert.False(t, in.AsCall().Called, "by a name that is no memory's")
	}
}
