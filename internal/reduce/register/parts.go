package register

import (
	"maps"
	"slices"
	"strings"
)

// foldParts makes copies of what a part of a value is known to be: a field of a
// struct that the program itself put together, or of an object that it made and
// shows to nobody. The receiver of a typed wrapper is often one of these, and
// so are keys. It reports whether it changed anything.
//
// An object that any call has seen may hold something else by then. (That is no
// more than what Lower says of memory, but there the fields of two objects are
// at worst unknown; here all objects with an empty name would be one.)
func foldParts(p *Program) bool {
	defs := DefCounts(p)
	n, private := Number(p), privateObjects(p, defs)
	changed := false
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != Pure || len(in.Args) != 1 || len(in.Dst) != 1 {
				continue
			}
			part, ok := partOfValue(p, n, private, in)
			if ok && (part.IsLit() || defs[part.Local] == 1) {
				in.Op, in.Name, in.Args = Copy, "", []Operand{part}
				changed = true
			}
		}
	}
	return changed
}

// partOfValue is the field that in is of its argument, if that is known.
func partOfValue(p *Program, n *Numbering, private map[Local]*Instr, in *Instr) (Operand, bool) {
	name, isField := strings.CutPrefix(in.Name, "field:")
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

// Parts are the places of fields that nobody changes once their object is made, by the
// function that loads them. See Instr.Part.
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

// Of calls f with what each of them gives for an object that was made at a site: what it
// was made with, if that is what is known of it.
func (ps Parts) Of(site string, contents []Value, f func(function string, content Value)) {
	for _, name := range slices.Sorted(maps.Keys(ps)) {
		if place, ok := ps.Place(name, site, len(contents)); ok {
			f(name, contents[place])
		}
	}
}

// Length is the function that gives the length of a slice, which it is made with.
const Length = "len"

// Place is that of what a function loads, among so many contents of an object of a site.
func (ps Parts) Place(function, site string, contents int) (place int, ok bool) {
	place, ok = ps[function]
	return place, ok && place < contents && !strings.Contains(site, MadeSite) && (function != Length || strings.HasPrefix(site, "[]"))
}
