package reduce

import (
	"flag"
	"go/ast"
	"go/importer"
	goparser "go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
	"golang.org/x/tools/txtar"
)

var updateLower = flag.Bool("update", false, "rewrite the golden files of testdata/lower")

// lowerImporter reads export data; the packages that it has read are shared by
// all tests.
var lowerImporter = sync.OnceValue(importer.Default)

// A lowered package: the functions of one source file, by their keys.
type lowerPkg struct {
	ssa   *ssa.Package
	funcs map[string]*ssa.Function
}

// buildLower builds the SSA form the way that go/analysis does.
func buildLower(t testing.TB, src string) *lowerPkg {
	t.Helper()
	lp, err := tryBuild(src)
	require.NoError(t, err)
	return lp
}

func tryBuild(src string) (*lowerPkg, error) {
	fset := token.NewFileSet()
	file, err := goparser.ParseFile(fset, "a.go", src, goparser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	conf := &types.Config{Importer: lowerImporter()}
	tpkg := types.NewPackage("example.com/"+file.Name.Name, file.Name.Name)
	pkg, _, err := ssautil.BuildPackage(conf, fset, tpkg, []*ast.File{file}, ssa.BuilderMode(0))
	if err != nil {
		return nil, err
	}
	lp := &lowerPkg{ssa: pkg, funcs: map[string]*ssa.Function{}}
	for fn := range ssautil.AllFunctions(pkg.Prog) {
		if len(fn.Blocks) > 0 && fn.Origin() == nil {
			lp.funcs[calls.FuncKey(fn)] = fn
		}
	}
	return lp, nil
}

// function finds a function by its name in go doc: F, (*T).M, F$1.
func (lp *lowerPkg) function(t testing.TB, name string) *ssa.Function {
	t.Helper()
	for _, fn := range lp.funcs {
		if fn.Pkg == lp.ssa && funcName(fn) == name {
			return fn
		}
	}
	require.Fail(t, "no function "+name)
	return nil
}

func (lp *lowerPkg) lower(t testing.TB, name string) *register.Program {
	t.Helper()
	p, err := NewLibrary(toyResolver{lp.ssa.Pkg}).Lower(lp.function(t, name))
	require.NoError(t, err)
	require.NoError(t, register.Check(p), "%s", p)
	return p
}

func (lp *lowerPkg) inline(t testing.TB, name string) *register.Program {
	t.Helper()
	lib := NewLibrary(toyResolver{lp.ssa.Pkg})
	p, err := lib.Lower(lp.function(t, name))
	require.NoError(t, err)
	p = Inline(p, lib.Lookup, 5, maxInlined)
	require.NoError(t, register.Check(p), "%s", p)
	require.Empty(t, callsOf(p))
	return p
}

// toyResolver knows sync.Map, some atomics, locks, a few pure functions, and a
// made-up package of containers with callbacks; functions of pkg are inlined.
type toyResolver struct{ pkg *types.Package }

func (r toyResolver) Call(fn *ssa.Function, call ssa.CallInstruction) calls.Info {
	c := call.Common()
	if c.IsInvoke() {
		if c.Method.Name() == "Lock" || c.Method.Name() == "Unlock" {
			return calls.Info{Kind: lockKind(c.Method.Name()), Mutex: c.Value}
		}
		return calls.Info{}
	}
	if src, ok := c.Value.(*ssa.Call); ok { // for k, v := range m.All()
		if all, args := calls.Callee(src); all != nil && all.Name() == "All" && len(args) == 1 {
			return calls.Info{Kind: calls.Base, Name: "All", Base: &calls.BaseCall{Kind: calls.BaseRange, Map: args[0], Callback: c.Args[0]}}
		}
	}
	callee, args := calls.Callee(call)
	if callee == nil {
		return calls.Info{}
	}
	name := shortFunc(callee)
	if o := callee.Origin(); o != nil {
		name = shortFunc(o)
	}
	if b := toyBase(name, args); b != nil {
		return calls.Info{Kind: calls.Base, Name: name, Base: b}
	}
	switch name {
	case "errors.New", "fmt.Errorf", "strings.ToLower", "fmt.Sprintf":
		return calls.Info{Kind: calls.Pure, Name: name}
	case "time.Now", "p.unpredictable":
		return calls.Info{Kind: calls.ReadOnly, Name: name, Clock: name == "time.Now"}
	case "log.Printf":
		return calls.Info{Kind: calls.Quiet, Name: name}
	case "p.construct":
		return calls.Info{Kind: calls.Fresh, Name: name}
	case "p.identity":
		return calls.Info{Kind: calls.Same, Name: name}
	case "os.Exit":
		return calls.Info{Kind: calls.NoReturn, Name: name}
	case "(*sync.WaitGroup).Wait":
		return calls.Info{Kind: calls.Blocking, Name: name}
	case "(*sync.Once).Do":
		return calls.Info{Kind: calls.Once, Name: name, Callback: args[1]}
	case "(*sync.Mutex).Lock", "(*sync.Mutex).Unlock", "(*sync.RWMutex).Lock", "(*sync.RWMutex).Unlock":
		return calls.Info{Kind: lockKind(callee.Name()), Name: name, Mutex: args[0], Guard: guardsToy(args[0])}
	case "(*sync.RWMutex).RLock", "(*sync.RWMutex).RUnlock":
		return calls.Info{Kind: lockKind(callee.Name()), Name: name, Mutex: args[0], Shared: true, Guard: guardsToy(args[0])}
	}
	if o := callee.Object(); o != nil && o.Pkg() == r.pkg && !strings.HasPrefix(callee.Name(), "opaque") {
		return calls.Info{Kind: calls.Inline, Name: name, Key: calls.FuncKey(callee)}
	}
	return calls.Info{Name: name}
}

func lockKind(method string) calls.Kind {
	if strings.Contains(method, "Un") {
		return calls.Unlock
	}
	return calls.Lock
}

// toyBase describes base operations; nil if it is none.
func toyBase(name string, args []ssa.Value) *calls.BaseCall {
	recv, method, _ := strings.Cut(strings.TrimPrefix(name, "(*"), ").")
	arg := func(i int) ssa.Value {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	m := &calls.BaseCall{Map: arg(0), Key: arg(1)}
	switch recv {
	case "sync.Map":
		return toySyncMap(m, method, arg)
	case "atomic.Int64", "atomic.Int32":
		m.Cell, m.Key, m.Zero = register.Atomic, nil, "0"
		return toyAtomic(m, method, arg)
	case "atomic.Pointer", "atomic.Pointer[T]":
		m.Cell, m.Key = register.Atomic, nil
		return toyAtomic(m, method, arg)
	case "atomic.Value":
		m.Cell, m.Key = register.Latch, nil
		return toyAtomic(m, method, arg)
	case "p.Box", "p.Box[K, V]":
		return toyBox(m, method, arg)
	}
	return nil
}

func toySyncMap(m *calls.BaseCall, method string, arg func(int) ssa.Value) *calls.BaseCall {
	switch method {
	case "Load":
		m.Kind, m.Results = calls.BaseLoad, []calls.Role{calls.RoleOld, calls.RoleHad}
	case "Store":
		m.Kind, m.Value = calls.BaseStore, arg(2)
	case "Swap":
		m.Kind, m.Value, m.Results = calls.BaseStore, arg(2), []calls.Role{calls.RoleOld, calls.RoleHad}
	case "Delete":
		m.Kind = calls.BaseDelete
	case "LoadAndDelete":
		m.Kind, m.Results = calls.BaseDelete, []calls.Role{calls.RoleOld, calls.RoleHad}
	case "LoadOrStore":
		m.Kind, m.Value, m.Results = calls.BaseInsert, arg(2), []calls.Role{calls.RoleActual, calls.RoleNotOk}
	case "CompareAndSwap":
		m.Kind, m.Old, m.New, m.Results = calls.BaseCAS, arg(2), arg(3), []calls.Role{calls.RoleOk}
	case "CompareAndDelete":
		m.Kind, m.Old, m.Results = calls.BaseCAD, arg(2), []calls.Role{calls.RoleOk}
	case "Range":
		m.Kind, m.Key, m.Callback = calls.BaseRange, nil, arg(1)
	case "Clear":
		m.Kind, m.Key = calls.BaseWhole, nil
	default:
		return nil
	}
	return m
}

func toyAtomic(m *calls.BaseCall, method string, arg func(int) ssa.Value) *calls.BaseCall {
	switch method {
	case "Load":
		m.Kind, m.Results = calls.BaseLoad, []calls.Role{calls.RoleOld}
	case "Store":
		m.Kind, m.Value = calls.BaseStore, arg(1)
	case "CompareAndSwap":
		m.Kind, m.Old, m.New, m.Results = calls.BaseCAS, arg(1), arg(2), []calls.Role{calls.RoleOk}
	case "Swap":
		m.Kind, m.Value, m.Results = calls.BaseStore, arg(1), []calls.Role{calls.RoleOld}
	case "Add":
		m.Kind, m.Func, m.Delta, m.Results = calls.BaseUpdate, "add", arg(1), []calls.Role{calls.RoleNew}
	default:
		return nil
	}
	return m
}

// toyBox has the operations of the libraries that sync.Map does not have.
func toyBox(m *calls.BaseCall, method string, arg func(int) ssa.Value) *calls.BaseCall {
	switch method {
	case "Replace":
		m.Kind, m.Value, m.Results = calls.BaseReplace, arg(2), []calls.Role{calls.RoleErr}
	case "Item":
		m.Kind, m.Results = calls.BaseLoad, []calls.Role{calls.RoleItem}
	case "Incr":
		m.Kind, m.Func, m.Delta, m.Zero, m.Results = calls.BaseUpdate, "add", arg(2), "0", []calls.Role{calls.RoleNew, calls.RoleErr}
	case "IncrFrom":
		m.Kind, m.FromZero, m.Zero, m.Results = calls.BaseUpdate, true, "0", []calls.Role{calls.RoleNew}
	case "Compute":
		m.Kind, m.Callback = calls.BaseCompute, arg(2)
		m.Params, m.Returns, m.Results = []calls.Role{calls.RoleOld, calls.RoleHad}, []calls.Role{calls.RoleNew, calls.RoleDelete}, []calls.Role{calls.RoleActual, calls.RoleOk}
	case "ComputeOp":
		m.Kind, m.Callback, m.OpWrite, m.OpDelete = calls.BaseCompute, arg(2), "1", "2"
		m.Params, m.Returns, m.Results = []calls.Role{calls.RoleOld, calls.RoleHad}, []calls.Role{calls.RoleNew, calls.RoleOp}, []calls.Role{calls.RoleActual, calls.RoleOk}
	case "GetOrCompute":
		m.Kind, m.Callback, m.OnMiss = calls.BaseCompute, arg(2), true
		m.Returns, m.Results = []calls.Role{calls.RoleNew}, []calls.Role{calls.RoleActual, calls.RoleHad}
	case "RemoveIf":
		m.Kind, m.Callback = calls.BaseCompute, arg(2)
		m.Params, m.Returns, m.Results = []calls.Role{calls.RoleKey, calls.RoleOld, calls.RoleHad}, []calls.Role{calls.RoleDelete}, []calls.Role{calls.RoleReturn}
	default:
		return nil
	}
	return m
}

// TestLowerGolden compares with testdata/lower. Each archive has a comment, a
// source file a.go, and sections named after functions: F is the program with
// calls inlined, and "F lowered" the one without.
func TestLowerGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/lower/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { testGolden(t, file) })
	}
}

func testGolden(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	require.NoError(t, err)
	require.Equal(t, "a.go", ar.Files[0].Name)
	lp := buildLower(t, string(ar.Files[0].Data))
	for i := range ar.Files[1:] {
		f := &ar.Files[i+1]
		var got string
		if name, ok := strings.CutSuffix(f.Name, " lowered"); ok {
			got = lp.lower(t, name).String()
		} else {
			got = lp.inline(t, f.Name).String()
		}
		if *updateLower {
			f.Data = []byte("\n" + got + "\n")
			continue
		}
		require.Equal(t, strings.TrimSpace(string(f.Data)), strings.TrimSpace(got), f.Name)
	}
	if *updateLower {
		require.NoError(t, os.WriteFile(file, txtar.Format(ar), 0o644))
	}
}
