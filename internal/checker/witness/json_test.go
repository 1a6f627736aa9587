package witness

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func read(text string) (*Picture, error) {
	return Read(json.NewDecoder(strings.NewReader(text)))
}

// TestJSON writes all pictures into one file, reads them back, and draws the
// same.
func TestJSON(t *testing.T) {
	var file, first bytes.Buffer
	var names []string
	for name, p := range drawn() {
		names = append(names, name)
		require.NoError(t, Write(&file, p))
	}
	dec := json.NewDecoder(&file)
	for _, name := range names {
		p := drawn()[name]
		got, err := Read(dec)
		require.NoError(t, err)
		if name != "hostile" { // bytes that are no UTF-8 do not survive
			assert.Equal(t, p.Text(TextOptions{}), got.Text(TextOptions{}))
			assert.Equal(t, p.Section("x", 2), got.Section("x", 2))
		}
		first.Reset()
		require.NoError(t, Write(&first, got))
		again, err := read(first.String())
		require.NoError(t, err)
		assert.Equal(t, got, again)
		assert.NotContains(t, first.String(), "null,\"inner", "lists are not null")
	}
	_, err := Read(dec)
	require.Equal(t, io.EOF, err)
}

func TestJSONGolden(t *testing.T) {
	var out bytes.Buffer
	for _, name := range []string{"queue", "nested", "stuck", "empty"} {
		require.NoError(t, Write(&out, drawn()[name]))
	}
	golden(t, "pictures.jsonl", out.String())
}

// TestReadLeast reads what has only what it must have.
func TestReadLeast(t *testing.T) {
	p, err := read(`{"version":1,"operations":[{"method":"get","call":3},{"method":"set","call":4,"return":null,"extra":1}]}`)
	require.NoError(t, err)
	assert.True(t, p.Operations[0].Pending())
	assert.True(t, p.Operations[1].Pending())
	assert.Equal(t, []string{""}, p.lanes())
}

// TestReadWrong checks that what is wrong is named.
func TestReadWrong(t *testing.T) {
	deep := strings.Repeat(`{"method":"m","call":1,"return":1,"inner":[`, 9) + strings.Repeat("]}", 9)
	for text, want := range map[string]string{
		`nonsense`:      "not a picture of a history",
		`[1]`:           "not a picture of a history",
		`{"version":1`:  "unexpected EOF",
		`{}`:            "it has no version",
		`{"version":2}`: "version 2: want version 1",
		`{"version":1}`: "it has no operations",
		`{"version":1,"operations":[],"core":[0]}`:                                                                      "core: there is no operation 0",
		`{"version":1,"operations":[{"call":1}]}`:                                                                       "operation 0: it has no method",
		`{"version":1,"operations":[{"method":"m"}]}`:                                                                   "has no call",
		`{"version":1,"operations":[{"method":"m","call":2,"return":1}]}`:                                               "m is called at 2 and returns before that, at 1",
		`{"version":1,"operations":[{"method":"m","call":2,"results":["1"]}]}`:                                          "m has results but did not return",
		`{"version":1,"operations":[{"method":"m","call":1.5}]}`:                                                        "cannot unmarshal",
		`{"version":1,"operations":[{"method":"m","call":2}],"core":[0,0]}`:                                             "operation 0 is there twice",
		`{"version":1,"operations":[{"method":"m","call":2}],"linearization":[-1]}`:                                     "there is no operation -1",
		`{"version":1,"operations":[],"threads":["a","a"]}`:                                                             `thread "a" is listed twice`,
		`{"version":1,"operations":[],"omitted":-1}`:                                                                    "-1 operations are omitted",
		`{"version":1,"operations":[` + deep + `]}`:                                                                     "nested more than 8 deep",
		`{"version":1,"operations":[{"method":"m","call":2,"inner":[{"method":"n","call":1}]}]}`:                        "inner operation 0, n, is not within m",
		`{"version":1,"operations":[{"method":"m","call":1,"return":2},{"method":"n","call":3}],"linearization":[1,0]}`: "operation 0 comes after operation 1, but returned before",
	} {
		_, err := read(text)
		assert.ErrorContains(t, err, want, text)
	}
}

// FuzzRead checks that whatever is read can be drawn and written, and is the
// same when it is read again.
func FuzzRead(f *testing.F) {
	for _, p := range drawn() {
		var out bytes.Buffer
		require.NoError(f, Write(&out, p))
		f.Add(out.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := read(text)
		if err != nil {
			return
		}
		p.Text(TextOptions{Width: 30, Limit: 5})
		parse(t, "<main>"+p.Section("x", 2)+"</main>")
		var out bytes.Buffer
		require.NoError(t, Write(&out, p))
		again, err := read(out.String())
		require.NoError(t, err)
		var second bytes.Buffer
		require.NoError(t, Write(&second, again))
		require.Equal(t, out.String(), second.String())
	})
}
