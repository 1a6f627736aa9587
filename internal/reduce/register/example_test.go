package register_test

import (
	"fmt"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A get-or-create in register form. If it loses the race it returns the
// session that was there, so it is linearizable.
func ExampleParse() {
	progs, err := register.Parse("registry.reg", []byte(`
func "(*Registry).Get"(r, id)
cell c0 map m[id] zero nil label "r.sessions[id]"
b0:
    m = pure &Registry.sessions(r)
    n = fresh Session#1(id)             ; registry.go:16:7
    old, stored = cas c0, absent, n     ; registry.go:17:3
    v = pure choose(stored, n, old)
    return v
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p := progs[0]
	fmt.Println(p.Name, "has", len(p.Cells), "cell:", p.Cells[0].Label)
	for i, in := range p.Blocks[0].Instrs {
		if in.IsBase() {
			fmt.Println(in.Pos, p.InstrText(&p.Blocks[0].Instrs[i]))
		}
	}
	// Output:
	// (*Registry).Get has 1 cell: r.sessions[id]
	// registry.go:17:3 old, stored = cas c0, absent, n
}

// Text that is no well-formed program gives an error that says where.
func ExampleParse_error() {
	_, err := register.Parse("bad.reg", []byte("func f(a)\n\nb0:\n    x = copy a\n    return x\n"))
	fmt.Println(err)
	_, err = register.Parse("bad.reg", []byte("func f(a)\n\nb0:\n    return x\n"))
	fmt.Println(err)
	// Output:
	// bad.reg:4:14: expected the end of the line, found a
	// bad.reg:4:5: f: b0, instruction 0 (return x): x may not have been assigned
}
