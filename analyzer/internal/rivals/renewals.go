package rivals

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What others find in a map they can change in place, under its lock: the entry is the same one, and is not what somebody has
// found who looked at it before.
//
//	s.mu.Lock()
//	if e, ok := s.sessions[id]; ok { e.lastUsed = time.Now() }
//	s.mu.Unlock()
//
// For who takes entries away because of what he has found in them, that is to put another one there.

// Renewal is a program in which what the function changes in the entries that it finds, in one hold of the lock of the map, is
// another entry that it puts there, and the fields that are changed, by the site of that; nil if it changes nothing so.
func (f *Function) Renewal() (p *register.Program, fields map[string]string) {
	for b, blk := range f.Prog.Blocks {
		for i := len(blk.Instrs) - 1; i >= 0; i-- {
			look := f.renewed(register.Ref{Block: b, Instr: i})
			if look == nil {
				continue
			}
			if p == nil {
				p, fields = f.Prog.Clone(), map[string]string{}
			}
			read := f.Prog.Blocks[look.Ops[0].Block].Instrs[look.Ops[0].Instr]
			site := renew(p, register.Ref{Block: b, Instr: i}, look.Cell, read.Held)
			fields[site] = blk.Instrs[i].Memory().Name
		}
	}
	return p, fields
}

// renewed is the look that has found the entry of which an instruction changes a field, before the lock of the map is let go; nil
// if it does something else.
func (f *Function) renewed(at register.Ref) *register.Access {
	in := &f.Prog.Blocks[at.Block].Instrs[at.Instr]
	if m := in.Memory(); in.Op != register.Effect || !m.IsField() || !m.Writes || len(in.Args) == 0 || in.Args[0].Local == register.None {
		return nil
	}
	for _, a := range f.Find.Accesses {
		cell := f.Prog.Cells[a.Cell]
		found := slices.Contains(a.Outcome, f.N.Source(in.Args[0]).Local)
		if found && !a.Writes && cell.Kind == register.Map && cell.Guarded && f.UnderOne(a, &register.Access{Ops: []register.Ref{at}}) {
			return a
		}
	}
	return nil
}

// renew has a program put another entry into a cell where it changes the one that is there, in the sections that are held, and returns the site
// of that entry.
func renew(p *register.Program, at register.Ref, cell int, held []int) (site string) {
	blk := p.Blocks[at.Block]
	in := blk.Instrs[at.Instr]
	name := in.Memory().Name
	changed := p.NewLocal("changed")
	p.Declare(changed, p.TypeOf(in.Args[0].Local))
	site = strings.TrimSuffix(strings.TrimSuffix(name, register.LastPart(name)), ".") + "#renewed" + strconv.Itoa(len(p.Names))
	blk.Instrs = slices.Replace(blk.Instrs, at.Instr, at.Instr+1,
		register.Instr{Op: register.Fresh, Dst: []register.Local{changed}, Name: site, Args: in.Args, Pos: in.Pos},
		register.Instr{Op: register.Write, Dst: []register.Local{register.None, register.None}, Cell: cell, Args: []register.Operand{register.L(changed)}, Held: slices.Clone(held), Pos: in.Pos})
	return site
}
