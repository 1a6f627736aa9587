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
		if onlyAsks(p, in) {
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

// onlyAsks reports whether an instruction shows an object that it uses to nobody else.
func onlyAsks(p *Program, in *Instr) bool {
	return isPartOf(p, in) || in.Op == Pure && in.Name == "eq" || in.Op == Copy
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
// of it, and that of an interface which it was taken out of, since it is put into one to look for it.
func keyTerm(p *Program, n *Numbering, objects map[Local]*ownObject, key Operand) string {
	key = n.unboxedFrom(key)
	if def, _ := n.Def(key); def != nil && isPartOf(p, def) {
		o, place := objects[n.Source(def.Args[0]).Local], p.FieldPlaces[def.Name]
		if o != nil && o.known[def.Name] && place < len(o.made.Args) {
			return n.Term(o.made.Args[place])
		}
	}
	return n.Term(key)
}

// unboxedFrom is the interface that a value is what it holds of, if there is one; else the value itself.
//
//	s.peers.Range(func(k, _ any) bool { s.peers.Delete(k.(PeerID)) })
func (n *Numbering) unboxedFrom(op Operand) Operand {
	def, _ := n.Def(op)
	switch {
	case def == nil:
	case def.Name == "unbox":
		return n.Source(def.Args[0])
	case def.Name == "choose" && def.Args[1] == Lit(LitNil):
		isNil, _ := n.Def(def.Args[0])
		from := n.Source(def.Args[2])
		if isNil != nil && isNil.Name == "eq" && n.Source(isNil.Args[0]) == from && IsBoxedNil(Value(isNil.Args[1].Lit)) {
			return from
		}
	}
	return op
}

// StoreOnceSeen has a program that tries to put an object of its own somewhere store the parts of it that it made ready for
// that only once it has succeeded: as long as nobody else knows of the object, what was stored there is gone with the next
// attempt, as if it had never been.
//
//	n := &node{v: v}
//	for {
//		n.next = s.top.Load() // here, to begin with
//		if s.top.CompareAndSwap(n.next, n) {
//			return // others know of it, and have seen one next
//		}
//	}
func StoreOnceSeen(p *Program) {
	for _, blk := range slices.Clone(p.Blocks) {
		at := len(blk.Instrs) - 1
		if at < 0 || blk.Term.Kind != Branch || blk.Instrs[at].Op != CAS {
			continue
		}
		tries := blk.Instrs[at]
		if x := tries.Args[len(tries.Args)-1]; !x.IsLit() && len(tries.Dst) == 2 && blk.Term.Cond == L(tries.Dst[1]) {
			n := Number(p)
			object := n.Source(x).Local
			if def := p.OnlyDef(object); def != nil && def.Op == Fresh {
				(&unseen{p, n, object}).sink(blk)
			}
		}
	}
}

// unseen is an object of a program that others do not know of yet.
type unseen struct {
	p      *Program
	n      *Numbering
	object Local
}

// sink moves the stores to the object of a block that ends in an attempt to put it somewhere to the way on which that has succeeded.
func (u *unseen) sink(blk *Block) {
	if u.known(blk) {
		return
	}
	var moved []Instr
	blk.Instrs = slices.DeleteFunc(blk.Instrs, func(in Instr) bool {
		if !u.stores(&in) || !u.forgotten(blk.Term.To[1], in.Memory().Name) {
			return false
		}
		moved = append(moved, in)
		return true
	})
	if len(moved) == 0 {
		return
	}
	u.p.Blocks = append(u.p.Blocks, &Block{Instrs: moved, Term: Term{Kind: Jump, To: []int{blk.Term.To[0]}, Pos: blk.Term.Pos}})
	blk.Term.To[0] = len(u.p.Blocks) - 1
}

// is reports whether an operand is the object.
func (u *unseen) is(op Operand) bool { return !op.IsLit() && u.n.Source(op).Local == u.object }

// stores reports whether an instruction does no more to the object than to store a part of it.
func (u *unseen) stores(in *Instr) bool {
	m := in.Memory()
	return in.Op == Effect && m.IsField() && m.Writes && len(in.Args) > 1 && u.is(in.Args[0]) && !slices.ContainsFunc(in.Args[1:], u.is)
}

// shows reports whether others may know of the object after an instruction, or the program asks what is in it.
func (u *unseen) shows(in *Instr) bool {
	shows := false
	if !u.stores(in) && !onlyAsks(u.p, in) {
		in.Uses(func(l Local) { shows = shows || u.is(L(l)) })
	}
	return shows
}

// known reports whether others may know of the object when a block comes to its end, other than by a failed attempt to
// put it there: also from an attempt that has succeeded, if the block comes again after that.
func (u *unseen) known(attempt *Block) bool {
	at, won := slices.Index(u.p.Blocks, attempt), attempt.Term.To[0]
	known := won == at || follows(u.p, won, at)
	eachInstr(u.p, func(here Ref, in *Instr) {
		tries := here.Block == at && here.Instr == len(attempt.Instrs)-1
		known = known || !tries && u.shows(in) && (here.Block == at || follows(u.p, here.Block, at))
	})
	return known
}

// forgotten reports whether whatever is in a part of the object when a block begins is gone before anybody comes to know
// of it.
func (u *unseen) forgotten(from int, field string) bool {
	seen := map[int]bool{}
	for work := []int{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		blk, stored := u.p.Blocks[b], false
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if stored = u.stores(in) && in.Memory().Name == field || in.Op == Fresh && in.Dst[0] == u.object; stored {
				break
			}
			if u.shows(in) {
				return false
			}
		}
		if stored {
			continue
		}
		shown := false
		blk.Term.Uses(func(l Local) { shown = shown || u.is(L(l)) })
		if shown {
			return false
		}
		work = append(work, blk.Term.To...)
	}
	return true
}
