package absint

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

func TestSplitEffect(t *testing.T) {
	for _, c := range []struct {
		text, name string
		args       []register.Value
	}{
		{`Stop(v1)`, "Stop", []register.Value{"v1"}},
		{`then reexec.Self()`, "then reexec.Self", nil},
		{`(*exec.Cmd).Start((*exec.Cmd).StdinPipe2, tt)`, "(*exec.Cmd).Start", []register.Value{"(*exec.Cmd).StdinPipe2", "tt"}},
		{`store T.f(t, {zero struct{a, b int}})`, "store T.f", []register.Value{"t", "{zero struct{a, b int}}"}},
		{`f("a, (\"", 1)`, "f", []register.Value{`"a, (\""`, "1"}},
		{`f`, "f", nil},
	} {
		name, args := splitEffect(c.text)
		assert.Equal(t, c.name, name, c.text)
		assert.Equal(t, c.args, args, c.text)
	}
}

// TestManyEffects checks that of what a call does only that is told which an
// order would not do.
func TestManyEffects(t *testing.T) {
	d := teller{w: &Witness{
		Result: Ending{Effects: []string{"then a()", "then store T.f(t, 1)", "then b()", "then c(2)"}},
		Atomic: []Order{{Differs: "result", Result: Ending{Effects: []string{"then a()", "then store T.f(t, 2)", "then b()", "then c(2)"}}}},
	}}
	rows := d.effects()
	assert.Equal(t, []string{"sets t.f to 1", "does 3 other things, as in any order"}, []string{rows[0].Op, rows[1].Op})
	assert.Len(t, rows, 2)
	assert.Equal(t, "it would set t.f to 2, not to 1", d.differs(&d.w.Atomic[0]))
	for _, c := range []struct {
		would, did []string
		want       string
	}{
		{[]string{"a()"}, nil, "it would call a(), which it did not"},
		{nil, []string{"a(v)"}, "it would not call a(v)"},
		{[]string{"a()", "b()"}, []string{"a()"}, "it would also call b()"},
		{[]string{"a()"}, []string{"a()", "b()", "c()"}, "it would not call b(), c()"},
		{[]string{"store T.f(t, 1)", "a()", "b()"}, []string{"c()"}, "it would set t.f to 1, call a(), b(), not call c()"},
		{[]string{"go (*T).run(t)"}, []string{"write(T.state1, 2)"}, "it would start (*T).run(t), not change T.state1"},
		{[]string{"store T.f(T#1, 1)", "a()", "store T.g(T#1, 2)"}, []string{"a()"}, "it would set up T#1, call a(), not call a()"},
		{[]string{"store T.f(T#1, U#1)", "store T.g(T#1, V#1)"}, []string{"store T.f(T#1, U#2)", "store T.g(T#1, V#2)"}, "it would set up T#1 with other values"},
		{[]string{"f(1)", "g(1)"}, []string{"f(2)", "g(2)"}, "it would call f(1), not f(2)"},
		{[]string{"f(1)"}, []string{"f(2)", "g(2)"}, "it would call f(1), not f(2), g(2)"},
		{[]string{"f(1)", "g(1)"}, []string{"f(1)", "g(2)"}, "it would call g(1), not g(2)"},
		{nil, []string{"a()", "b()", "c()", "d()"}, "it would not call a(), and so on"},
		{[]string{"store T.f(T#1, 1)"}, nil, "it would set T#1.f to 1, which it did not"},
	} {
		assert.Equal(t, c.want, d.effectsDiffer(c.would, c.did))
	}
}
