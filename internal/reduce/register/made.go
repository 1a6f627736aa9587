package register

import (
	"slices"
	"strings"
)

// The key of an entry can be a part of the object that is put there:
//
//	u := &User{Email: email}
//	if _, taken := s.users[email]; taken { … }
//	s.users[u.Email] = u
//
// As long as nobody else has seen the object, the part is what the program has made it with; and
// ever after, if it is a part that its package leaves alone.

// ownObject is an object that the program makes.
type ownObject struct {
	made *Instr
	// seen is where others come to see it.
	seen []Ref
	// known are the loads of its parts that are left alone, or of which some comes before all
	// others have seen it: as for all pure functions, the later ones give the same.
	known map[string]bool
}

// ownObjects are the objects that a program makes, by their only local.
func ownObjects(p *Program, n *Numbering) map[Local]*ownObject {
	objects, defs := map[Local]*ownObject{}, DefCounts(p)
	eachInstr(p, func(_ Ref, in *Instr) {
		if in.Op == Fresh && in.Dst[0] != None && defs[in.Dst[0]] == 1 && !strings.Contains(in.Name, MadeSite) {
			objects[in.Dst[0]] = &ownObject{made: in, known: map[string]bool{}}
		}
	})
	if len(objects) == 0 {
		return nil
	}
	eachInstr(p, func(at Ref, in *Instr) {
		if isPartOf(p, in) || in.Op == Pure && in.Name == "eq" || in.Op == Copy {
			return
		}
		in.Uses(func(l Local) {
			if o := objects[n.Source(L(l)).Local]; o != nil {
				o.seen = append(o.seen, at)
			}
		})
	})
	eachInstr(p, func(at Ref, in *Instr) {
		if !isPartOf(p, in) {
			return
		}
		if o := objects[n.Source(in.Args[0]).Local]; o != nil && (in.AtBirth || !o.seenBefore(p, at)) {
			o.known[in.Name] = true
		}
	})
	return objects
}

// isPartOf reports whether an instruction loads a part of an object that the program does not
// store to.
func isPartOf(p *Program, in *Instr) bool {
	_, isLoad := p.FieldPlaces[in.Name]
	return in.Op == Pure && isLoad && len(in.Args) == 1 && !p.Stored[in.Name]
}

func eachInstr(p *Program, f func(at Ref, in *Instr)) {
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			f(Ref{Block: b, Instr: i}, &blk.Instrs[i])
		}
	}
}

// seenBefore reports whether others may have seen it when the program comes to a place.
func (o *ownObject) seenBefore(p *Program, at Ref) bool {
	return slices.ContainsFunc(o.seen, func(s Ref) bool {
		return s.Block == at.Block && s.Instr < at.Instr || follows(p, s.Block, at.Block)
	})
}

// follows reports whether one block can come after another one, by at least one edge.
func follows(p *Program, from, to int) bool {
	seen := make([]bool, len(p.Blocks))
	work := slices.Clone(p.Blocks[from].Term.To)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if !seen[b] {
			seen[b] = true
			work = append(work, p.Blocks[b].Term.To...)
		}
	}
	return false
}

// keyTerm is the term of a key: that of what an object was made with, if the key is this part
// of it.
func keyTerm(p *Program, n *Numbering, objects map[Local]*ownObject, key Operand) string {
	if def, _ := n.Def(key); def != nil && isPartOf(p, def) {
		o, place := objects[n.Source(def.Args[0]).Local], p.FieldPlaces[def.Name]
		if o != nil && o.known[def.Name] && place < len(o.made.Args) {
			return n.Term(o.made.Args[place])
		}
	}
	return n.Term(key)
}
