package register

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// foldParts makes copies of what a part of a value is known to be: a field of a
// struct that the program itself put together, or of an object that it made and
// shows to nobody. The receiver of a typed wrapper is often one of these, and
// so are keys. A struct that is put together of all fields of another one is that one.
// It reports whether it changed anything.
//
// An object that any call has seen may hold something else by then. (That is no
// more than what Lower says of memory, but there the fields of two objects are
// at worst unknown; here all objects with an empty name would be one.)
func foldParts(p *Program) bool {
	defs := DefCounts(p)
	n, private := Number(p), privateObjects(p, defs)
	var once onces
	changed := false
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != Pure || len(in.Dst) != 1 {
				continue
			}
			part, ok := NoOperand, false
			if strings.HasPrefix(in.Name, StructOf) && len(in.Args) > 0 {
				if once == nil {
					once = newOnces(p, defs)
				}
				part, ok = wholeOfParts(p, once, in)
			} else if len(in.Args) == 1 {
				part, ok = partOfValue(p, n, private, in)
			}
			if ok && (part.IsLit() || defs[part.Local] == 1) {
				in.Op, in.Name, in.Args = Copy, "", []Operand{part}
				changed = true
			}
		}
	}
	return changed
}

// onces are the instructions that assign the locals which are assigned in one place, nil for parameters.
type onces map[Local]*Instr

func newOnces(p *Program, defs []int) onces {
	all := onces{}
	for _, l := range p.Params {
		if defs[l] == 1 {
			all[l] = nil
		}
	}
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Defs(func(l Local) {
				if defs[l] == 1 {
					all[l] = &b.Instrs[i]
				}
			})
		}
	}
	return all
}

// source is what an operand is a copy of, and the instruction that assigns that; none if one of them is assigned in several
// places.
func (all onces) source(o Operand) (Operand, *Instr) {
	for range len(all) {
		def, once := all[o.Local]
		switch {
		case o.IsLit() || o.Local == None || !once:
			return NoOperand, nil
		case def == nil || def.Op != Copy:
			return o, def
		}
		o = def.Args[0]
	}
	return NoOperand, nil
}

// isFieldOf reports whether a function takes a field out of the structs that another one puts together.
func isFieldOf(function, made string) bool {
	of, isStruct := strings.CutPrefix(made, StructOf)
	return isStruct && function == FieldOf+of+"."+LastPart(function)
}

// wholeOfParts is the struct of which in puts all fields together again, if that is what it does. Each field was
// taken out on every way there, and once.
func wholeOfParts(p *Program, all onces, in *Instr) (whole Operand, ok bool) {
	for i, arg := range in.Args {
		_, def := all.source(arg)
		if def == nil || def.Op != Pure || len(def.Args) != 1 {
			return NoOperand, false
		}
		place, known := p.FieldPlaces[strings.TrimPrefix(def.Name, FieldOf)]
		if !isFieldOf(def.Name, in.Name) || !known || place != i {
			return NoOperand, false
		}
		if from, _ := all.source(def.Args[0]); i == 0 {
			whole = from
		} else if from != whole {
			return NoOperand, false
		}
	}
	return whole, whole.Local != None
}

// partOfValue is the field that in is of its argument, if that is known.
func partOfValue(p *Program, n *Numbering, private map[Local]*Instr, in *Instr) (Operand, bool) {
	name, isField := strings.CutPrefix(in.Name, FieldOf)
	field, ok := p.FieldPlaces[name]
	if !ok {
		return NoOperand, false
	}
	var parts []Operand
	if def, _ := n.Def(in.Args[0]); isField && def != nil && strings.HasPrefix(def.Name, StructOf) {
		parts = def.Args
	}
	if src := n.Source(in.Args[0]); !isField && !p.Stored[name] && src.Local != None && private[src.Local] != nil {
		parts = private[src.Local].Args
	}
	if field >= len(parts) {
		return NoOperand, false
	}
	return parts[field], true
}

// A function that returns a struct, and whether there is one, gives another struct on each way:
//
//	if j, ok := q.next(); ok { q.mark(j.ID) } // next: …; return job, true, and job{}, false at the end
//
// Which of them it is, is known once it is known which way was gone, and so is what its fields are: they
// are kept in locals of their own, which are assigned where the struct is.

// maxAssigned bounds the places where one struct is assigned.
const maxAssigned = 8

// splitChosen has fields of a struct that is assigned in several places, each time one that was put together, read
// what was put there in a local of its own. It reports whether it changed anything.
func splitChosen(p *Program) bool {
	fields := fieldsRead(p)
	if len(fields) == 0 {
		return false
	}
	n, counts := Number(p), DefCounts(p)
	beside := map[Ref][]Instr{}
	for _, of := range fields {
		parts := chosenParts(p, n, counts, of)
		if len(parts) != counts[of.from] {
			continue
		}
		own := p.NewLocal(p.Names[of.by[0].Dst[0]])
		p.Declare(own, p.TypeOf(of.by[0].Dst[0]))
		for at, part := range parts {
			pos := p.Blocks[at.Block].Instrs[at.Instr].Pos
			beside[at] = append(beside[at], Instr{Op: Copy, Dst: []Local{own}, Args: []Operand{part}, Pos: pos})
		}
		for _, in := range of.by {
			in.Op, in.Name, in.Args = Copy, "", []Operand{L(own)}
		}
	}
	insert(p, beside)
	return len(beside) > 0
}

// insert puts instructions before those at some places.
func insert(p *Program, before map[Ref][]Instr) {
	for b, blk := range p.Blocks {
		for i := len(blk.Instrs) - 1; i >= 0 && len(before) > 0; i-- {
			if own := before[Ref{Block: b, Instr: i}]; own != nil {
				blk.Instrs = slices.Insert(slices.Clone(blk.Instrs), i, own...)
			}
		}
	}
}

// fieldRead is a struct in a local and the place of a field of it, with the instructions that read that.
type fieldRead struct {
	from  Local
	place int
	by    []*Instr
}

// fieldsRead are the fields that are read of structs which are assigned in several places.
func fieldsRead(p *Program) []*fieldRead {
	var all []*fieldRead
	counts := DefCounts(p)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			name, isField := strings.CutPrefix(in.Name, FieldOf)
			place, known := p.FieldPlaces[name]
			if !isField || !known || in.Op != Pure || len(in.Args) != 1 || in.Args[0].Local == None || in.Dst[0] == None {
				continue
			}
			if from := in.Args[0].Local; counts[from] > 1 && counts[from] <= maxAssigned {
				at := slices.IndexFunc(all, func(r *fieldRead) bool { return r.from == from && r.place == place })
				if at < 0 {
					at, all = len(all), append(all, &fieldRead{from: from, place: place})
				}
				all[at].by = append(all[at].by, in)
			}
		}
	}
	return all
}

// chosenParts are what the field is where the struct is assigned, by these places; nil if that is not known of
// one of them, or may be something else by then.
func chosenParts(p *Program, n *Numbering, counts []int, of *fieldRead) map[Ref]Operand {
	parts := map[Ref]Operand{}
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			assigns := false
			in.Defs(func(l Local) { assigns = assigns || l == of.from })
			if !assigns {
				continue
			}
			if in.Op != Copy {
				return nil
			}
			def, _ := n.Def(in.Args[0])
			if def == nil || !strings.HasPrefix(def.Name, StructOf) || of.place >= len(def.Args) {
				return nil
			}
			part := def.Args[of.place]
			if !part.IsLit() && counts[part.Local] != 1 {
				return nil
			}
			parts[Ref{Block: b, Instr: i}] = part
		}
	}
	return parts
}

// privateObjects are the objects, by their only local, of which the program
// only loads fields.
func privateObjects(p *Program, defs []int) map[Local]*Instr {
	objects := map[Local]*Instr{}
	each := func(f func(in *Instr)) {
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				f(&blk.Instrs[i])
			}
		}
	}
	each(func(in *Instr) {
		if in.Op == Fresh && in.Dst[0] != None && defs[in.Dst[0]] == 1 && !strings.Contains(in.Name, MadeSite) {
			objects[in.Dst[0]] = in
		}
	})
	each(func(in *Instr) {
		if _, isLoad := p.FieldPlaces[in.Name]; in.Op == Pure && (isLoad || in.Name == "eq") {
			return
		}
		in.Uses(func(l Local) { delete(objects, l) })
	})
	for _, c := range p.Cells {
		EachLocal([]Operand{c.Map, c.Key}, func(l Local) { delete(objects, l) })
	}
	return objects
}

// madeSite marks the sites of objects that are known by what they were made
// from; the others are known by what they hold.
const MadeSite = "#made"

// ListedSite marks the sites of lists that are known by what is in them, and by nothing else: how long they are they do not hold.
const ListedSite = "#listed"

// IsCopy reports whether an instruction makes a list that has the elements of another one: it is made with the length
// of that, and with it.
func (in *Instr) IsCopy() bool {
	return in.Op == Fresh && strings.HasPrefix(in.Name, "[]") && !strings.Contains(in.Name, MadeSite) && !strings.Contains(in.Name, ListedSite) && len(in.Args) == 2
}

// Parts are the places of fields that nobody changes once their object is made, or that are those of a
// struct, by the function that gives them. See Instr.Part.
type Parts map[string]int

// Add adds those that a program loads.
func (ps Parts) Add(p *Program) {
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.Part > 0 {
				ps[in.Name] = int(in.Part) - 1
			}
		}
	}
}

// Of calls f with what each of them gives for an object that was made at a site, or a struct that a function of
// this name put together: what it was made with, if that is what is known of it.
func (ps Parts) Of(site string, contents []Value, f func(function string, content Value)) {
	if n, ok := Listed(site, len(contents)); ok {
		f(Length, Value(strconv.Itoa(n)))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(ps)) {
		if place, ok := ps.Place(name, site, len(contents)); ok {
			f(name, contents[place])
		}
	}
}

// Length is the function that gives the length of a slice, which it is made with.
const Length = "len"

// Listed is how long a list is that was made with all that is in it; false of any other object.
func Listed(site string, contents int) (n int, ok bool) {
	return contents, contents > 0 && strings.Contains(site, ListedSite)
}

// Place is that of what a function gives, among so many contents of an object of a site or a struct.
func (ps Parts) Place(function, site string, contents int) (place int, ok bool) {
	place, ok = ps[function]
	if ok && strings.HasPrefix(function, FieldOf) {
		return place, place < contents && isFieldOf(function, site)
	}
	return place, ok && place < contents && !strings.Contains(site, MadeSite) && !strings.Contains(site, ListedSite) && (function != Length || strings.HasPrefix(site, "[]"))
}
