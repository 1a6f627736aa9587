package register_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

func TestPrintWritesTheText(t *testing.T) {
	p := parseOne(t, "func f(a)\nb0:\nreturn a")
	var b strings.Builder
	require.NoError(t, register.Print(&b, p))
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
	p := &register.Program{Name: "f"}
	for _, tt := range tests {
		got := p.OperandText(register.Lit(tt.lit))
		assert.Equal(t, tt.want, got)
		if tt.lit != register.LitAbsent {
			back := parseOne(t, "func f()\nb0:\nx = "+got+"\nreturn x")
			assert.Equal(t, register.Lit(tt.lit), back.Blocks[0].Instrs[0].Args[0])
		}
	}
}

// A debugger prints programs that are not well formed; that must not fail,
// and must not look like a program that is.
func TestPrintOfIllFormedPrograms(t *testing.T) {
	p := &register.Program{
		Name:   "f",
		Params: []register.Local{3},
		Cells:  []register.Cell{{Kind: 9, Map: register.L(-7)}},
		Blocks: []*register.Block{{
			Instrs: []register.Instr{
				{Op: register.Op(99)},
				{Op: register.Read, Cell: 4},
				{Op: register.Copy, Dst: []register.Local{0}, Args: []register.Operand{register.NoOperand}},
			},
			Term: register.Term{Kind: register.TermKind(99)},
		}},
	}
	text := p.String()
	assert.Equal(t, 9, strings.Count(text, "<?>"), text)
	_, err := register.Parse("f", []byte(text))
	assert.Error(t, err)
}

func TestPositions(t *testing.T) {
	tests := []struct {
		pos  register.Pos
		want string
	}{
		{register.Pos{}, "return\n"},
		{register.Pos{File: "a.go", Line: 1, Column: 2}, "; a.go:1:2\n"},
		{register.Pos{File: `C:\my files\a.go`, Line: 12}, `; C:\my files\a.go:12` + "\n"},
		{register.Pos{File: "a\n", Line: 1}, "; \"a\\n:1\"\n"},
		{register.Pos{File: `"a.go`, Line: 1}, `; "\"a.go:1"` + "\n"},
		{register.Pos{File: "a:1", Line: 2}, "; a:1:2:0\n"},
	}
	for _, tt := range tests {
		p := parseOne(t, "func f()\nb0:\nreturn")
		p.Blocks[0].Term.Pos = tt.pos
		assert.True(t, strings.HasSuffix(p.String(), tt.want), p.String())
		assert.Equal(t, tt.pos, parseOne(t, p.String()).Blocks[0].Term.Pos)
	}
}
