package evidence

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// drawnKey is why a violation is not shown under a key that nobody else has yet: an object
// that the call has made, or the number that it has drawn from a counter.
//
//	id := c.next.Add(1)
//	c.pending.Store(id, mine)
//	defer c.pending.Delete(id)
//
// Others are told the key, and look for it; they do not come with it by themselves.
func (e *Weigher) drawnKey(f *violation) string {
	if f.x.Several {
		return ""
	}
	key := f.Prog.Cells[f.g.Cells[0]].Key
	if !key.IsNone() && e.drawnAgain(f) {
		return "another key is drawn if this one is taken"
	}
	if key.IsNone() || !drawn(f.Function, key) {
		return ""
	}
	return "nobody else has the key, which was drawn for this call"
}

// A number that is drawn anew if it is taken is one that hardly anybody else draws:
//
//	for {
//		id = newID()
//		if _, taken := m.Load(id); !taken { break }
//	}
//	m.Store(id, mine)
//
// Whoever goes round to get another key does not care which it is; one that came from
// outside would be another task, and the loop would go on after the store.

// drawnAgain reports whether the key of a violation is given by a call that is given nothing
// of its own, and made again if there is an entry, but not after the last access.
func (e *Weigher) drawnAgain(f *violation) bool {
	key := f.N.Source(f.Prog.Cells[f.g.Cells[0]].Key)
	if key.IsNone() || key.IsLit() {
		return false
	}
	drawn, ok := f.definedAt(key.Local)
	if !ok || !e.givesByItself(f.Prog.Blocks[drawn.Block].Instrs[drawn.Instr].Pos) {
		return false
	}
	looks := slices.ContainsFunc(f.g.Accesses, func(a *register.Access) bool {
		return !a.Writes && f.Before(drawn, a.Start) && reaches(f.Prog, a.Start.Block, drawn.Block, -1)
	})
	return looks && !slices.ContainsFunc(f.g.Accesses, func(a *register.Access) bool {
		return a.Writes && reaches(f.Prog, a.Start.Block, drawn.Block, -1)
	})
}

// definedAt is where a local is given its value by a call of which nothing is known.
func (f *violation) definedAt(l register.Local) (register.Ref, bool) {
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == register.Unknown && defines(in, l) {
				return register.Ref{Block: b, Instr: i}, true
			}
		}
	}
	return register.Ref{}, false
}

// givesByItself reports whether there is a call of a function at a place that is given
// constants at most. What callers bring along is asked for something by its name, as in
// r.FormValue("id"), and does not draw that.
func (e *Weigher) givesByItself(pos register.Pos) bool {
	call := e.callAt(pos)
	if call == nil || call.IsInvoke() {
		return false
	}
	args := call.Args
	if isMethodCall(call) {
		if args = args[1:]; len(args) > 0 && isBrought(call.Args[0]) {
			return false
		}
	}
	return !slices.ContainsFunc(args, func(v ssa.Value) bool { _, isConst := v.(*ssa.Const); return !isConst })
}

// drawnEntries is why a violation is not shown that takes somebody who puts an entry
// under a key which he has drawn for it.
func (e *Weigher) drawnEntries(f *violation) string {
	drawn := e.drawsKeys(f)
	if drawn == nil || !e.goneWithout(f, drawn) {
		return ""
	}
	return "entries are put there under keys that were drawn for them"
}

// drawsKeys tells the steps that put entries under such keys; nil if there are none.
func (e *Weigher) drawsKeys(f *violation) keeper {
	if f.x.Environment != absint.Package || f.x.Region.Cells[0].Kind != register.Map {
		return nil
	}
	drawn := func(s *rivals.Step) bool { return e.putsUnder(s, originDrawn) }
	if f.x.Several || !slices.ContainsFunc(f.x.Rivals, drawn) {
		return nil
	}
	return drawn
}

// origins are those of the package.
func (e *Weigher) origins() *origins {
	if e.from == nil {
		e.from = newOrigins(e.ps)
	}
	return e.from
}

// putsUnder reports whether a step puts entries into a map, all under keys that are from
// there, and nowhere else.
func (e *Weigher) putsUnder(s *rivals.Step, where origin) bool {
	puts := false
	for _, a := range s.Accesses {
		if s.From == nil || !putsEntry(s.From.Prog, a) {
			continue
		}
		key := s.From.Prog.Cells[a.Cell].Key
		if mixed(e.origins().ofOperand(s.From, key, maxOrigin)|e.ofKeys(s, a)) != where {
			return false
		}
		puts = true
	}
	return puts
}

// putsMade reports whether a step puts only objects there that it has made, under a key that callers give it, who
// may be in other packages; what those who are in sight give is not followed.
//
//	func (s *Store) Login(device string) *Session { // which is called by a handler, with what the request says
//		sess := &Session{token: newToken()}
//		s.byDevice.Store(device, sess)
//		return sess
//	}
func (e *Weigher) putsMade(s *rivals.Step) bool {
	if s.From == nil || s.From.Fn.Parent() != nil || !e.ps.Exported(s.From.Fn) || !e.putsUnder(s, 0) {
		return false
	}
	p := s.From.Prog
	return !slices.ContainsFunc(s.Accesses, func(a *register.Access) bool {
		if !putsEntry(p, a) {
			return false
		}
		_, given := s.From.Parameter(s.From.N.Source(p.Cells[a.Cell].Key).Local).(*ssa.Parameter)
		return !given || slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
			val, ok := judge.StoredOperand(&p.Blocks[op.Block].Instrs[op.Instr])
			return ok && val != register.Absent && !p.IsFresh(s.From.N.Source(val).Local)
		})
	})
}

// ofKeys is where the keys are from that the calls of an access, and updates of built-in maps, are given, as the source
// has them: what the program has of a key that is made of many bytes is not followed.
func (e *Weigher) ofKeys(s *rivals.Step, a *register.Access) origin {
	var out origin
	for _, pos := range s.From.Positions([]*register.Access{a}) {
		if key := e.keyAt(pos); key != nil {
			out |= e.origins().of(key, maxOrigin)
			continue
		}
		call := e.callAt(pos)
		if call == nil || call.Signature().Recv() == nil {
			return 0
		}
		args := call.Args
		if !call.IsInvoke() {
			args = args[1:]
		}
		if len(args) == 0 || !canBeKey(args[0], s.From.Prog.Cells[a.Cell].KeyType) {
			return 0
		}
		out |= e.origins().of(args[0], maxOrigin)
	}
	return out
}

// canBeKey reports whether what a call is given first may be a key of a type, as a text for one of another name is, and
// not what has the key in it:
//
//	l.put(player) // l.players[player.Name] = player
func canBeKey(v ssa.Value, keyType string) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	_, isBasic := v.Type().Underlying().(*types.Basic)
	return keyType == "" || isBasic || types.IsInterface(v.Type()) || types.TypeString(v.Type(), nil) == keyType
}
