package goracle

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// registry is the generated text by which package sim knows a unit: how its
// cells are reached, its functions called, and what is worth trying.
func (u *Unit) registry() string {
	var b strings.Builder
	fmt.Fprintf(&b, "func init() {\n\tsim.Units = append(sim.Units, &sim.Unit{\n\t\tName: %q,\n", u.Name)
	if u.threads() {
		b.WriteString("\t\tThreads: true,\n")
	}
	fmt.Fprintf(&b, "\t\tWritten: %#v,\n\t\tUnused: %#v,\n\t\tRanges: %#v,\n", u.written(), u.unused(), u.ranges())
	cells := u.cells()
	fmt.Fprintf(&b, "\t\tNew: func() any {\n\t\t\ts := &%s{\n%s}\n%s\t\t\treturn s\n\t\t},\n", u.Name, u.functionFields(), u.makeMaps(cells))
	if node := u.named(u.Name + "node"); node != nil {
		fmt.Fprintf(&b, "\t\tMake: func(n int) any { return &%snode{n: n %% 8} },\n", u.Name)
	}
	fmt.Fprintf(&b, "\t\tCells: func(self any) []any {\n\t\t\ts := self.(*%s)\n\t\t\treturn []any{", u.Name)
	for _, c := range cells {
		if c.plain {
			fmt.Fprintf(&b, "sim.Plain(&s.%s, %s), ", c.path, c.guard)
			continue
		}
		fmt.Fprintf(&b, "&s.%s, ", c.path)
	}
	b.WriteString("}\n\t\t},\n\t\tKinds: []sim.Kind{\n")
	for _, c := range cells {
		fmt.Fprintf(&b, "\t\t\t%s,\n", u.kind(u.stored(c), c.keyed))
	}
	b.WriteString("\t\t},\n\t\tPaths: []string{")
	for _, c := range cells {
		fmt.Fprintf(&b, "%q, ", c.path)
	}
	b.WriteString("},\n\t\tFuncs: []sim.Func{\n")
	for _, name := range u.Funcs {
		u.registerFunc(&b, name)
	}
	b.WriteString("\t\t},\n\t})\n}\n\n")
	u.registerNode(&b)
	return b.String()
}

// threads reports whether the unit's functions start goroutines.
func (u *Unit) threads() bool {
	return strings.Contains(u.Text, "go func") || strings.Contains(u.Text, ".Go(func")
}

// written are the lines at which a function of the unit's is given nothing but constants.
func (u *Unit) written() []int {
	lines := []int{}
	ast.Inspect(u.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || !isField(call.Fun) {
			return true
		}
		if !slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return u.info.Types[arg].Value == nil }) {
			lines = append(lines, u.line(call))
		}
		return true
	})
	return lines
}

// unused are the lines at which nothing depends on what a function of the unit's gives.
func (u *Unit) unused() []int {
	lines := []int{}
	ast.Inspect(u.file, func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok || len(s.Body.List) > 0 {
			return true
		}
		if other, ok := s.Else.(*ast.BlockStmt); s.Else != nil && (!ok || len(other.List) > 0) {
			return true
		}
		cond := s.Cond
		if not, ok := cond.(*ast.UnaryExpr); ok {
			cond = not.X
		}
		if call, ok := cond.(*ast.CallExpr); ok && isField(call.Fun) {
			lines = append(lines, u.line(call))
		}
		return true
	})
	return lines
}

// ranges are the lines at which a function goes through a map.
func (u *Unit) ranges() []int {
	lines := []int{}
	ast.Inspect(u.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Range" {
				lines = append(lines, u.line(call))
			}
		}
		return true
	})
	return lines
}

// line is that of something in the file that is compiled, which has a line more.
func (u *Unit) line(n ast.Node) int { return u.fset.Position(n.Pos()).Line + 1 }

// isField reports whether an expression is a field, or a method, of the unit.
func isField(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == "s"
}

func (u *Unit) registerFunc(b *strings.Builder, name string) {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(u.named(u.Name)), true, u.pkg, name)
	sig := obj.Type().(*types.Signature)
	fmt.Fprintf(b, "\t\t\t{Name: %q, Params: []sim.Kind{\n", name)
	var args, results, names, own []string
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		names, own = append(names, strconv.Quote(p.Name())), append(own, strconv.FormatBool(u.own(p, name)))
		fmt.Fprintf(b, "\t\t\t\t%s,\n", u.paramKind(p, name))
		args = append(args, fmt.Sprintf("sim.As[%s](args[%d])", u.typeText(p.Type()), i))
	}
	for i := range sig.Results().Len() {
		results = append(results, fmt.Sprintf("r%d", i))
	}
	call := fmt.Sprintf("self.(*%s).%s(%s)", u.Name, name, strings.Join(args, ", "))
	fmt.Fprintf(b, "\t\t\t}, Names: []string{%s}, Own: []bool{%s}, Call: func(self any, args []any) []any {\n", strings.Join(names, ", "), strings.Join(own, ", "))
	if len(results) == 0 {
		fmt.Fprintf(b, "\t\t\t\t%s\n\t\t\t\treturn nil\n\t\t\t}},\n", call)
		return
	}
	rs := strings.Join(results, ", ")
	fmt.Fprintf(b, "\t\t\t\t%s := %s\n\t\t\t\treturn []any{%s}\n\t\t\t}},\n", rs, call, rs)
}

// own reports whether a method has a parameter for functions of which nothing is known, which it tells them, comparisons and results
// only. What it tells nobody may be equal to what it has found, by chance.
func (u *Unit) own(p *types.Var, method string) bool {
	if strings.HasPrefix(p.Name(), "k") {
		return false
	}
	uses, own, told := 0, 0, 0
	note := func(es ...ast.Expr) {
		for _, e := range es {
			if id, ok := ast.Unparen(e).(*ast.Ident); ok && u.info.Uses[id] == p {
				own++
			}
		}
	}
	for _, d := range u.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || fn.Name.Name != method {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if u.info.Uses[n] == p {
					uses++
				}
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"hook", "try", "ask"}, sel.Sel.Name) {
					before := own
					note(n.Args...)
					told += own - before
				}
			case *ast.BinaryExpr:
				note(n.X, n.Y)
			case *ast.SelectorExpr:
				note(n.X)
			case *ast.ReturnStmt:
				note(n.Results...)
			}
			return true
		})
	}
	return uses == own && told > 0
}

// functionFields set the fields of the unit that are functions: what they
// return is anything, and that they are called is an effect if they return
// nothing, or only whether they have failed.
func (u *Unit) functionFields() string {
	var b strings.Builder
	for f := range u.named(u.Name).Underlying().(*types.Struct).Fields() {
		sig, ok := f.Type().(*types.Signature)
		if !ok {
			continue
		}
		var params, args []string
		for i := range sig.Params().Len() {
			params = append(params, fmt.Sprintf("a%d %s", i, u.typeText(sig.Params().At(i).Type())))
			args = append(args, fmt.Sprintf(", a%d", i))
		}
		fmt.Fprintf(&b, "\t\t\t\t%s: func(%s) ", f.Name(), strings.Join(params, ", "))
		if sig.Results().Len() == 0 {
			fmt.Fprintf(&b, "{ sim.Effect(%q%s) },\n", f.Name(), strings.Join(args, ""))
			continue
		}
		result := sig.Results().At(0).Type()
		if types.Identical(result, types.Universe.Lookup("error").Type()) {
			fmt.Fprintf(&b, "error { return sim.Try(%q%s) },\n", f.Name(), strings.Join(args, ""))
			continue
		}
		pool := u.pool(result)
		fmt.Fprintf(&b, "%s { return sim.Ask(%q, []any{%s}%s).(%s) },\n", u.typeText(result), f.Name(),
			strings.Join(pool[:min(3, len(pool))], ", "), strings.Join(args, ""), u.typeText(result))
	}
	return b.String()
}

// registerNode gives the unit's objects the methods of sim.Node.
func (u *Unit) registerNode(b *strings.Builder) {
	node := u.named(u.Name + "node")
	if node == nil {
		return
	}
	fmt.Fprintf(b, "func (o *%snode) SimNil() bool { return o == nil }\n\n", u.Name)
	fmt.Fprintf(b, "func (o *%snode) SimFields() []any { return []any{", u.Name)
	s := node.Underlying().(*types.Struct)
	for f := range s.Fields() {
		if named, ok := f.Type().(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync/atomic" {
			fmt.Fprintf(b, "o.%s.SimLoad(), ", f.Name())
			continue
		}
		fmt.Fprintf(b, "o.%s, ", f.Name())
	}
	b.WriteString("} }\n\n")
}

func (u *Unit) typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == u.pkg {
			return ""
		}
		return p.Name()
	})
}

// unitCell is a map or an atomic of a unit, and how it is reached.
type unitCell struct {
	path  string
	elem  types.Type // any if values come as any
	keyed bool
	plain bool // a built-in map
	guard string
}

// makeMaps makes the built-in maps among the cells of s.
func (u *Unit) makeMaps(cells []unitCell) string {
	var b strings.Builder
	for _, c := range cells {
		if c.plain {
			fmt.Fprintf(&b, "\t\t\ts.%s = map[string]%s{}\n", c.path, u.typeText(c.elem))
		}
	}
	return b.String()
}

// cells are those of the unit's fields, and of fields of its own types.
func (u *Unit) cells() []unitCell {
	return u.cellsOf(u.named(u.Name), "", nil)
}

func (u *Unit) cellsOf(t *types.Named, path string, elem types.Type) (out []unitCell) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if t.TypeArgs().Len() == 1 {
		elem = t.TypeArgs().At(0)
	}
	for f := range s.Fields() {
		at := path + f.Name()
		if m, ok := f.Type().(*types.Map); ok {
			out = append(out, unitCell{path: at, elem: m.Elem(), keyed: true, plain: true, guard: guardOf(s, path)})
		}
		named, ok := f.Type().(*types.Named)
		if !ok {
			continue
		}
		if c, ok := atomicCell(named); ok {
			c.path = at
			if c.keyed && elem != nil {
				c.elem = elem
			}
			out = append(out, c)
		} else if named.Obj().Pkg() == u.pkg {
			out = append(out, u.cellsOf(named, at+".", elem)...)
		}
	}
	return out
}

// guardOf is the first lock beside a map, as an expression; "nil" if there is none.
func guardOf(s *types.Struct, path string) string {
	for f := range s.Fields() {
		if named, ok := f.Type().(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" && strings.HasSuffix(named.Obj().Name(), "Mutex") {
			return "&s." + path + f.Name()
		}
	}
	return "nil"
}

// stored is the type of what a cell can hold: of an atomic.Value the first
// that is stored in it, since it takes no other one.
func (u *Unit) stored(c unitCell) types.Type {
	if d := u.dynamic(); !c.keyed && types.IsInterface(c.elem) && len(d) > 0 {
		return d[0]
	}
	return c.elem
}

var anyType = types.Universe.Lookup("any").Type()

// atomicCell is the cell that a type of sync or sync/atomic is.
func atomicCell(t *types.Named) (unitCell, bool) {
	pkg := t.Obj().Pkg()
	if pkg == nil {
		return unitCell{}, false
	}
	basic := map[string]types.BasicKind{
		"Int32": types.Int32, "Int64": types.Int64, "Uint32": types.Uint32, "Uint64": types.Uint64,
		"Uintptr": types.Uintptr, "Bool": types.Bool,
	}
	switch name := t.Obj().Name(); {
	case pkg.Path() == "sync" && name == "Map":
		return unitCell{elem: anyType, keyed: true}, true
	case pkg.Path() != "sync/atomic":
		return unitCell{}, false
	case name == "Value":
		return unitCell{elem: anyType}, true
	case name == "Pointer":
		return unitCell{elem: types.NewPointer(t.TypeArgs().At(0))}, true
	default:
		k, ok := basic[name]
		return unitCell{elem: types.Typ[k]}, ok
	}
}

// paramKind is what a parameter can be.
func (u *Unit) paramKind(p *types.Var, method string) string {
	if strings.HasPrefix(p.Name(), "k") {
		return fmt.Sprintf("{Pool: []any{%s}}", strings.Join(u.keys(), ", "))
	}
	kind := u.kind(p.Type(), false)
	if u.asksForNil(p, method) {
		null := "nil"
		if !types.IsInterface(p.Type()) {
			null = fmt.Sprintf("(%s)(nil)", u.typeText(p.Type()))
		}
		// Nobody passes nil unless the function asks.
		kind = strings.Replace(kind, "Pool: []any{", "Pool: []any{"+null+", ", 1)
	}
	return kind
}

// asksForNil reports whether the method compares p with nil.
func (u *Unit) asksForNil(p *types.Var, method string) bool {
	asks := false
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && id.Name == p.Name()
	}
	for _, d := range u.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || fn.Name.Name != method {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
				null := func(e ast.Expr) bool { return u.info.Types[e].IsNil() }
				asks = asks || is(b.X) && null(b.Y) || is(b.Y) && null(b.X)
			}
			return true
		})
	}
	return asks
}

// kind is the text of what a cell or a parameter of type t can hold.
func (u *Unit) kind(t types.Type, keyed bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{Pool: []any{%s}", strings.Join(u.pool(t), ", "))
	if keyed {
		fmt.Fprintf(&b, ", Keys: []any{%s}", strings.Join(u.keys(), ", "))
	}
	base := t
	if p := u.pointer(t); p != nil {
		fmt.Fprintf(&b, ", Nil: (%s)(nil)", u.typeText(p))
	}
	if types.IsInterface(t) {
		base = nil
		for _, dyn := range u.dynamic() {
			if isInt(dyn) || base == nil {
				base = dyn
			}
		}
	}
	if base != nil {
		name := u.typeText(base)
		switch {
		case isInt(base):
			fmt.Fprintf(&b, ", Int: func(i int64) any { return %s(i) }", name)
		case isString(base):
			fmt.Fprintf(&b, ", String: func(t string) any { return %s(t) }", name)
		}
	}
	b.WriteString("}")
	return b.String()
}

// pointer is t if it is a pointer, or one that an interface may hold.
func (u *Unit) pointer(t types.Type) types.Type {
	ts := []types.Type{t}
	if types.IsInterface(t) {
		ts = u.dynamic()
	}
	for _, t := range ts {
		if _, ok := t.(*types.Pointer); ok {
			return t
		}
	}
	return nil
}

func isInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// pool are values of type t, as expressions: those that the text mentions
// and those beside them first.
func (u *Unit) pool(t types.Type) []string {
	switch {
	case types.IsInterface(t):
		return u.mixedPool()
	case isInt(t):
		return u.intPool(t)
	case isString(t):
		return u.stringPool(t)
	}
	name := u.typeText(t)
	if _, ok := t.(*types.Pointer); ok {
		return []string{"sim.Object(0)", "sim.Object(1)", "sim.Object(2)"}
	}
	return []string{name + "(true)", name + "(false)"}
}

// mixedPool takes turns among the types that a cell of any holds.
func (u *Unit) mixedPool() []string {
	var pools [][]string
	for _, t := range u.dynamic() {
		pools = append(pools, u.pool(t))
	}
	var out []string
	for i := range 8 {
		for _, p := range pools {
			if i < len(p) {
				out = append(out, p[i])
			}
		}
	}
	if p := u.pointer(anyType); p != nil {
		out = append(out, "("+u.typeText(p)+")(nil)")
	}
	return append(out, "sim.Alien(0)", "sim.Alien(1)")
}

// dynamic are the types of the values that become an any, or that one is
// taken for, in the order of the text.
func (u *Unit) dynamic() []types.Type {
	var out []types.Type
	add := func(e ast.Expr) {
		t := u.info.Types[e].Type
		if t == nil {
			return
		}
		t = types.Default(t)
		if types.IsInterface(t) || t == types.Typ[types.UntypedNil] || isTypeParam(t) {
			return
		}
		if !slices.ContainsFunc(out, func(o types.Type) bool { return types.Identical(o, t) }) {
			out = append(out, t)
		}
	}
	ast.Inspect(u.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if tv := u.info.Types[n.Fun]; tv.IsType() && types.IsInterface(tv.Type) {
				add(n.Args[0])
			}
			for _, arg := range u.valueArgs(n) {
				add(arg)
			}
		case *ast.TypeAssertExpr:
			if n.Type != nil {
				add(n.Type)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				if u.info.Types[e].IsType() {
					add(e)
				}
			}
		}
		return true
	})
	return out
}

func isTypeParam(t types.Type) bool {
	_, ok := t.(*types.TypeParam)
	return ok
}

// valueArgs are the arguments of a call on a map or a Value that are values.
func (u *Unit) valueArgs(call *ast.CallExpr) []ast.Expr {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || u.info.Selections[sel] == nil {
		return nil
	}
	recv := u.info.Selections[sel].Recv()
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	named, ok := recv.(*types.Named)
	if !ok {
		return nil
	}
	switch c, ok := atomicCell(named); {
	case !ok || !types.IsInterface(c.elem):
		return nil
	case c.keyed:
		return call.Args[min(1, len(call.Args)):]
	default:
		return call.Args
	}
}

// intPool are integers of type t.
func (u *Unit) intPool(t types.Type) []string {
	var near, out []*big.Int
	for _, v := range u.literals(token.INT) {
		i, _ := new(big.Int).SetString(v, 0)
		near = append(near, i)
	}
	out = slices.Clone(near)
	for _, d := range []int64{1, -1} {
		for _, i := range near {
			out = append(out, new(big.Int).Add(i, big.NewInt(d)))
		}
	}
	out = append(out, big.NewInt(0), big.NewInt(1), big.NewInt(2), big.NewInt(-1), new(big.Int).Neg(big.NewInt(2)))
	bits := map[types.BasicKind]uint{
		types.Int8: 7, types.Int16: 15, types.Int32: 31, types.Int64: 63, types.Int: 63,
		types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64, types.Uint: 64, types.Uintptr: 64,
	}[t.Underlying().(*types.Basic).Kind()]
	top := new(big.Int).Lsh(big.NewInt(1), bits)
	out = append(out, new(big.Int).Sub(top, big.NewInt(1)), new(big.Int).Neg(top))
	var pool []string
	for _, i := range out {
		c := constant.MakeFromLiteral(i.String(), token.INT, 0)
		if i.Sign() < 0 {
			c = constant.UnaryOp(token.SUB, constant.MakeFromLiteral(new(big.Int).Neg(i).String(), token.INT, 0), 0)
		}
		text := fmt.Sprintf("%s(%s)", u.typeText(t), i)
		if representable(c, t) && !slices.Contains(pool, text) {
			pool = append(pool, text)
		}
	}
	return pool
}

// representable reports whether a constant is a value of the integer type t.
func representable(c constant.Value, t types.Type) bool {
	_, err := types.Eval(token.NewFileSet(), types.NewPackage("p", "p"), token.NoPos,
		fmt.Sprintf("%s(%s)", t.Underlying(), c.ExactString()))
	return err == nil
}

// stringPool are strings: those that the text mentions and a few others, and each with what the text appends to one.
func (u *Unit) stringPool(t types.Type) []string {
	var pool []string
	add := func(v string) {
		if text := fmt.Sprintf("%s(%s)", u.typeText(t), v); !slices.Contains(pool, text) {
			pool = append(pool, text)
		}
	}
	plain := append(u.literals(token.STRING), `"a"`, `""`, `"z"`)
	for _, v := range plain {
		add(v)
	}
	for _, v := range slices.Backward(plain) {
		for _, end := range u.appended() {
			begins, err := strconv.Unquote(v)
			if ends, also := strconv.Unquote(end); err == nil && also == nil {
				add(strconv.Quote(begins + ends))
			}
		}
	}
	return pool
}

// appended are the string literals that the text appends to something.
func (u *Unit) appended() (out []string) {
	ast.Inspect(u.file, func(n ast.Node) bool {
		if sum, ok := n.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
			if l, ok := sum.Y.(*ast.BasicLit); ok && l.Kind == token.STRING && !slices.Contains(out, l.Value) {
				out = append(out, l.Value)
			}
		}
		return true
	})
	return out
}

// literals are the literals of the unit's own functions.
func (u *Unit) literals(kind token.Token) []string {
	var out []string
	for _, d := range u.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == kind && !slices.Contains(out, l.Value) {
				out = append(out, l.Value)
			}
			return true
		})
	}
	return out
}

// keys are the keys that matter: one, unless a function is given two, or
// looks at the whole map.
func (u *Unit) keys() []string {
	keys := []string{`"a"`}
	two := slices.ContainsFunc([]string{".Range(", ".Clear()", "range s.", "clear(s.", "len(s."}, func(whole string) bool {
		return strings.Contains(u.Text, whole)
	})
	for m := range u.named(u.Name).Methods() {
		n := 0
		for p := range m.Signature().Params().Variables() {
			if strings.HasPrefix(p.Name(), "k") {
				n++
			}
		}
		two = two || n > 1
	}
	if two {
		keys = append(keys, `"b"`)
	}
	return keys
}
