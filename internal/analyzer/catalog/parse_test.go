package catalog

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	c, err := Parse("t.txt", strings.NewReader(`
# a comment
package example.com/kv/v2   # and another
pure Hash Key.String
type store map evicts as Store
	Get(key, _) (item:old, err) = load
	Take(key,value)(old,had)=store
	Upsert(key, value, func(had, old, value) (new, err)) (last, present) = compute
	Make(key, func() (new)) (actual, had) = compute if-absent split store
	Add(key, delta) (new, !ok) = update add if-present
	Wipe(...) (...) = clear
	Stats(...) = plain
type Entry item
	Value() (old) = unwrap
type Count atomic
	Inc() (new) = update add 1
	Reset() = store 0
	Flip() = update not
`))
	require.NoError(t, err)
	ops := map[string]*Op{}
	for _, op := range c.Ops() {
		ops[op.String()] = op
	}
	require.Len(t, ops, 11)

	get := ops["kv.Store.Get"]
	require.NotNil(t, get)
	assert.Equal(t, &Type{Pkg: "example.com/kv/v2", Name: "store", Display: "kv.Store", Evicts: true}, get.Type)
	assert.Equal(t, []Role{Key, Ignored}, get.Params)
	assert.Equal(t, []Role{ItemOld, Err}, get.Results)

	assert.Equal(t, Store, ops["kv.Store.Take"].Kind)
	up := ops["kv.Store.Upsert"]
	assert.Equal(t, &Signature{Params: []Role{Had, Old, Value}, Results: []Role{New, Err}}, up.Callback)
	assert.Equal(t, 2, up.Param(Callback))
	made := ops["kv.Store.Make"]
	assert.Equal(t, IfAbsent, made.When)
	assert.Equal(t, Store, made.Split)
	add := ops["kv.Store.Add"]
	assert.Equal(t, IfPresent, add.When)
	assert.Empty(t, add.Const)
	assert.Equal(t, Clear, ops["kv.Store.Wipe"].Whole)
	assert.Nil(t, ops["kv.Store.Wipe"].Params)
	assert.Nil(t, ops["kv.Store.Stats"].Params)
	assert.Equal(t, []Role{}, ops["kv.Store.Stats"].Results)
	assert.True(t, ops["kv.Entry.Value"].Type.Item)
	assert.Equal(t, "1", ops["kv.Count.Inc"].Const)
	assert.Equal(t, "0", ops["kv.Count.Reset"].Const)
	assert.Equal(t, "not", ops["kv.Count.Flip"].FN)
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ table, want string }{
		{"pure Foo", "t.txt:1: expected a package line first"},
		{"package", "t.txt:1: expected one import path after package"},
		{"package a b", "t.txt:1: expected one import path after package"},
		{"package a/.../b", "t.txt:1: package a/.../b: ... may only stand for the whole path, its beginning or its end"},
		{"package a\nquick Foo", `t.txt:2: "quick" is neither a class nor package, type or functions`},
		{"package a\npure", "t.txt:2: expected names after pure"},
		{"package a\npure Foo\n\nquiet Foo", "t.txt:4: Foo already has a class, on line 2"},
		{"package a\npure Foo[", `t.txt:2: "Foo[" is not a name or TYPE.METHOD`},
		{"package a\npure .Foo", `t.txt:2: ".Foo" is not a name or TYPE.METHOD`},
		{"package a\ntype T", "t.txt:2: expected type NAME map|atomic|latch|item"},
		{"package a\ntype T set", `t.txt:2: type T: "set" is not one of map, atomic, latch, item`},
		{"package a\ntype T map as", `t.txt:2: type T: unexpected "as"`},
		{"package a\ntype T map\ntype T map", "t.txt:3: a.T is listed twice"},
		{"package a/...\ntype T map", "t.txt:2: package a/...: operations need an exact import path"},
		{"package a\nfunctions map", "t.txt:2: expected functions atomic"},
		{"package a\nLoad(key) (old) = load", "t.txt:2: expected a type or functions line before an operation"},
		{"package a\ntype T map\nLoad(key) (old) = load\nLoad(key) (old) = load", "t.txt:4: a.T.Load is listed twice"},
	} {
		_, err := Parse("t.txt", strings.NewReader(tt.table))
		require.Error(t, err, tt.table)
		assert.Equal(t, tt.want, err.Error(), tt.table)
	}
}

func TestParseOpErrors(t *testing.T) {
	for _, tt := range []struct{ typ, line, want string }{
		{"map", "= load", `expected a method name, found "="`},
		{"map", "Load = load", `Load: expected "(", found "="`},
		{"map", "Load(key (old) = load", `Load: expected , or ) after a parameter, found "("`},
		{"map", "Load(key) (old) load =", `Load: expected "=", found "load"`},
		{"map", "Load(kee) = load", `Load: "kee" is not a parameter role; the roles are _, cell, delta, key, keys, new, old, value`},
		{"map", "Load(key) (kee) = load", `Load: "kee" is not a result role; the roles are !had, !ok, _, actual, delete, err, had, item:actual, item:new, item:old, key, last, new, ok, old, present, zero`},
		{"map", "Load(key) (old) = lode", `Load: "lode" is not a kind of operation; the kinds are cad, cas, compute, delete, insert, load, plain, replace, store, unwrap, update, clear, fill, iter, range, read, sweep`},
		{"map", "Load(key) (old) = load now", `Load: unexpected "now" at the end`},
		{"map", "Lo$ad(key) = load", `unexpected character in "Lo$ad"`},
		{"map", "Load() (old) = load", "Load: an operation of a map needs one key"},
		{"map", "Load(key, key) (old) = load", "Load: an operation of a map needs one key"},
		{"map", "Load(...) (old) = load", "Load: (...) leaves the cell open; it is for plain and whole-map operations"},
		{"map", "Load(cell, key) = load", "Load: a method's cell is its receiver, not a parameter"},
		{"map", "Put(key) = store", "Put: store needs a value, as a parameter or as a constant"},
		{"map", "Put(key, value) = store 0", "Put: store needs a value, as a parameter or as a constant"},
		{"map", "Put(key) = insert", "Put: the kind needs a value"},
		{"map", "Cas(key, new) (ok) = cas", "Cas: cas needs old and new"},
		{"map", "Cad(key) (ok) = cad", "Cad: cad needs old"},
		{"map", "Add(key) = update add", "Add: update add takes 1 operand(s) beside the content"},
		{"map", "Add(key, delta) = update pow", `Add: "pow" is not a function that update knows; it knows add, and, not, or, sub, xor`},
		{"map", "Do(key) (new) = compute", "Do: the kind needs a func parameter"},
		{"map", "Do(key, func()) = compute", "Do: the func must return new, delete or op"},
		{"map", "Do(key, func(...) (new)) = compute", "Do: the func's parameters and results must be given"},
		{"map", "Do(key, func() (new), func() (new)) = compute", "Do: only one func parameter is understood"},
		{"map", "Do(key, func() (old)) = compute", `Do: "old" is not a callback result role; the roles are _, cancel, delete, err, more, new, op, stop`},
		{"map", "Do(key, func() (new)) = compute split", "Do: expected split insert or split store"},
		{"map", "Do(key, func() (new)) = compute split store", "Do: split is for insert and compute if-absent"},
		{"map", "Get(key, func() (new)) (old) = load", "Get: only compute, range and sweep operations take a func"},
		{"map", "Each() = range", "Each: range needs a func parameter"},
		{"map", "Len(func(key)) (_) = read", "Len: only range and sweep take a func"},
		{"map", "Value() (old) = unwrap", "Value: unwrap belongs to an item type"},
		{"atomic", "Load(key) (old) = load", "Load: only an operation of a map has a key"},
		{"item", "Load(key) (old) = load", "Load: an item type has only unwrap and plain operations"},
		{"item", "Value() = unwrap", "Value: unwrap needs a result"},
	} {
		table := "package a\ntype T " + tt.typ + "\n" + tt.line
		_, err := Parse("t.txt", strings.NewReader(table))
		require.Error(t, err, tt.line)
		assert.Equal(t, "t.txt:3: "+tt.want, err.Error(), tt.line)
	}
	_, err := Parse("t.txt", strings.NewReader("package a\nfunctions atomic\nLoadX() (old) = load"))
	assert.EqualError(t, err, "t.txt:3: LoadX: a function needs one cell parameter")
}

// All errors of a table are reported, each with its line.
func TestParseReportsEveryError(t *testing.T) {
	_, err := Parse("t.txt", strings.NewReader("package a\npure\n\nslow X\ntype T map\nLoad() = load\n"))
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, 3)
	for i, prefix := range []string{"t.txt:2: ", "t.txt:4: ", "t.txt:6: "} {
		assert.True(t, strings.HasPrefix(lines[i], prefix), lines[i])
	}
}

func TestParseLongLine(t *testing.T) {
	_, err := Parse("t.txt", strings.NewReader("package a\n"+strings.Repeat("x", 1<<20)))
	assert.ErrorContains(t, err, "t.txt:2: ")
}

func TestPackageName(t *testing.T) {
	for path, want := range map[string]string{
		"sync": "sync", "github.com/puzpuzpuz/xsync/v3": "xsync", "github.com/patrickmn/go-cache": "cache",
		"example.com/v": "v", "example.com/v2x": "v2x",
	} {
		assert.Equal(t, want, packageName(path))
	}
}

// Whatever the table, the parser ends without a panic, its errors name a
// line, and what it accepts can be looked at.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"maps.txt", "pure.txt", "quiet.txt", "sync.txt", "names.txt"} {
		text, err := tables.ReadFile(name)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte("package a\ntype T map\nDo(key, func(old) (new, op)) (last) = compute if-present\n"))
	f.Add([]byte("package ...\npure *.Get* X\n"))
	f.Fuzz(func(t *testing.T, table []byte) {
		c, err := Parse("f.txt", bytes.NewReader(table))
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "f.txt:"), err.Error())
			return
		}
		for _, op := range c.Ops() {
			require.NotZero(t, op.Kind)
			require.NotEmpty(t, op.Type.Display)
			require.Equal(t, op.Param(Callback) >= 0, op.Callback != nil)
		}
		require.Len(t, c.Merge(c).Ops(), len(c.Ops()))
		c.Packages()
	})
}

// TestParseLines: a table inside something else has the numbers of that.
func TestParseLines(t *testing.T) {
	c, err := ParseLines("a.yml", []Line{{10, "package a"}, {12, "type T map"}, {9, "Get(key) (old) = load"}})
	require.NoError(t, err)
	assert.Len(t, c.Ops(), 1)
	_, err = ParseLines("a.yml", []Line{{10, "package a"}, {12, "type T map"}, {9, "Get(key) = lode"}, {7, "pure 1.2.3("}})
	assert.EqualError(t, err, `a.yml:9: Get: "lode" is not a kind of operation; the kinds are cad, cas, compute, delete, insert, load, plain, replace, store, unwrap, update, clear, fill, iter, range, read, sweep`+"\n"+`a.yml:7: "1.2.3(" is not a name or TYPE.METHOD`)
}

// TestWordsAreExplained: docs/map-libraries.md has every word that an operation can have.
func TestWordsAreExplained(t *testing.T) {
	page, err := os.ReadFile("../../../docs/map-libraries.md")
	require.NoError(t, err)
	all := []string{words(kinds), words(wholeKinds), words(updateFuncs)}
	for _, roles := range []map[string]Role{paramRoles, resultRoles, callbackParamRoles, callbackResultRoles} {
		all = append(all, words(roles))
	}
	for _, word := range strings.Split(strings.Join(all, ", "), ", ") {
		assert.Regexp(t, "`(update )?"+regexp.QuoteMeta(word)+"`", string(page))
	}
}
