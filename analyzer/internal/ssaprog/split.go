package ssaprog

import (
	"slices"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Calls whose effect on a cell is no single step of a base operation are inlined
// from a program that is made for them.
//
// Some libraries document a call as one step that their code does in two: it
// looks, and where it finds nothing it makes a value and stores that. A caller
// who relies on the documentation has the bug all the same.

// splitCall is a call of such an operation; false if it is none, or cannot be
// described.
func (r *Resolver) splitCall(t target, op *catalog.Op, b *calls.BaseCall, name string) (calls.Info, bool) {
	if op.Split == 0 || t.fn == nil || t.recv == nil || b.Key == nil {
		return calls.Info{}, false
	}
	return r.described(t, splitProgram(op, b, name, 1+len(t.args)), b), true
}

// wholeCall is a call that changes entries all over the map: false if it does
// not, or cannot be described. To any one cell it is a write like others; which
// entries it is about cannot be predicted, but for a Clear, which is about each.
func (r *Resolver) wholeCall(t target, op *catalog.Op, b *calls.BaseCall, name string) (calls.Info, bool) {
	switch op.Whole {
	case catalog.Clear, catalog.Sweep, catalog.Fill:
	default:
		return calls.Info{}, false
	}
	if t.fn == nil || t.recv == nil {
		return calls.Info{}, false
	}
	return r.described(t, wholeProgram(op, b, name, 1+len(t.args)), b), true
}

// described inlines a program in the place of a call.
func (r *Resolver) described(t target, p *register.Program, b *calls.BaseCall) calls.Info {
	key := calls.FuncKey(t.fn) + ", zero " + b.Zero
	if _, ok := r.imports[key]; !ok {
		r.imports[key] = imported{program: p}
		r.names[key] = p.Name
	}
	return calls.Info{Kind: calls.Inline, Name: p.Name, Key: key}
}

// wholeProgram writes one entry: absent, or what a Fill brings.
func wholeProgram(op *catalog.Op, b *calls.BaseCall, name string, n int) *register.Program {
	s := newSplitBuilder(op, b, name, n)
	key := s.unknown("key", "some key#1")
	s.p.Cells[0].Key = key
	val := register.Absent
	if op.Whole == catalog.Fill {
		val = s.unknown("value", "some value#1")
	}
	form := ""
	if op.Whole == catalog.Clear {
		form = register.Every
	}
	s.emit(register.Instr{Op: register.Write, Name: form, Dst: []register.Local{register.None, register.None}, Args: []register.Operand{val}})
	s.end(register.NoOperand, register.NoOperand, register.NoOperand)
	s.p.Blocks = []*register.Block{s.block}
	return s.p
}

// splitProgram is the program of an operation with n arguments, the receiver
// first. The way that finds the entry is b1, the other one b2.
func splitProgram(op *catalog.Op, b *calls.BaseCall, name string, n int) *register.Program {
	s := newSplitBuilder(op, b, name, n)
	s.p.Cells[0].Key = s.arg(op.Param(catalog.Key))
	old, had := s.p.NewLocal("old"), s.p.NewLocal("had")
	look := &register.Block{
		Instrs: []register.Instr{{Op: register.Read, Dst: []register.Local{old, had}}},
		Term:   register.Term{Kind: register.Branch, Cond: register.L(had), To: []int{1, 2}},
	}
	s.end(register.L(old), register.Lit(register.LitTrue), register.Lit(register.LitFalse))
	hit := s.block
	s.block = &register.Block{}
	s.miss()
	s.p.Blocks = []*register.Block{look, hit, s.block}
	return s.p
}

// splitBuilder fills one block after the other.
type splitBuilder struct {
	op    *catalog.Op
	p     *register.Program
	block *register.Block
}

// newSplitBuilder makes the parameters, and the cell but for its key.
func newSplitBuilder(op *catalog.Op, b *calls.BaseCall, name string, n int) *splitBuilder {
	s := &splitBuilder{op: op, p: &register.Program{Name: name, Stored: map[string]bool{}}, block: &register.Block{}}
	for range n {
		s.p.Params = append(s.p.Params, s.p.NewLocal("arg"))
	}
	s.p.Cells = []register.Cell{{Kind: b.Cell, Map: s.arg(-1), Zero: b.Zero, Evicts: b.Evicts}}
	return s
}

// unknown is a value that cannot be predicted.
func (s *splitBuilder) unknown(hint, site string) register.Operand {
	l := s.p.NewLocal(hint)
	s.emit(register.Instr{Op: register.Unknown, Dst: []register.Local{l}, Name: site})
	return register.L(l)
}

// arg is the i-th argument after the receiver, which is number -1.
func (s *splitBuilder) arg(i int) register.Operand { return register.L(s.p.Params[i+1]) }

func (s *splitBuilder) emit(in register.Instr) { s.block.Instrs = append(s.block.Instrs, in) }

// miss makes the value and stores it, by force or only if there is still none.
func (s *splitBuilder) miss() {
	val := s.value()
	if s.op.Split == catalog.Store {
		s.emit(register.Instr{Op: register.Write, Dst: []register.Local{register.None, register.None}, Args: []register.Operand{val}})
		s.end(val, register.Lit(register.LitFalse), register.Lit(register.LitTrue))
		return
	}
	now, ok := s.p.NewLocal("now"), s.p.NewLocal("ok")
	actual, had := s.p.NewLocal("actual"), s.p.NewLocal("had")
	s.emit(register.Instr{Op: register.CAS, Dst: []register.Local{now, ok}, Args: []register.Operand{register.Absent, val}})
	s.emit(register.Instr{
		Op: register.Pure, Name: "choose", Dst: []register.Local{actual},
		Args: []register.Operand{register.L(ok), val, register.L(now)},
	})
	s.emit(register.Instr{Op: register.Pure, Name: "not", Dst: []register.Local{had}, Args: []register.Operand{register.L(ok)}})
	s.end(register.L(actual), register.L(had), register.L(ok))
}

// value is the argument, or what the callback returns.
func (s *splitBuilder) value() register.Operand {
	if i := s.op.Param(catalog.Value); i >= 0 {
		return s.arg(i)
	}
	sig := s.op.Callback
	f := s.op.Param(catalog.Callback)
	args := []register.Operand{s.arg(f)}
	for _, role := range sig.Params {
		if role == catalog.Key {
			args = append(args, s.arg(s.op.Param(catalog.Key)))
		}
	}
	dst := make([]register.Local, len(sig.Results))
	for i := range dst {
		dst[i] = s.p.NewLocal("result")
	}
	s.emit(register.Instr{Op: register.Call, Name: dynamicCall + "callback", Args: args, Dst: dst})
	return register.L(dst[max(0, slices.Index(sig.Results, catalog.New))])
}

// end returns the results by their roles. Whether the call succeeded is not
// asked: a loader that fails is not followed.
func (s *splitBuilder) end(actual, had, wrote register.Operand) {
	var vals []register.Operand
	for i, role := range s.op.Results {
		switch role {
		case catalog.Actual, catalog.ItemActual:
			vals = append(vals, actual)
		case catalog.Had:
			vals = append(vals, had)
		case catalog.NotHad, catalog.OK:
			vals = append(vals, wrote)
		default:
			vals = append(vals, s.unknown("result", s.p.Name+"#"+Itoa(i+1)))
		}
	}
	s.block.Term = register.Term{Kind: register.Return, Vals: vals}
}
