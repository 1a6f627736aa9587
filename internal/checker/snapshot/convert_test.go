package snapshot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
)

// one is a history of one operation that returned.
func one(method string, args, results []history.Value) *history.History {
	return &history.History{Threads: []string{"A"}, Operations: []history.Operation{
		{Method: method, Args: args, Results: results, Call: 1, Return: 2, Line: 7},
	}}
}

// What is read and written, as text: segment=value.
func cells(h *History, all []Cell) string {
	var out []string
	for _, c := range all {
		out = append(out, h.Segments[c.Segment]+"="+string(h.Values[c.Value]))
	}
	return strings.Join(out, " ")
}

func TestConvert(t *testing.T) {
	type values = []history.Value
	for _, c := range []struct {
		method        string
		args, results values
		reads, writes string
	}{
		{"Store", values{`"a"`, "1"}, nil, "", `"a"=1`},
		{"update", values{"0", "1"}, nil, "", "0=1"},
		{"Delete", values{`"a"`}, nil, "", `"a"=null`},
		{"scan", nil, values{"5", "6"}, "0=5 1=6", ""},
		{"load-all", values{`"a"`, `"b"`}, values{"5", "null"}, `"a"=5 "b"=null`, ""},
		{"Load", values{`"a"`}, values{"5"}, `"a"=5`, ""},
		{"Load", values{`"a"`}, values{"0", "false"}, `"a"=null`, ""},
		{"Swap", values{`"a"`, "2"}, values{"1", "true"}, `"a"=1`, `"a"=2`},
		{"LoadAndDelete", values{`"a"`}, values{"1"}, `"a"=1`, `"a"=null`},
		{"LoadOrStore", values{`"a"`, "2"}, values{"2", "false"}, `"a"=null`, `"a"=2`},
		{"LoadOrStore", values{`"a"`, "2"}, values{"1", "true"}, `"a"=1`, ""},
		{"CompareAndSwap", values{`"a"`, "1", "2"}, values{"true"}, `"a"=1`, `"a"=2`},
		{"CompareAndDelete", values{`"a"`, "1"}, values{"true"}, `"a"=1`, `"a"=null`},
		{"Range", nil, values{`["a",1]`, `["b",2]`}, `"a"=1 "b"=2`, ""},
		{"Range", nil, values{`["a",1]`}, `"a"=1`, ""},
		{"Range", nil, values{`[["a",1],["b",2]]`}, `"a"=1 "b"=2`, ""},
		{"Range", nil, values{`[["a",1]]`}, `"a"=1`, ""},
		{"Range", nil, values{`{"b":[2,3],"a":1}`}, `"a"=1 "b"=[2,3]`, ""},
		{"Range", nil, values{`[]`}, "", ""},
		{"Range", nil, values{`null`}, "", ""},
		{"Range", nil, values{}, "", ""},
	} {
		h, err := Convert(one(c.method, c.args, c.results))
		require.NoError(t, err, "%s %v", c.method, c)
		assert.Equal(t, []string{c.reads, c.writes}, []string{cells(h, h.Operations[0].Reads), cells(h, h.Operations[0].Writes)}, "%v", c)
	}
}

func TestConvertErrors(t *testing.T) {
	type values = []history.Value
	for want, in := range map[string]*history.History{
		`7: method "push", want update, scan`:                              one("push", values{"1"}, nil),
		"7: Store with 1 arguments, want 2":                                one("Store", values{"1"}, nil),
		"7: scan of 2 segments with 1 results, want a value for each":      one("scan", values{"1", "2"}, values{"1"}),
		"7: scan of segment 1 twice, want each segment once":               one("scan", values{"1", "1"}, values{"1", "2"}),
		"7: Range that visits \"a\" twice, want each segment once":         one("Range", nil, values{`["a",1]`, `["a",2]`}),
		"7: result 5 of Range, want [SEGMENT,VALUE] for each":              one("Range", nil, values{"5"}),
		"7: cas that did not succeed, want one that did":                   one("cas", values{"1", "2", "3"}, values{"false"}),
		"7: Load with 0 results, want a value, or a value and whether it ": one("Load", values{"1"}, values{}),
	} {
		_, err := Convert(in)
		require.ErrorContains(t, err, want)
	}
}

func TestAliases(t *testing.T) {
	a := Aliases{}
	for _, text := range []string{"Both=scan(open, \"closed\")", "Set = update", "Open=update(open)", "All=range()", `Odd=load(["a, b", 1])`} {
		require.NoError(t, a.Add(text))
	}
	require.Equal(t, Alias{"scan", []history.Value{`"open"`, `"closed"`}}, a["Both"])
	require.Equal(t, Alias{"load", []history.Value{`["a, b", 1]`}}, a["Odd"])
	in := one("(*Board).Open", []history.Value{"1"}, nil)
	out := a.Apply(in)
	require.Equal(t, "update", out.Operations[0].Method)
	require.Equal(t, []history.Value{`"open"`, "1"}, out.Operations[0].Args)
	require.Equal(t, "(*Board).Open", in.Operations[0].Method, "what was read stays as it is")
	for text, want := range map[string]string{
		"Both":              `found "Both", want a name and what it is`,
		"=scan":             "want a name and what it is",
		"Both=scan(open":    "want a name and what it is",
		"Both=push":         `Both is to be "push", want update, scan`,
		"Both=scan(a,,b)":   "Both: an argument is missing",
		"Both=scan(a, )":    "Both: an argument is missing",
		"Both=scan(a, , b)": "Both: an argument is missing",
	} {
		require.ErrorContains(t, a.Add(text), want, text)
	}
}

func FuzzAliases(f *testing.F) {
	f.Add("Both=scan(open, \"closed\")")
	f.Add("All=range()")
	f.Add(`Odd=load(["a, b", 1],{"x":[)`)
	f.Fuzz(func(t *testing.T, text string) {
		a := Aliases{}
		if a.Add(text) != nil {
			return
		}
		require.Len(t, a, 1)
		for name, alias := range a {
			out := a.Apply(one("T."+name, nil, nil))
			if !strings.Contains(name, ".") {
				require.Equal(t, len(alias.Args), len(out.Operations[0].Args))
			}
		}
	})
}

// Whatever events say, they are a history of a snapshot object or there is an
// error, and the history is decided.
func FuzzConvert(f *testing.F) {
	f.Add(`{"type":"call","id":1,"thread":"R","method":"Range"}
{"type":"call","id":2,"thread":"W","method":"Store","args":["a",1]}
{"type":"return","id":1,"results":[["a",1]]}`)
	f.Add(`{"type":"call","id":1,"thread":"R","method":"scan","args":["a","b"]}
{"type":"return","id":1,"results":[1,null]}
{"type":"call","id":2,"thread":"R","method":"LoadOrStore","args":["a",1]}
{"type":"return","id":2,"results":[{"x":"y"},true]}`)
	f.Fuzz(func(t *testing.T, lines string) {
		in, err := history.ReadEvents("x", strings.NewReader("{\"format\":\"mapatom-history\",\"version\":1}\n"+lines), history.Options{})
		if err != nil || len(in.Operations) > 12 {
			return
		}
		h, err := Convert(in)
		if err != nil {
			return
		}
		_, err = h.Check(t.Context(), search.Options{Nodes: 10_000})
		require.NoError(t, err)
	})
}
