package absint

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// did is an effect by what it is named after and what it is given, in the tail if its name says so.
func did(name string, args ...register.Value) Effect {
	return newEffect(&register.EffectEvent{Name: name, Args: args})
}

// often is an effect in a loop.
func often(name string, args ...register.Value) Effect {
	e := did(name, args...)
	e.Loop = true
	return e
}

// TestEffectWords: each kind of effect has its words, and its text names it.
func TestEffectWords(t *testing.T) {
	d := teller{w: &Witness{}}
	for _, c := range []struct {
		effect     Effect
		text, does string
	}{
		{did("Stop", "v"), "Stop(v)", "calls Stop(v)"},
		{did("then Stop", "v"), "then Stop(v)", "calls Stop(v)"},
		{did("go (*T).run", "t"), "go (*T).run(t)", "starts t.run()"},
		{did("go func"), "go func()", "starts a goroutine"},
		{did("http.Error", "w", "404"), "http.Error(w, 404)", "calls http.Error(w, 404)"},
		{did("chan send", "c", "v"), "send(c, v)", "sends v on c"},
		{did("chan close", "c"), "close(c)", "closes c"},
		{did("memory clear", "m"), "clear(m)", "clears m"},
		{did("pkg.T.close", "t"), "pkg.T.close(t)", "calls t.close()"},
		{did("store pkg.T.f", "t", "1"), "store pkg.T.f(t, 1)", "sets t.f to 1"},
		{did("map assign", "m", "k", "v", "t"), "map assign(m, k, v, t)", "sets m[k] to v"},
		{did("map delete", "m", "k", "t"), "map delete(m, k, t)", "deletes m[k]"},
		{did("store element", "s", "0", "v"), "store element(s, 0, v)", "sets s[0] to v"},
		{did("store", "p", "v"), "store(p, v)", "sets p to v"},
		{did(register.OperationEffect(register.Write), "c", "2"), "write(c, 2)", "changes c"},
		{did(register.OperationEffect(register.Read), "c"), "read(c)", "looks at c"},
		{often("map assign", "t"), "map assign(t)", "changes t"},
		{often("Stop", "v"), "Stop(v)", "calls Stop(v)"},
	} {
		assert.Equal(t, c.text, c.effect.String())
		assert.Equal(t, c.does, d.words(&c.effect).does(), c.text)
	}
}

// TestManyEffects checks that of what a call does only that is told which an
// order would not do.
func TestManyEffects(t *testing.T) {
	type effects = []Effect
	d := teller{w: &Witness{
		Result: Ending{Effects: effects{did("then a"), did("then store p.T.f", "t", "1"), did("then b"), did("then c", "2")}},
		Atomic: []Order{{Differs: "result", Result: Ending{Effects: effects{did("then a"), did("then store p.T.f", "t", "2"), did("then b"), did("then c", "2")}}}},
	}}
	rows := d.effects()
	assert.Equal(t, []string{"sets t.f to 1", "does 3 other things, as in any order"}, []string{rows[0].Op, rows[1].Op})
	assert.Len(t, rows, 2)
	assert.Equal(t, "it would set t.f to 2, not to 1", d.differs(&d.w.Atomic[0]))
	for _, c := range []struct {
		would, did effects
		want       string
	}{
		{effects{did("a")}, nil, "it would call a(), which it did not"},
		{nil, effects{did("a", "v")}, "it would not call a(v)"},
		{effects{did("a"), did("b")}, effects{did("a")}, "it would also call b()"},
		{effects{did("a")}, effects{did("a"), did("b"), did("c")}, "it would not call b(), c()"},
		{effects{did("store p.T.f", "t", "1"), did("a"), did("b")}, effects{did("c")}, "it would set t.f to 1, call a(), b(), not call c()"},
		{effects{did("go (*T).run", "t")}, effects{did("cell write", "T.state1", "2")}, "it would start t.run(), not change T.state1"},
		{effects{did("store p.T.f", "T#1", "1"), did("a"), did("store p.T.g", "T#1", "2")}, effects{did("a")}, "it would set up T#1, call a(), not call a()"},
		{effects{did("store p.T.f", "T#1", "U#1"), did("store p.T.g", "T#1", "V#1")}, effects{did("store p.T.f", "T#1", "U#2"), did("store p.T.g", "T#1", "V#2")}, "it would set up T#1 with other values"},
		{effects{did("f", "1"), did("g", "1")}, effects{did("f", "2"), did("g", "2")}, "it would call f(1), not f(2)"},
		{effects{did("f", "1")}, effects{did("f", "2"), did("g", "2")}, "it would call f(1), not f(2), g(2)"},
		{effects{did("f", "1"), did("g", "1")}, effects{did("f", "1"), did("g", "2")}, "it would call g(1), not g(2)"},
		{nil, effects{did("a"), did("b"), did("c"), did("d")}, "it would not call a(), and so on"},
		{effects{did("store p.T.f", "T#1", "1")}, nil, "it would set T#1.f to 1, which it did not"},
		{nil, effects{often("map assign", "t"), often("store p.T.f", "t")}, "it would not change t"},
	} {
		assert.Equal(t, c.want, d.effectsDiffer(c.would, c.did))
	}
}
