package gosource

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// box has a type for each rule of Values, as parameters of functions.
const box = `package box

import (
	"context"
	"io"
	"sync"
	"time"
)

type State int8

const (
	Idle State = iota
	Busy
	done
)

type Item struct {
	ID   string
	N    int
	At   time.Time
	hook func()
	mu   sync.Mutex
}

type node struct{ next *Item }

type Shape interface{ Area() int }

type square struct{ side int }

func (s *square) Area() int { return s.side }

type Foreign interface{ io.ReadWriteCloser }

func F(a int, b string, c State, d *Item, e node, f []string, g map[string]bool, h any, i error, j time.Duration,
	k context.Context, l func(string, ...int) (State, error), m chan int, n Shape, o Foreign, p [2]int, q *sync.Mutex) {
}

func makeMutex() *sync.Mutex { return &sync.Mutex{} }

type List[T any, K comparable] struct{ all map[K]T }

func NewList[K comparable, T any](n int) (List[T, K], error) { return List[T, K]{}, nil }

func Default() *List[int, string] { return nil }

func Open() (*Item, io.Reader) { return nil, nil }
`

func check(t *testing.T, files ...string) (*types.Package, error) {
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, text := range files {
		f, err := parser.ParseFile(fset, "", text, 0)
		require.NoError(t, err, text)
		parsed = append(parsed, f)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	return config.Check("example.com/box", fset, parsed, nil)
}

// write gives the values of each parameter of F, as people read them and as a file
// that the compiler accepts has them.
func write(t *testing.T, pkg *types.Package, file *File, v *Values) map[string][]string {
	words := map[string][]string{}
	code := "func use(" + types.TypeString(types.Universe.Lookup("any").Type(), nil) + ") {}\nfunc all() {\n"
	for p := range pkg.Scope().Lookup("F").Type().(*types.Signature).Params().Variables() {
		values, err := v.Of(p.Type())
		if err != nil {
			words[p.Name()] = []string{"error: " + err.Error()}
			continue
		}
		for _, x := range values {
			words[p.Name()] = append(words[p.Name()], x.Word)
			code += x.Before + "{ var x " + file.Type(p.Type()) + " = " + x.Code + "; use(x) }\n"
			if x.Seen != "" {
				code += "use(" + x.Seen + ")\n"
			}
		}
	}
	source, err := file.Source(v.Declarations()+code+"}\n", false)
	require.NoError(t, err)
	_, err = check(t, box, string(source))
	require.NoError(t, err, string(source))
	return words
}

func TestValues(t *testing.T) {
	pkg, err := check(t, box)
	require.NoError(t, err)
	file := NewFile(pkg.Path(), pkg.Name(), pkg.Scope())
	leaves := Leaves{Numbers: []string{"1", "2"}, Strings: []string{`"a"`, `"b"`, `"c"`}, Any: []string{`"a"`, `"b"`}, Durations: []string{"time.Hour"}}

	loose := &Values{File: file, Leaves: leaves, Most: 3, Hollow: true, Makers: []*types.Func{pkg.Scope().Lookup("makeMutex").(*types.Func)}}
	assert.Equal(t, map[string][]string{
		"a": {"1", "2"}, "b": {`"a"`, `"b"`, `"c"`}, "c": {"Busy", "done"},
		"d": {`&{ID: "a", N: 1, At: time.Unix(1, 0)}`, `&{ID: "b", N: 2, At: time.Unix(1<<33, 0)}`, `&{ID: "a", N: 2, At: time.Unix(1<<33, 0)}`},
		"e": {`{next: &{ID: "a", N: 1, At: time.Unix(1, 0)}}`, `{next: &{ID: "b", N: 2, At: time.Unix(1<<33, 0)}}`},
		"f": {`{"a"}`, `{"a", "b"}`, `{"b"}`}, "g": {`{"a": false}`}, "h": {`"a"`, `"b"`},
		"i": {`errors.New("a")`, `errors.New("b")`}, "j": {"time.Hour"}, "k": {"context.Background()"},
		"l": {"f1", "f2"}, "m": {"make(chan int, 1)"}, "n": {"&{side: 1}", "&{side: 2}"}, "o": {"a box.Foreign"},
		"p": {"[2]int{}"}, "q": {"makeMutex()"},
	}, write(t, pkg, file, loose))

	strict := &Values{File: file, Leaves: leaves, Most: 2, Notes: "[]any", Given: map[string][]string{"string": {`"x"`}}}
	words := write(t, pkg, file, strict)
	assert.Equal(t, []string{`"x"`}, words["b"])
	assert.Equal(t, []string{"f"}, words["l"])
	assert.Equal(t, []string{"error: there is no value known of type chan int"}, words["m"])
	assert.Equal(t, []string{"error: there is no value known of the interface example.com/box.Foreign"}, words["o"])
	assert.Equal(t, []string{"&{}"}, words["q"])
}

// TestStub: an interface that nothing implements has a value whose methods do something.
func TestStub(t *testing.T) {
	const source = `package box

import "context"

type Source interface {
	Next(ctx context.Context) (string, error)
	Write(p []byte) (int, error)
	Read(p []byte) (n int, err error)
	Close() error
	Self() Source
	hidden(map[string]bool)
}
`
	pkg, err := check(t, source)
	require.NoError(t, err)
	file := NewFile(pkg.Path(), pkg.Name(), pkg.Scope())
	v := &Values{File: file, Leaves: Leaves{Strings: []string{`"a"`}}, Most: 2, Hollow: true, Runs: "ran"}
	values, err := v.Of(pkg.Scope().Lookup("Source").Type())
	require.NoError(t, err)
	assert.Equal(t, []Value{{Word: "a box.Source", Code: "&mapatomStub1{}"}}, values)
	text, err := file.Source(v.Declarations()+"var _ Source = "+values[0].Code+"\n", false)
	require.NoError(t, err)
	_, err = check(t, source, string(text))
	require.NoError(t, err, string(text))
	for _, want := range []string{
		"Close() error { return nil }", "Read(a0 []byte) (int, error) { return 0, io.EOF }", "Write(a0 []byte) (int, error) { return len(a0), nil }",
		"if s.calls[0]++; s.calls[0] > 1 { return *new(string), io.EOF } return \"a\", nil", "return &mapatomStub1{}", "hidden(a0 map[string]bool)",
	} {
		assert.Contains(t, strings.Join(strings.Fields(string(text)), " "), want)
	}
}

// TestVisible: a file of another package names what is exported only.
func TestVisible(t *testing.T) {
	pkg, err := check(t, box)
	require.NoError(t, err)
	other := NewFile("example.com/other", "other", nil)
	scope := pkg.Scope()
	assert.True(t, other.Nameable(types.NewSlice(scope.Lookup("Item").Type())))
	assert.False(t, other.Nameable(types.NewSlice(scope.Lookup("node").Type())))
	assert.Equal(t, "[]box.Item", other.Type(types.NewSlice(scope.Lookup("Item").Type())))
	v := &Values{File: other, Most: 2}
	busy, err := v.Of(scope.Lookup("State").Type())
	require.NoError(t, err)
	assert.Equal(t, []Value{{Word: "Idle", Code: "box.Idle"}, {Word: "Busy", Code: "box.Busy"}}, busy)
	for path, by := range map[string]string{"m/internal/x": "m/a", "m/a/internal": "m/a"} {
		assert.False(t, internal(path, by), path)
	}
	for path, by := range map[string]string{"m/internal/x": "n/a", "internal/x": "a", "m/a/internal": "m/ab"} {
		assert.True(t, internal(path, by), path)
	}
}

// TestNames: an import has a name that nothing in the package has, nor the code
// that is written; what the file does not use is not imported.
func TestNames(t *testing.T) {
	pkg, err := check(t, "package box\n\nvar sync, list int\n")
	require.NoError(t, err)
	f := NewFile(pkg.Path(), pkg.Name(), pkg.Scope())
	assert.Equal(t, "sync2", f.Import("sync"))
	assert.Equal(t, "list2", f.Import("container/list"))
	assert.Equal(t, "time", f.Import("time"))
	assert.Equal(t, "worldpkg", f.Qualify(types.NewPackage("example.com/world", "world")))
	assert.Equal(t, "r2pkg", f.Qualify(types.NewPackage("example.com/r2", "r2")))
	source, err := f.Source("// sync2.Once and time.Now are not used here.\nvar m sync2.Mutex\nvar uptime = struct{ Now int }{}.Now\n", true)
	require.NoError(t, err)
	assert.Equal(t, `package box

import (
	sync2 "github.com/mapatom/mapatom/checker/sched/sync"
)

// sync2.Once and time.Now are not used here.
var m sync2.Mutex
var uptime = struct{ Now int }{}.Now
`, string(source))
	_, err = f.Source("func {", false)
	assert.ErrorContains(t, err, "internal error")
}

// TestConstructors: what is likely to make an object comes first, type arguments are
// those of the type, and a value is held by pointer.
func TestConstructors(t *testing.T) {
	pkg, err := check(t, box)
	require.NoError(t, err)
	var names []string
	for _, f := range Constructors(pkg.Scope().Lookup("List").(*types.TypeName)) {
		names = append(names, f.Name())
	}
	assert.Equal(t, []string{"NewList", "Default"}, names)

	f := NewFile(pkg.Path(), pkg.Name(), pkg.Scope())
	c, err := NewConstructor(pkg.Scope().Lookup("NewList").(*types.Func), []string{"bool", "string"})
	require.NoError(t, err)
	assert.Equal(t, "*List[bool, string]", f.Type(c.Object()))
	assert.Equal(t, "v, err := NewList[string, bool](2)\nif err != nil {\npanic(err)\n}\no := &v\n", f.Construct(c, []string{"2"}))
	c, err = NewConstructor(pkg.Scope().Lookup("NewList").(*types.Func), nil)
	require.NoError(t, err)
	assert.Equal(t, "*List[int, int]", f.Type(c.Object()))
	_, err = NewConstructor(pkg.Scope().Lookup("Open").(*types.Func), nil)
	assert.ErrorContains(t, err, "want one object")
}
