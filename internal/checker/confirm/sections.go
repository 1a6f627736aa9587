package confirm

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"
	"strings"
)

// An operation may be a section: memory that is read or written while a mutex is
// held. Others come between two sections where the second lock is taken, so that
// it is the lines of the locks at which the scheduler sees them.

// isCall reports whether the operation stands as a call of that name in the source.
func (l *loaded) isCall(op Operation) bool {
	for _, file := range l.Syntax {
		if l.Fset.Position(file.Pos()).Filename != op.File {
			continue
		}
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			found = found || ok && l.names(call, op) && !l.TypesInfo.Types[call.Fun].IsBuiltin()
			return !found
		})
		return found
	}
	return true // in another package: nothing is known of it
}

// lockedIn are the lines at which the functions of the package that an operation
// calls take locks: two operations on one line are told apart by them.
func (l *loaded) lockedIn(op Operation) []int {
	var lines []int
	for fn, decl := range l.bodies {
		if decl.Body == nil || fn.Name() != op.Name || !l.callsAt(fn, op) {
			continue
		}
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && takesLock(sel.Sel.Name) && l.fileOf(sel) == op.File {
				lines = append(lines, l.Fset.Position(sel.Sel.Pos()).Line)
			}
			return true
		})
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// callsAt reports whether the operation calls a function of the package.
func (l *loaded) callsAt(fn *types.Func, op Operation) bool {
	for id, used := range l.TypesInfo.Uses {
		f, ok := used.(*types.Func)
		if ok && f.Origin() == fn.Origin() && l.Fset.Position(id.Pos()).Line == op.Line && l.fileOf(id) == op.File {
			return true
		}
	}
	return false
}

// lockedAt are the lines where the lock of a section is taken: the last one before
// it in its function, or in a function around it, or else in those that call it.
func (l *loaded) lockedAt(op Operation) []int {
	bodies, fn := l.around(op)
	for _, body := range slices.Backward(bodies) {
		if line := l.lastLock(body, op.Line); line > 0 {
			return []int{line}
		}
	}
	var lines []int
	for caller, decl := range l.bodies {
		if fn == nil || caller == fn || decl.Body == nil {
			continue
		}
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if used, is := l.TypesInfo.Uses[id].(*types.Func); ok && is && used.Origin() == fn.Origin() && l.fileOf(id) == op.File {
				if line := l.lastLock(decl.Body, l.Fset.Position(id.Pos()).Line); line > 0 {
					lines = append(lines, line)
				}
			}
			return true
		})
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func (l *loaded) fileOf(n ast.Node) string { return l.Fset.Position(n.Pos()).Filename }

// around are the bodies of the functions that an operation stands in, the outermost
// first, and which function that is.
func (l *loaded) around(op Operation) (bodies []*ast.BlockStmt, fn *types.Func) {
	for f, decl := range l.bodies {
		if decl.Body == nil || l.fileOf(decl) != op.File || !l.spans(decl.Body, op.Line) {
			continue
		}
		fn = f
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				bodies = append(bodies, n.Body)
			case *ast.FuncLit:
				if l.spans(n.Body, op.Line) {
					bodies = append(bodies, n.Body)
				}
			}
			return true
		})
	}
	return bodies, fn
}

func (l *loaded) spans(body *ast.BlockStmt, line int) bool {
	return l.Fset.Position(body.Lbrace).Line <= line && line <= l.Fset.Position(body.Rbrace).Line
}

// lastLock is the line of the last call in a body, up to a line, that takes a lock;
// 0 if there is none. Those in function literals that do not reach the line are
// not meant.
func (l *loaded) lastLock(body *ast.BlockStmt, line int) int {
	last := token.NoPos
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			return l.spans(lit.Body, line)
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || l.Fset.Position(call.Pos()).Line > line {
			return true
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && len(call.Args) == 0 && takesLock(sel.Sel.Name) {
			last = max(last, sel.Sel.Pos())
		}
		return true
	})
	if !last.IsValid() {
		return 0
	}
	return l.Fset.Position(last).Line
}

func takesLock(name string) bool {
	return slices.Contains([]string{"Lock", "RLock", "TryLock", "TryRLock"}, name)
}

// sections are the fields and package variables that the finding's sections are
// about, in the order of their names: those on the line of an operation, or in the
// functions of the package that it calls.
func (h *writer) sections() []*types.Var {
	seen := map[*types.Var]bool{}
	about := func(in func(id *ast.Ident) bool) {
		for id, used := range h.pkg.TypesInfo.Uses {
			v, ok := used.(*types.Var)
			if ok && v.Pkg() == h.pkg.Types && (v.IsField() || v.Parent() == h.pkg.Types.Scope()) && !isLock(v.Type()) && in(id) {
				seen[v.Origin()] = true
			}
		}
	}
	for _, op := range h.f.Operations {
		if !h.pkg.isCall(op) {
			about(func(id *ast.Ident) bool {
				return h.pkg.Fset.Position(id.Pos()).Line == op.Line && h.pkg.fileOf(id) == op.File
			})
			continue
		}
		for fn, decl := range h.pkg.bodies {
			if decl.Body != nil && fn.Name() == op.Name && h.pkg.lastLock(decl.Body, math.MaxInt) > 0 && h.pkg.callsAt(fn, op) {
				about(func(id *ast.Ident) bool { return decl.Body.Pos() <= id.Pos() && id.Pos() < decl.Body.End() })
			}
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b *types.Var) int { return strings.Compare(a.Name(), b.Name()) })
}

// isLock reports whether values of a type are locked.
func isLock(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, nil, "Unlock")
	return obj != nil
}

// ends are calls that read what the sections are about when all is over: fields of
// the objects that were made, and package variables.
func (h *writer) ends() []string {
	var all []string
	for _, v := range h.sections() {
		if !v.IsField() {
			all = append(all, h.end(v.Name(), v.Name(), ""))
			continue
		}
		for i, r := range h.receivers {
			s, ok := r.Underlying().(*types.Struct)
			if !ok {
				continue
			}
			for f := range s.Fields() {
				if f.Origin() == v {
					w := fmt.Sprintf("w := world.(*mapatomWorld%d)\n", h.number)
					all = append(all, h.end(r.Obj().Name()+"."+v.Name(), fmt.Sprintf("w.r%d.%s", i, v.Name()), w))
				}
			}
		}
	}
	return all
}

func (h *writer) end(name, code, before string) string {
	return fmt.Sprintf("%s.Call{Name: %q, Do: func(world any, _ []int) []any {\n%sreturn []any{%s}\n}},\n", h.File.Import(trialPath), name, before, code)
}
