package reduce_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/reduce"
)

func TestPrintWritesTheText(t *testing.T) {
	p := parseOne(t, "func f(a)\nb0:\nreturn a")
	var b strings.Builder
	require.NoError(t, reduce.Print(&b, p))
	assert.Equal(t, "func f(a)\n\nb0:\n    return a\n", b.String())
}

func TestOperandText(t *testing.T) {
	tests := []struct{ lit, want string }{
		{"nil", "nil"}, {"true", "true"}, {"false", "false"}, {"absent", "absent"},
		{"0", "0"}, {"-12", "-12"}, {"1.5e+10", "1.5e+10"}, {"0x1p-3", "0x1p-3"},
		{`"a b"`, `"a b"`}, {`"é"`, `"é"`}, {`"\x00"`, `"\x00"`},
		{"&pkg.sessions", "&pkg.sessions"},
		{"{1 + 2i}", "{1 + 2i}"}, {"{struct{}{}}", "{struct{}{}}"}, {"{}", "{}"}, {"{a;b}", "{a;b}"},
		// What would be read as something else, or not at all.
		{"x", `{"x"}`}, {"-", `{"-"}`}, {"&", `{"&"}`}, {"&Cache[K].m", `{"&Cache[K].m"}`},
		{"`raw`", "{\"`raw`\"}"}, {`"\x61"`, `{"\"\\x61\""}`}, {`"`, `{"\""}`},
		{"{", `{"{"}`}, {"{}}", `{"{}}"}`}, {"{}x", `{"{}x"}`}, {"{a\nb}", `{"{a\nb}"}`},
		{`{"a"}`, `{"{\"a\"}"}`}, {"{\xff}", `{"{\xff}"}`}, {"1 2", `{"1 2"}`},
	}
	p := &reduce.Program{Name: "f"}
	for _, tt := range tests {
		got := p.OperandText(reduce.Lit(tt.lit))
		assert.Equal(t, tt.want, got)
		if tt.lit != reduce.LitAbsent {
			back := parseOne(t, "func f()\nb0:\nx = "+got+"\nreturn x")
			assert.Equal(t, reduce.Lit(tt.lit), back.Blocks[0].Instrs[0].Args[0])
		}
	}
}

// A debugger prints programs that are not well formed; that must not fail,
// and must not look like a program that is.
func TestPrintOfIllFormedPrograms(t *testing.T) {
	p := &reduce.Program{
		Name:   "f",
		Params: []reduce.Local{3},
		Cells:  []reduce.Cell{{Kind: 9, Map: reduce.L(-7)}},
		Blocks: []*reduce.Block{{
			Instrs: []reduce.Instr{
				{Op: reduce.Op(99)},
				{Op: reduce.Read, Cell: 4},
				{Op: reduce.Copy, Dst: []reduce.Local{0}, Args: []reduce.Operand{reduce.NoOperand}},
			},
			Term: reduce.Term{Kind: reduce.TermKind(99)},
		}},
	}
	text := p.String()
	assert.Equal(t, 9, strings.Count(text, "<?>"), text)
	_, err := reduce.Parse("f", []byte(text))
	assert.Error(t, err)
}

func TestPositions(t *testing.T) {
	tests := []struct {
		pos  reduce.Pos
		want string
	}{
		{"", "return\n"},
		{"a.go:1:2", "; a.go:1:2\n"},
		{`C:\my files\a.go:12`, `; C:\my files\a.go:12` + "\n"},
		{"unknown", "; \"unknown\"\n"},
		{"a.go:1:2 ", "; \"a.go:1:2 \"\n"},
		{"a\n:1", "; \"a\\n:1\"\n"},
		{`"a.go:1`, `; "\"a.go:1"` + "\n"},
	}
	for _, tt := range tests {
		p := parseOne(t, "func f()\nb0:\nreturn")
		p.Blocks[0].Term.Pos = tt.pos
		assert.True(t, strings.HasSuffix(p.String(), tt.want), p.String())
		assert.Equal(t, tt.pos, parseOne(t, p.String()).Blocks[0].Term.Pos)
	}
}
