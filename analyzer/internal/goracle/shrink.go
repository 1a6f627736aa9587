package goracle

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
)

// Edit is a change that makes a unit's text smaller.
type Edit struct {
	node int // a function or statement, counted in the order of the text
	how  int
}

// How a statement is changed.
const (
	remove = iota
	body   // an if or a loop becomes what is inside
	orElse // an if becomes what is in its else
)

// Edits are the changes that can be made to the text of a unit, all but the
// removal of the function of the given name.
func Edits(text, function string) []Edit {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, 0)
	if err != nil {
		return nil
	}
	var out []Edit
	for i, n := range numbered(f) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name == function {
				continue
			}
		case *ast.IfStmt:
			out = append(out, Edit{i, body})
			if n.Else != nil {
				out = append(out, Edit{i, orElse})
			}
		case *ast.ForStmt:
			out = append(out, Edit{i, body})
		}
		out = append(out, Edit{i, remove})
	}
	return out
}

// numbered are the functions and statements of a file that can be changed.
func numbered(f *ast.File) (out []ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
		case *ast.ExprStmt:
			if !locks(n.X) {
				out = append(out, n)
			}
		case ast.Stmt, *ast.FuncDecl:
			out = append(out, n)
		}
		return true
	})
	return out
}

// locks reports whether an expression takes a lock, or lets it go: half a section is none.
func locks(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && strings.HasSuffix(sel.Sel.Name, "ock")
}

// Apply makes changes to the text. What comes out may not compile.
func Apply(text string, edits []Edit) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", "package p\n"+text, parser.ParseComments)
	if err != nil {
		return text
	}
	nodes, how := numbered(f), map[ast.Node]int{}
	for _, e := range edits {
		how[nodes[e.node]] = e.how
	}
	var decls []ast.Decl
	for _, d := range f.Decls {
		if _, gone := how[d]; !gone {
			decls = append(decls, d)
		}
	}
	f.Decls = decls
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			n.List = edited(n.List, how)
		case *ast.CaseClause:
			n.Body = edited(n.Body, how)
		}
		return true
	})
	if !ends(f) {
		return text
	}
	var b bytes.Buffer
	if err := format.Node(&b, fset, f); err != nil {
		return text
	}
	return tidied(strings.TrimPrefix(b.String(), "package p\n"))
}

// ends reports whether each loop without a condition can be left.
func ends(f *ast.File) bool {
	all := true
	ast.Inspect(f, func(n ast.Node) bool {
		loop, ok := n.(*ast.ForStmt)
		if !ok || loop.Cond != nil {
			return true
		}
		left := false
		ast.Inspect(loop.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				left = true
			case *ast.BranchStmt:
				left = left || n.Tok == token.BREAK
			}
			return true
		})
		all = all && left
		return true
	})
	return all
}

// edited is a list of statements after the changes.
func edited(list []ast.Stmt, how map[ast.Node]int) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		h, ok := how[s]
		switch n := s.(type) {
		case *ast.IfStmt:
			if block, isBlock := n.Else.(*ast.BlockStmt); ok && h == orElse && isBlock {
				out = append(out, edited(block.List, how)...)
				continue
			}
			if ok && h == body {
				if n.Init != nil {
					out = append(out, n.Init)
				}
				out = append(out, edited(n.Body.List, how)...)
				continue
			}
		case *ast.ForStmt:
			if ok && h == body {
				out = append(out, edited(n.Body.List, how)...)
				continue
			}
		}
		if !ok {
			out = append(out, s)
		}
	}
	return out
}

// tidied removes unused variables from each function.
func tidied(text string) string {
	parts := strings.Split(text, "\nfunc ")
	for i, part := range parts[1:] {
		parts[i+1] = strings.Join(tidy(strings.Split(part, "\n")), "\n")
	}
	return strings.Join(parts, "\nfunc ")
}
