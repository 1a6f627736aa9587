package reduce

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// typeName writes a type with packages as their path's last element.
func typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return lastElem(p) })
}

// ownerName is typeName without type arguments: in a generic type's own
// methods and in their callers, its fields have the same name.
func ownerName(t types.Type) string {
	named, ok := types.Unalias(t).(*types.Named)
	switch {
	case !ok:
		return "struct"
	case named.Obj().Pkg() == nil:
		return named.Obj().Name()
	default:
		return lastElem(named.Obj().Pkg()) + "." + named.Obj().Name()
	}
}

func lastElem(p *types.Package) string {
	path := p.Path()
	return path[strings.LastIndexByte(path, '/')+1:]
}

// fieldName is the name "pkg.T.f" of a field, for a struct type or a pointer
// to one; empty if it is neither.
func fieldName(t types.Type, field int) string {
	t = pointee(t)
	s, ok := t.Underlying().(*types.Struct)
	if !ok || field >= s.NumFields() {
		return ""
	}
	return ownerName(t) + "." + s.Field(field).Name()
}

// globalName is the literal for the address of a global or for a function.
func globalName(v ssa.Member) string {
	if f, ok := v.(*ssa.Function); ok {
		return "&" + shortFunc(f)
	}
	if pkg := v.Package(); pkg != nil && pkg.Pkg != nil {
		return "&" + lastElem(pkg.Pkg) + "." + v.Name()
	}
	return "&" + v.Name()
}

// shortFunc is the function's name with a short package: (*store.T).get.
func shortFunc(fn *ssa.Function) string {
	if fn.Pkg == nil || fn.Pkg.Pkg == nil {
		return fn.String()
	}
	name := fn.RelString(fn.Pkg.Pkg)
	pkg := lastElem(fn.Pkg.Pkg) + "."
	switch {
	case strings.HasPrefix(name, "(*"):
		return "(*" + pkg + name[2:]
	case strings.HasPrefix(name, "("):
		return "(" + pkg + name[1:]
	default:
		return pkg + name
	}
}

// typeParamNames lists the type parameters of fn, or of the generic function
// that fn is a closure of or an instance of.
func typeParamNames(fn *ssa.Function) []string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Signature == nil || fn.Synthetic != "" && fn.Syntax() == nil {
		return nil
	}
	var names []string
	lists := []*types.TypeParamList{fn.Signature.RecvTypeParams(), fn.Signature.TypeParams()}
	for _, list := range lists {
		for i := 0; i < list.Len(); i++ {
			names = append(names, list.At(i).Obj().Name())
		}
	}
	return names
}

// source knows, from the syntax of a function, what SSA without debug
// information has lost: where calls have their function's name, and what
// variables the results of expressions go to.
type source struct {
	fset *token.FileSet
	// callees has the position of the function's name, by that of the
	// opening parenthesis, which is ssa's position of a call.
	callees map[token.Pos]token.Pos
	// vars has the variables assigned to, by ssa's position of what is
	// assigned.
	vars map[token.Pos][]string
	// loops are those over something, the outer ones first.
	loops []*ast.RangeStmt
}

func newSource(fn *ssa.Function) *source {
	s := &source{fset: fn.Prog.Fset, callees: map[token.Pos]token.Pos{}, vars: map[token.Pos][]string{}}
	if fn.Syntax() == nil {
		return s
	}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			s.callees[n.Lparen] = calleePos(n.Fun)
		case *ast.AssignStmt:
			s.assigned(n.Lhs, n.Rhs)
		case *ast.RangeStmt:
			s.loops = append(s.loops, n)
		case *ast.ValueSpec:
			lhs := make([]ast.Expr, len(n.Names))
			for i, id := range n.Names {
				lhs[i] = id
			}
			s.assigned(lhs, n.Values)
		}
		return true
	})
	return s
}

// calleePos is the position of the name in a call's function.
func calleePos(fun ast.Expr) token.Pos {
	switch f := fun.(type) {
	case *ast.ParenExpr:
		return calleePos(f.X)
	case *ast.SelectorExpr:
		return f.Sel.Pos()
	case *ast.IndexExpr:
		return calleePos(f.X)
	case *ast.IndexListExpr:
		return calleePos(f.X)
	default:
		return fun.Pos()
	}
}

// assigned notes the variables on the left for what is on the right.
func (s *source) assigned(lhs, rhs []ast.Expr) {
	var names []string
	for _, e := range lhs {
		name := "_"
		if id, ok := e.(*ast.Ident); ok {
			name = id.Name
		}
		names = append(names, name)
	}
	if len(rhs) == 1 {
		s.vars[exprPos(rhs[0])] = names
		return
	}
	for i, e := range rhs {
		if i < len(names) {
			s.vars[exprPos(e)] = names[i : i+1]
		}
	}
}

// exprPos is the position that ssa gives to the value of an expression.
func exprPos(e ast.Expr) token.Pos {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return exprPos(e.X)
	case *ast.CallExpr:
		return e.Lparen
	case *ast.BinaryExpr:
		return e.OpPos
	case *ast.TypeAssertExpr:
		return e.Lparen
	case *ast.IndexExpr:
		return e.Lbrack
	case *ast.SelectorExpr:
		return e.Sel.Pos()
	case *ast.UnaryExpr:
		if lit, ok := e.X.(*ast.CompositeLit); ok && e.Op == token.AND {
			return lit.Lbrace
		}
		return e.OpPos
	case *ast.CompositeLit:
		return e.Lbrace
	case *ast.StarExpr:
		return e.Star
	default:
		return e.Pos()
	}
}

// pos is the position of an instruction, see Lower.
func (s *source) pos(instr ssa.Instruction) register.Pos {
	p := instr.Pos()
	if call, ok := instr.(ssa.CallInstruction); ok {
		p = s.callPos(call.Common())
	}
	return s.text(p)
}

// callPos is the position of the called function's name. The call that a
// range over a function is has none; it is at the loop's body.
func (s *source) callPos(c *ssa.CallCommon) token.Pos {
	if name, ok := s.callees[c.Pos()]; ok {
		return name
	}
	if !c.Pos().IsValid() {
		for _, arg := range c.Args {
			if mc, ok := arg.(*ssa.MakeClosure); ok {
				return mc.Fn.Pos()
			}
		}
	}
	return c.Pos()
}

func (s *source) text(p token.Pos) register.Pos {
	if !p.IsValid() || s.fset == nil {
		return register.Pos{}
	}
	at := s.fset.Position(p)
	return register.Pos{File: at.Filename, Line: at.Line, Column: at.Column}
}

// name is the variable that result i of the value at p goes to; without
// one it is otherwise.
func (s *source) name(p token.Pos, i int, otherwise string) string {
	if names := s.vars[p]; i < len(names) && names[i] != "_" {
		return names[i]
	}
	return otherwise
}

// nameless is the name of result i of a value that goes to no variable: that of a call is named after the function, or by
// what it tells, and what is taken out of something after what it is there.
func (s *source) nameless(v ssa.Value, i int) string {
	switch v := v.(type) {
	case *ssa.Call:
		return namelessResult(v, i)
	case *ssa.UnOp:
		if name := s.loopVariable(v); name != "" {
			return name
		}
	case *ssa.BinOp:
		if name := s.loopVariable(v); name != "" {
			return name
		}
	case *ssa.Field:
		if t, ok := v.X.Type().Underlying().(*types.Struct); ok {
			return t.Field(v.Field).Name()
		}
	case *ssa.Convert, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert:
		if from := *v.(ssa.Instruction).Operands(nil)[0]; isNamed(from) {
			return from.Name()
		}
	}
	return v.Name()
}

// isNamed reports whether a value has a name in the source.
func isNamed(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return true
	}
	return false
}

// namelessResult is nameless for a result of a call.
func namelessResult(v *ssa.Call, i int) string {
	name := called(&v.Call)
	if name == "" {
		return v.Name()
	}
	switch results := v.Call.Signature().Results(); {
	case i >= results.Len():
		return v.Name()
	case types.Identical(results.At(i).Type(), types.Universe.Lookup("error").Type()):
		return "err"
	case i > 0 && types.Identical(results.At(i).Type(), types.Typ[types.Bool]):
		return "ok"
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}

// called is the name of a declared function or method that a call is of; empty if it is of none.
func called(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return c.Method.Name()
	}
	if fn := c.StaticCallee(); fn != nil && fn.Object() != nil {
		return fn.Object().Name()
	}
	return ""
}

// loopVariable is what a loop over a list calls the element that is loaded, or the place where it is; empty if it is none
// of these.
func (s *source) loopVariable(v ssa.Value) string {
	elem := false
	if load, ok := v.(*ssa.UnOp); ok {
		addr, isElem := load.X.(*ssa.IndexAddr)
		if elem = isElem; !elem {
			return ""
		}
		v = addr.Index
	}
	next, ok := v.(*ssa.BinOp)
	if !ok {
		return ""
	}
	if phi, isPhi := next.X.(*ssa.Phi); !isPhi || phi.Comment != rangeIndex {
		return ""
	}
	loop := s.loopOf(next.Block())
	switch {
	case loop == nil:
		return ""
	case elem:
		return nameOf(loop.Value)
	}
	return cmp.Or(nameOf(loop.Key), "i")
}

// rangeIndex is what ssa calls the place before the next one in a loop over a list.
const rangeIndex = "rangeindex"

// nameOf is the name of a variable that is assigned to; empty if it is none.
func nameOf(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
		return id.Name
	}
	return ""
}

// loopOf is the statement of a loop over a list, by the block in which it goes on; nil if that is not known.
func (s *source) loopOf(head *ssa.BasicBlock) *ast.RangeStmt {
	if len(head.Succs) == 0 {
		return nil
	}
	for _, instr := range head.Succs[0].Instrs {
		var inner *ast.RangeStmt
		for _, l := range s.loops {
			if p := instr.Pos(); p.IsValid() && l.Body.Pos() <= p && p < l.Body.End() {
				inner = l // those that are inside of others come later
			}
		}
		if inner != nil {
			return inner
		}
	}
	return nil
}
