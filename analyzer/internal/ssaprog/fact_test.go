package ssaprog

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/types"
	"os"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

func readTestdata(t testing.TB, path string) string {
	t.Helper()
	src, err := os.ReadFile("../../testdata/src/" + path)
	require.NoError(t, err)
	return string(src)
}

// objectFacts lists the program facts of a package, by function.
func objectFacts(w *passtest.World, pkg *types.Package) map[string]string {
	out := map[string]string{}
	for obj, facts := range w.Facts.Objects {
		if obj.Pkg() != pkg {
			continue
		}
		for typ, b := range facts {
			f := reflect.New(typ.Elem()).Interface().(analysis.Fact)
			passtest.ImportFact(w.T, map[reflect.Type][]byte{typ: b}, f)
			out[obj.Name()] = fmt.Sprint(f)
		}
	}
	return out
}

func TestFactsOfLibrary(t *testing.T) {
	w := passtest.New(t)
	ps := load(w, "helperlib", readTestdata(t, "helperlib/helperlib.go"))
	assert.Equal(t, map[string]string{
		"Find": "operation: read", "Put": "operation: write", "PutIfAbsent": "operation: cas",
		"Remove": "operation: write", "Take": "operation: write", "Get": "operation: read",
		"Set": "operation: write", "Offer": "operation: cas", "GetOrPut": "operation: read, cas",
		"Lookup": "operation: read", "Assign": "operation: write", "Claim": "operation: cas",
	}, objectFacts(w, ps.Pass.Pkg))
}

func TestFactsImported(t *testing.T) {
	w := passtest.New(t)
	load(w, "helperlib", readTestdata(t, "helperlib/helperlib.go"))
	ps := load(w, "facts", readTestdata(t, "facts/facts.go"))
	for name, want := range map[string][]string{
		"(*Sessions).Open":      {"read c.m.m[id] Find", "write c.m.m[id] Put"},
		"(*Sessions).Elsewhere": {"read c.m.m[id] Find", "write c.spare.m[id] Put"},
		"(*Plain).Mixed":        {"read p.m[id] Load", "write p.m[id] helperlib.Set"},
		"(*Plain).ByLibrary":    {"read p.m[id] helperlib.GetOrPut", "cas p.m[id] helperlib.GetOrPut"},
		"(*Named).NameOnce":     {"read n.names.names[id] Lookup", "cas n.names.names[id] Claim"},
		"(*Twice).Ensure":       {"read t.w.m.m[id] get", "write t.w.m.m[id] set"},
	} {
		assert.ElementsMatch(t, want, ps.baseOps(t, name), name)
	}
	// The zero value of an instance is that of its type argument, and the
	// function passed to the library is followed.
	assert.NotContains(t, ps.text(t, "(*Sessions).Open"), "zero V")
	assert.Contains(t, ps.text(t, "(*Plain).ByLibrary"), "fresh facts.session")
	for _, fn := range ps.Roots() {
		assert.NotEqual(t, "(*Plain).ByLibrary.func1", FuncDocName(fn))
	}
}

func TestFactsAreDeterministicAndSmall(t *testing.T) {
	var texts []string
	for range 2 {
		w := passtest.New(t)
		load(w, "helperlib", readTestdata(t, "helperlib/helperlib.go"))
		var all []string
		for obj, facts := range w.Facts.Objects {
			for _, b := range facts {
				assert.Less(t, len(b), maxFactText+200)
				assert.NotContains(t, string(b), ".go:", "a position")
				all = append(all, obj.Name()+string(b))
			}
		}
		sort.Strings(all)
		texts = append(texts, strings.Join(all, "\n"))
	}
	assert.Equal(t, texts[0], texts[1])
}

// TestFactsBudget: however large a package is, its facts take no more than the
// documentation says, encoded as drivers do it.
func TestFactsBudget(t *testing.T) {
	var src strings.Builder
	src.WriteString("package big\nimport \"sync\"\n")
	for i := range 700 {
		fmt.Fprintf(&src, `
func GetOrPut%d(m *sync.Map, k string, v any) any {
	if v, ok := m.Load(k); ok { return v }
	if v, ok := m.Load(k + "x"); ok { return v }
	m.Store(k, v)
	m.Store(k + "x", v)
	return v
}
func Longer%[1]d(a, b string) bool { n := 0; for i := range a { n += i }; return n > len(b) }
`, i)
	}
	w := passtest.New(t)
	ps := load(w, "example.com/big", src.String())
	type entry struct {
		PkgPath, Object string
		Fact            analysis.Fact
	}
	var all []entry
	for obj, facts := range w.Facts.Objects {
		for typ := range facts {
			fact := reflect.New(typ.Elem()).Interface().(analysis.Fact)
			require.True(t, ps.Pass.ImportObjectFact(obj, fact))
			gob.Register(fact)
			all = append(all, entry{obj.Pkg().Path(), obj.Name(), fact})
		}
	}
	var encoded bytes.Buffer
	require.NoError(t, gob.NewEncoder(&encoded).Encode(all))
	assert.LessOrEqual(t, encoded.Len(), 64<<10)
	assert.Greater(t, encoded.Len(), 32<<10, "most of it is used")
}

func TestFactsWithheld(t *testing.T) {
	const src = `package %
import ("sync"; "time")
var m sync.Map
func Local(k string) { var m sync.Map; m.Store(k, 1) }
func private(k string) { m.Store(k, 1) }
func Global(k string) { m.Store(k, 1) }
func New() *sync.Map { return new(sync.Map) }
func Twice(n int) int { for i := 0; i < 40; i++ { n += helper(n) }; return n }
func helper(n int) int { for i := 0; i < 3; i++ { if n > 3 { n += i * i - n % 7 } else { n++ } }; return n }
func Wait() { time.Sleep(1) }
func main() { private("") }
//line q_test.go:100
func TestPut(k string) { m.Store(k, 1) }
func PutInTests(k string) { m.Store(k, 1) }
`
	w := passtest.New(t)
	ps := load(w, "example.com/q", strings.Replace(src, "%", "q", 1))
	assert.Equal(t, map[string]string{"Global": "operation: write", "New": "fresh", "Twice": "pure", "PutInTests": "operation: write"}, objectFacts(w, ps.Pass.Pkg))
	ps = load(w, "example.com/main", strings.Replace(src, "%", "main", 1))
	assert.Empty(t, objectFacts(w, ps.Pass.Pkg))
	ps = load(w, "expvar", strings.Replace(src, "%", "main2", 1))
	assert.Empty(t, objectFacts(w, ps.Pass.Pkg), "the standard library has tables instead")
}

func TestBrokenFact(t *testing.T) {
	assert.Equal(t, "broken program", (&programFact{Text: "no"}).String())
	w := passtest.New(t)
	lib := load(w, "example.com/lib", "package lib\nimport \"sync\"\nfunc Set(m *sync.Map) { m.Store(1, 2) }\n")
	w.Facts.Objects[lib.Pass.Pkg.Scope().Lookup("Set")][reflect.TypeFor[*programFact]()] = passtest.EncodeFact(t, &programFact{Text: "no"})
	pass := w.Pass("example.com/p", "package p\nimport (\"sync\"; \"example.com/lib\")\nfunc F(m *sync.Map) { m.Load(1); lib.Set(m) }\n")
	pkg, funcs, err := BuildSSA(pass)
	require.NoError(t, err)
	ps := Lower(pass, catalog.Default(), pkg, funcs)
	assert.Equal(t, []string{"read m[1] Load"}, ps.baseOps(t, "F"))
	assert.NotEmpty(t, ps.errs)
}
