package summary

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Mark comes between the name of a loop and what tells it from other loops.
const Mark = "~"

// identity tells a loop from all that do or give something else, whatever the program around it: two that do
// not are one function of what they begin with. It is made of the loop's text, with blocks and locals in the
// order in which the loop comes to them.
type identity struct {
	p      *register.Program // with names of its own, which say nothing
	loop   *register.Loop
	named  map[register.Local]bool
	number map[int]int // of blocks
	text   strings.Builder
}

// identityOf is the identity of a loop that begins with ins, gives outs and is left to exits.
func identityOf(p *register.Program, l *register.Loop, ins []register.Operand, outs []register.Local, exits []int) string {
	own := *p
	own.Names = slices.Clone(p.Names)
	id := &identity{p: &own, loop: l, named: map[register.Local]bool{}, number: map[int]int{}}
	for _, o := range ins {
		id.name(o.Local)
	}
	id.block(l.Head)
	for _, x := range outs {
		id.name(x)
		id.text.WriteString(" " + id.p.Names[x])
	}
	for _, b := range slices.Concat(l.Blocks, exits) { // in whose order effects and exits are told
		id.text.WriteString(" b" + strconv.Itoa(id.number[b]))
	}
	h := fnv.New64a()
	h.Write([]byte(id.text.String()))
	return strconv.FormatUint(h.Sum64(), 36)
}

func (id *identity) name(x register.Local) {
	if x != register.None && !id.named[x] {
		id.p.Names[x] = "v" + strconv.Itoa(len(id.named))
		id.named[x] = true
		fmt.Fprint(&id.text, id.p.TypeOf(x).Text(), " ")
	}
}

// block writes a block, and those that the loop comes to from it.
func (id *identity) block(b int) {
	if _, done := id.number[b]; done {
		return
	}
	id.number[b] = len(id.number)
	if !slices.Contains(id.loop.Blocks, b) {
		return
	}
	blk := id.p.Blocks[b]
	for i := range blk.Instrs {
		in := blk.Instrs[i]
		in.Uses(id.name)
		in.Defs(id.name)
		in.Name = in.Site()
		fmt.Fprintln(&id.text, id.p.InstrText(&in))
	}
	blk.Term.Uses(id.name)
	for _, to := range blk.Term.To {
		id.block(to)
	}
	t := blk.Term
	t.To = nil
	for _, to := range blk.Term.To {
		t.To = append(t.To, id.number[to])
	}
	fmt.Fprintln(&id.text, id.number[b], id.p.TermText(&t))
}
