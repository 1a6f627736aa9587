package evidence

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
)

// A table of what is under way has its entries under numbers that its owner draws:
//
//	func newClient(p *pool, conn net.Conn) *client { return &client{id: p.lastID.Add(1), conn: conn} }
//	…
//	p.clients[c.id] = c
//
// Nothing newer can be under such a number. Where keys are from is followed backwards,
// through parameters to the callers in the package, and through fields to whatever is
// stored there: what was drawn is sent, and comes back as something that was received.

// origin says where a value can be from, all of it that is found.
type origin uint8

const (
	// originDrawn: nobody else gets an equal one.
	originDrawn origin = 1 << iota
	// originNamed: a constant, or what other packages give.
	originNamed
)

// origins finds them in one package.
type origins struct {
	ps *ssaprog.Programs
	// stored are the values that fields and package variables are given, by their names.
	stored map[string][]ssa.Value
	// known are the answers of of.
	known map[askedOrigin]origin
}

// askedOrigin is a value, and how deep it is looked into.
type askedOrigin struct {
	v     ssa.Value
	depth int
}

func newOrigins(ps *ssaprog.Programs) *origins {
	o := &origins{ps: ps, stored: map[string][]ssa.Value{}, known: map[askedOrigin]origin{}}
	for _, fn := range ps.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if s, ok := instr.(*ssa.Store); ok {
					if name := placeName(s.Addr); name != "" {
						o.stored[name] = append(o.stored[name], s.Val)
					}
				}
			}
		}
	}
	return o
}

// placeName is the name of a field or a package variable; empty for other places.
func placeName(addr ssa.Value) string {
	switch addr.(type) {
	case *ssa.FieldAddr, *ssa.Global:
		return reduce.MemoryName(addr)
	}
	return ""
}

// maxOrigin bounds the way back.
const maxOrigin = 12

// ofOperand is where a value of a program is from.
func (o *origins) ofOperand(f *rivals.Function, op register.Operand, depth int) origin {
	op = f.N.Source(op)
	switch {
	case depth == 0, op.IsNone():
		return 0
	case op.IsLit():
		return originNamed
	}
	if v := f.Parameter(op.Local); v != nil {
		return o.of(v, depth-1)
	}
	def := f.Prog.OnlyDef(op.Local)
	if def == nil {
		return 0
	}
	memory := def.Memory()
	switch {
	case drawn(f, op), def.Drawn && def.Op == register.Unknown && !slices.ContainsFunc(def.Args, isFew):
		return originDrawn
	case def.Op == register.Read && f.Prog.Cells[def.Cell].Kind == register.Atomic:
		return o.ofPlace(f.Root(def.Cell), depth-1)
	case memory.IsField():
		return o.ofPlace(memory.Name, depth-1)
	case def.Op != register.Pure:
		return 0
	}
	var out origin
	for _, arg := range def.Args {
		out |= o.ofOperand(f, arg, depth-1)
	}
	return mixed(out)
}

// drawn reports whether a value is a new object, or what the call has counted up an
// atomic to.
func drawn(f *rivals.Function, op register.Operand) bool {
	op = f.N.Source(op)
	if op.IsLit() || op.IsNone() {
		return false
	}
	def := f.Prog.OnlyDef(op.Local)
	switch {
	case def == nil:
		return false
	case def.Op == register.Fresh:
		return true
	}
	return def.Op == register.Pure && def.Name == "add" && slices.ContainsFunc(f.Prog.Blocks, func(blk *register.Block) bool {
		return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool {
			return in.Op == register.Write && f.Prog.Cells[in.Cell].Kind == register.Atomic && f.N.Source(in.Args[0]) == op
		})
	})
}

// mixed is the origin of what is made of several values: one that was drawn makes it
// another one each time.
func mixed(of origin) origin {
	if of&originDrawn != 0 {
		return originDrawn
	}
	return of
}

// ofPlace is where what is in a field or package variable is from.
func (o *origins) ofPlace(name string, depth int) origin {
	var out origin
	if depth > 0 {
		for _, v := range o.stored[name] {
			out |= o.of(v, depth-1)
		}
	}
	return out
}

// of is where a value is from.
func (o *origins) of(v ssa.Value, depth int) origin {
	if depth == 0 {
		return 0
	}
	at := askedOrigin{v, depth}
	found, known := o.known[at]
	if !known {
		found = o.find(v, depth)
		o.known[at] = found
	}
	return found
}

func (o *origins) find(v ssa.Value, depth int) origin {
	switch v := v.(type) {
	case *ssa.Const:
		if isUnset(v) {
			return 0
		}
		return originNamed
	case *ssa.Alloc, *ssa.MakeChan, *ssa.MakeMap:
		return originDrawn
	case *ssa.MakeSlice, *ssa.Slice:
		return o.drawnInto(v)
	case *ssa.Parameter:
		return o.ofParameter(v, depth-1)
	case *ssa.FreeVar:
		return o.ofCaptured(v, depth-1)
	case *ssa.Field:
		return o.ofPlace(fieldName(v), depth-1)
	case *ssa.UnOp:
		return o.ofLoad(v, depth-1)
	case *ssa.BinOp:
		return o.ofBinOp(v, depth-1)
	case *ssa.Phi:
		var out origin
		for _, edge := range v.Edges {
			out |= o.of(edge, depth-1)
		}
		return out
	case *ssa.Convert:
		return o.of(v.X, depth-1)
	case *ssa.ChangeType:
		return o.of(v.X, depth-1)
	case *ssa.MakeInterface:
		return o.of(v.X, depth-1)
	case *ssa.Extract:
		return o.of(v.Tuple, depth-1)
	case *ssa.Call:
		return o.ofCall(v, depth-1)
	}
	return 0
}

func fieldName(f *ssa.Field) string {
	named := ssaprog.Named(f.X.Type())
	field := ssaprog.FieldOf(f.X.Type(), f.Field)
	if named == nil || field == nil || named.Pkg() == nil {
		return ""
	}
	return named.Pkg().Name() + "." + named.Name() + "." + field.Name()
}

// ofLoad is for what is loaded from a field, a package variable, or a variable that is
// assigned once.
func (o *origins) ofLoad(load *ssa.UnOp, depth int) origin {
	if load.Op != token.MUL {
		return 0
	}
	if name := placeName(load.X); name != "" {
		return o.ofPlace(name, depth)
	}
	switch x := load.X.(type) {
	case *ssa.Alloc:
		return o.ofVariable(x, depth)
	case *ssa.FreeVar:
		return o.ofCaptured(x, depth)
	}
	return 0
}

// ofVariable is where what a variable is assigned is from.
func (o *origins) ofVariable(v *ssa.Alloc, depth int) origin {
	var out origin
	for _, val := range ssaprog.StoredIn(v) {
		out |= o.of(val, depth)
	}
	return mixed(out)
}

// ofCaptured is that of a variable of the function around a literal.
func (o *origins) ofCaptured(v *ssa.FreeVar, depth int) origin {
	if depth <= 0 {
		return 0
	}
	var out origin
	for _, bound := range ssaprog.BoundTo(v) {
		switch bound := bound.(type) {
		case *ssa.Alloc:
			out |= o.ofVariable(bound, depth-1)
		case *ssa.FreeVar:
			out |= o.ofCaptured(bound, depth-1)
		default:
			out |= o.of(bound, depth-1)
		}
	}
	return mixed(out)
}

// drawnInto is the origin of what is in a slice: random numbers, if it was given to be
// filled with them.
//
//	token := make([]byte, 32)
//	rand.Read(token)
func (o *origins) drawnInto(slice ssa.Value) origin {
	for {
		part, ok := slice.(*ssa.Slice)
		if !ok {
			break
		}
		slice = part.X
	}
	work := []ssa.Value{slice}
	for len(work) > 0 {
		refs := work[0].Referrers()
		work = work[1:]
		if refs == nil {
			continue
		}
		for _, ref := range *refs {
			switch ref := ref.(type) {
			case *ssa.Slice, *ssa.IndexAddr:
				work = append(work, ref.(ssa.Value))
			case *ssa.Store:
				if given, ok := ref.Val.(*ssa.MakeInterface); ok && o.isDrawn(given.X) {
					return originDrawn
				}
			case ssa.CallInstruction:
				if slices.ContainsFunc(append([]ssa.Value{ref.Common().Value}, ref.Common().Args...), o.draws) {
					return originDrawn
				}
			}
		}
	}
	return 0
}

// isDrawn reports whether a value is what a call draws, or a list that is filled so: that it is new says nothing.
func (o *origins) isDrawn(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Call, *ssa.Slice, *ssa.MakeSlice:
		return o.of(v, maxOrigin) == originDrawn
	case *ssa.UnOp:
		return v.Op == token.MUL && o.drawnInto(v.X) == originDrawn
	}
	return false
}

// draws reports whether a value is a function that draws, or something that is read to draw,
// such as rand.Reader.
func (o *origins) draws(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Function:
		return v.Object() != nil && v.Object().Pkg() != nil && o.ps.Res.Cat.DrawsLots(v.Object().Pkg().Path())
	case *ssa.Global:
		return v.Pkg != nil && o.ps.Res.Cat.DrawsLots(v.Pkg.Pkg.Path())
	case *ssa.UnOp:
		return o.draws(v.X)
	}
	return false
}

// ofBinOp is for a number that is counted up where it is kept, and for what is made of
// something that was drawn.
func (o *origins) ofBinOp(v *ssa.BinOp, depth int) origin {
	if v.Op == token.ADD && isStep(v.Y) {
		if load, ok := v.X.(*ssa.UnOp); ok && load.Op == token.MUL && placeName(load.X) != "" && isNumber(v) {
			return originDrawn
		}
	}
	return mixed(o.of(v.X, depth) | o.of(v.Y, depth))
}

// isUnset reports whether a constant is what is there before anything is set.
func isUnset(c *ssa.Const) bool {
	switch {
	case c.Value == nil:
		return true
	case c.Value.Kind() == constant.Bool:
		return !constant.BoolVal(c.Value)
	case c.Value.Kind() == constant.String:
		return false
	default:
		return constant.Sign(c.Value) == 0
	}
}

func isStep(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) != 0
}

func isNumber(v ssa.Value) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// ofParameter is where the callers in the package have it from.
func (o *origins) ofParameter(p *ssa.Parameter, depth int) origin {
	fn := p.Parent()
	i := slices.Index(fn.Params, p)
	calls := o.ps.Callers(fn)
	if len(calls) == 0 && o.ps.Exported(fn) {
		return originNamed
	}
	var out origin
	for _, call := range calls {
		if args := call.Common().Args; i >= 0 && i < len(args) && call.Common().StaticCallee() == fn {
			out |= o.of(args[i], depth)
		}
	}
	return out
}

// ofCall is for a counter, for what draws, and for what gives its argument in another form.
func (o *origins) ofCall(call *ssa.Call, depth int) origin {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return 0
	}
	if obj, ok := fn.Object().(*types.Func); ok && obj.Pkg() != nil {
		path := obj.Pkg().Path()
		switch {
		case o.ps.Res.Cat.DrawsLots(path) && isDrawnOfFew(&call.Call):
			return 0
		case o.ps.Res.Cat.DrawsLots(path), path == "sync/atomic" && addsUp(obj.Name()):
			return originDrawn
		}
	}
	var out origin
	if local := o.ps.Res.Local(fn); local != nil {
		for _, b := range local.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(ret.Results) > 0 {
				out |= o.of(ret.Results[0], depth)
			}
		}
		return out
	}
	for _, arg := range call.Call.Args {
		if local, ok := arg.(*ssa.Alloc); ok {
			out |= o.writtenTo(local, call, depth)
			continue
		}
		out |= o.of(arg, depth) & originDrawn
	}
	return out
}

// fewLots is how many numbers there are at most of which two draw the same one all the time.
const fewLots = 1 << 16

// isDrawnOfFew reports whether a call draws one of few numbers: rand.IntN(4).
func isDrawnOfFew(call *ssa.CallCommon) bool {
	return slices.ContainsFunc(call.Args, func(arg ssa.Value) bool {
		c, ok := arg.(*ssa.Const)
		return ok && isNumber(c) && c.Int64() <= fewLots
	})
}

// isFew reports whether an operand is a number of few.
func isFew(op register.Operand) bool {
	n, err := strconv.Atoi(op.Lit)
	return op.IsLit() && err == nil && n <= fewLots
}

// writtenTo is the origin of what a variable has been given by other calls than one: that it is a new one is nothing that a
// text says which is made in it.
//
//	var b strings.Builder
//	fmt.Fprintf(&b, "%s/%d", name, port)
//	key := b.String()
func (o *origins) writtenTo(v *ssa.Alloc, but *ssa.Call, depth int) origin {
	var out origin
	holders := []ssa.Value{v}
	for i := 0; i < len(holders); i++ {
		for _, ref := range *holders[i].Referrers() {
			switch ref := ref.(type) {
			case *ssa.MakeInterface:
				holders = append(holders, ref)
			case *ssa.Call:
				if ref == but {
					continue
				}
				for _, arg := range ref.Call.Args {
					if !slices.Contains(holders, arg) {
						out |= o.of(arg, depth) & originDrawn
					}
				}
			}
		}
	}
	return out
}

// addsUp reports whether an operation is one that a single writer has no need of.
func addsUp(name string) bool { return adds(name) || comparesAndSwaps(name) }

// comparesAndSwaps reports whether an operation changes what is there only if it is what it says.
func comparesAndSwaps(name string) bool {
	return strings.HasPrefix(method(name), "CompareAnd") || method(name) == "CAS"
}

// adds reports whether an operation adds to what is there.
func adds(name string) bool { return strings.HasPrefix(method(name), "Add") }

// method is the name of an operation without its type or package.
func method(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
