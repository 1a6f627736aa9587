package absint

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint/internal/oracle"
	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestRetries: a call that tries again until nobody was faster is one step, if its last round
// begins as its first one did and looks once.
func TestRetries(t *testing.T) {
	const loop = "b0:\n jump b1\nb1:\n old, _ = read c0\n new = pure f(old, x)\n _, ok = cas weak c0, old, new\n branch ok, b2, b1\nb2:\n return "
	for name, c := range map[string]struct {
		body string
		is   bool
	}{
		"a loop":                   {loop + "new\n", true},
		"returns what was there":   {loop + "old\n", true},
		"gives up":                 {"b0:\n old, _ = read c0\n new = pure f(old, x)\n _, ok = cas weak c0, old, new\n branch ok, b1, b2\nb1:\n return true\nb2:\n return false\n", false},
		"asks first":               {"b0:\n jump b1\nb1:\n old, _ = read c0\n done = pure g(old)\n branch done, b3, b2\nb2:\n new = pure f(old, x)\n _, ok = cas weak c0, old, new\n branch ok, b3, b1\nb3:\n return done\n", true},
		"expects something else":   {"b0:\n jump b1\nb1:\n old, _ = read c0\n new = pure f(old, x)\n _, ok = cas weak c0, x, new\n branch ok, b2, b1\nb2:\n return new\n", false},
		"expects what was there":   {"b0:\n jump b1\nb1:\n old, _ = read c0\n e = old\n new = pure f(old, x)\n _, ok = cas weak c0, e, new\n branch ok, b2, b1\nb2:\n return new\n", true},
		"looks again":              {"b0:\n jump b1\nb1:\n old, _ = read c0\n _, ok = cas weak c0, old, x\n branch ok, b2, b1\nb2:\n v, _ = read c0\n return v\n", false},
		"looks twice":              {"b0:\n jump b1\nb1:\n one, _ = read c0\n old, _ = read c0\n _, ok = cas weak c0, old, one\n branch ok, b2, b1\nb2:\n return\n", false},
		"counts its rounds":        {"b0:\n n = 0\n jump b1\nb1:\n old, _ = read c0\n n = pure add(n, 1)\n new = pure f(old, n)\n _, ok = cas weak c0, old, new\n branch ok, b2, b1\nb2:\n return n\n", false},
		"remembers":                {"b0:\n seen = nil\n jump b1\nb1:\n old, _ = read c0\n new = pure f(old, seen)\n seen = old\n _, ok = cas weak c0, old, new\n branch ok, b2, b1\nb2:\n return new\n", false},
		"ends after some rounds":   {"b0:\n jump b1\nb1:\n old, _ = read c0\n _, ok = cas weak c0, old, x\n branch ok, b2, b3\nb2:\n return true\nb3:\n done = unknown done#1()\n branch done, b4, b1\nb4:\n return false\n", false},
		"ends before it looks":     {"b0:\n jump b1\nb1:\n done = unknown done#1()\n branch done, b3, b2\nb2:\n old, _ = read c0\n _, ok = cas weak c0, old, x\n branch ok, b4, b1\nb3:\n return false\nb4:\n return true\n", true},
		"a new object each time":   {"b0:\n jump b1\nb1:\n old, _ = read c0\n o = fresh T#1(old)\n _, ok = cas weak c0, old, o\n branch ok, b2, b1\nb2:\n return o\n", true},
		"an unknown each time":     {"b0:\n jump b1\nb1:\n old, _ = read c0\n o = unknown T#1(old)\n _, ok = cas weak c0, old, o\n branch ok, b2, b1\nb2:\n return o\n", true},
		"an effect each time":      {"b0:\n jump b1\nb1:\n old, _ = read c0\n effect \"then log\"(old)\n _, ok = cas weak c0, old, x\n branch ok, b2, b1\nb2:\n return\n", false},
		"an effect in the end":     {"b0:\n jump b1\nb1:\n old, _ = read c0\n _, ok = cas weak c0, old, x\n branch ok, b2, b1\nb2:\n effect \"then log\"(old)\n return\n", true},
		"looks before the loop":    {"b0:\n old, _ = read c0\n jump b1\nb1:\n new = pure f(old, x)\n _, ok = cas weak c0, old, new\n branch ok, b3, b2\nb2:\n old, _ = read c0\n jump b1\nb3:\n return new\n", true},
		"asks before the loop":     {"b0:\n old, _ = read c0\n no = pure g(old)\n branch no, b4, b1\nb1:\n new = pure f(old, x)\n _, ok = cas weak c0, old, new\n branch ok, b3, b2\nb2:\n old, _ = read c0\n jump b1\nb3:\n return new\nb4:\n return nil\n", false},
		"computes before the loop": {"b0:\n old, _ = read c0\n new = pure f(old, x)\n jump b1\nb1:\n _, ok = cas weak c0, old, new\n branch ok, b3, b2\nb2:\n old, _ = read c0\n jump b1\nb3:\n return new\n", false},
		"asks in the loop":         {"b0:\n old, _ = read c0\n jump b1\nb1:\n new = pure f(old, x)\n _, ok = cas weak c0, old, new\n branch ok, b3, b2\nb2:\n old, _ = read c0\n no = pure g(old)\n branch no, b4, b1\nb3:\n return new\nb4:\n return nil\n", false},
		"waits for it":             {"b0:\n jump b1\nb1:\n v, _ = read c0\n is = pure g(v)\n branch is, b2, b1\nb2:\n return v\n", true},
		"waits, and takes it":      {"b0:\n jump b1\nb1:\n v, _ = read c0\n is = pure g(v)\n branch is, b2, b1\nb2:\n _, ok = cas weak c0, v, x\n branch ok, b3, b1\nb3:\n return v\n", true},
		"waits, and overwrites":    {"b0:\n jump b1\nb1:\n v, _ = read c0\n is = pure g(v)\n branch is, b2, b1\nb2:\n _, _ = write c0, x\n return v\n", false},
		"a strong one, and leaves": {"b0:\n now, ok = cas c0, nil, x\n return now, ok\n", true},
		"a weak one, and leaves":   {"b0:\n now, ok = cas weak c0, nil, x\n return now, ok\n", false},
		"a strong one, then more":  {"b0:\n now, ok = cas c0, nil, x\n branch ok, b1, b2\nb1:\n return now\nb2:\n _, is = cas c0, now, x\n branch is, b1, b3\nb3:\n return nil\n", false},
		"a lock of one's own":      {"b0:\n jump b1\nb1:\n _, ok = cas weak c0, nil, x\n branch ok, b2, b1\nb2:\n return\n", true},
	} {
		p := parsed(t, name, c.body)
		p.Cells = p.Cells[:1]
		assert.Equal(t, c.is, summary.IsOneRound(p), name)
	}
}

// TestRetriesOfEntries: an entry that is looked for and is the same later need not have been
// there all the time.
func TestRetriesOfEntries(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		is   bool
	}{
		"unasked": {"b0:\n jump b1\nb1:\n old, had = read c0\n _, ok = cas weak c0, old, x\n branch ok, b2, b1\nb2:\n return had\n", false},
		"there":   {"b0:\n jump b1\nb1:\n old, had = read c0\n branch had, b2, b3\nb2:\n _, ok = cas weak c0, old, x\n branch ok, b4, b1\nb3:\n return nil\nb4:\n return old\n", true},
		"absent":  {"b0:\n jump b1\nb1:\n old, had = read c0\n branch had, b3, b2\nb2:\n _, ok = cas weak c0, absent, x\n branch ok, b4, b1\nb3:\n return old\nb4:\n return x\n", true},
		"either":  {"b0:\n jump b1\nb1:\n old, had = read c0\n branch had, b2, b3\nb2:\n _, ok = cas weak c0, old, x\n branch ok, b4, b1\nb3:\n _, put = cas weak c0, absent, x\n branch put, b4, b1\nb4:\n return had\n", true},
		"crossed": {"b0:\n jump b1\nb1:\n old, had = read c0\n branch had, b3, b2\nb2:\n _, ok = cas weak c0, old, x\n branch ok, b4, b1\nb3:\n return old\nb4:\n return x\n", false},
	} {
		p := parsed(t, name, c.body)
		p.Cells = p.Cells[:1]
		p.Cells[0].Kind = register.Map
		assert.Equal(t, c.is, summary.IsOneRound(p), name)
	}
}

var values = []string{"a", "b", "x", "x", "nil"}

// something is an instruction, mostly an operation.
func something(r *rand.Rand) string {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	switch r.IntN(8) {
	case 0, 1, 2:
		return fmt.Sprintf(" %s, %s = read c0\n", pick("a", "a", "b"), pick("_", "p", "q"))
	case 3, 4, 5:
		return fmt.Sprintf(" %s, %s = cas %sc0, %s, %s\n", pick("_", "_", "b"), pick("p", "q"), pick("weak ", "weak ", ""), pick("a", "a", "b", "absent", "nil"), pick(values...))
	case 6:
		return fmt.Sprintf(" %s = %s\n", pick("a", "b"), pick(values...))
	}
	return fmt.Sprintf(" p = pure eq(%s, %s)\n", pick(values...), pick(values...))
}

// aroundRounds is a program that tries again, and does something before or after that.
func aroundRounds(r *rand.Rand) string {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	some := func(most int) (s string) {
		for range r.IntN(most + 1) {
			s += something(r)
		}
		return s
	}
	return "func F(x)\ncell c0 " + pick("atomic &n", "map &n[x]") + " zero nil label \"n\"\n\nb0:\n a = x\n b = nil\n p = true\n q = false\n" + some(1) +
		" jump b1\nb1:\n a, p = read c0\n branch p, b2, b3\nb2:\n b = pure f(" + pick(values...) + ")\n _, q = cas weak c0, a, " + pick(values...) + "\n branch q, b4, b1\nb3:\n " +
		pick("jump b4", "return b, p", "_, q = cas weak c0, absent, x\n branch q, b4, b1") + "\nb4:\n" + some(2) + " return " + pick(values...) + ", " + pick("p", "q") + "\n"
}

// someRounds is a program of a few blocks that look at a cell and swap it, go back and end as it
// happens.
func someRounds(r *rand.Rand) string {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	value := func() string { return pick(values...) }
	var s strings.Builder
	s.WriteString("func F(x)\ncell c0 " + pick("atomic &n", "map &n[x]") + " zero nil label \"n\"\n\nb0:\n a = x\n b = nil\n p = true\n q = false\n jump b1\n")
	blocks := 3 + r.IntN(3)
	for b := 1; b < blocks; b++ {
		fmt.Fprintf(&s, "b%d:\n", b)
		for range r.IntN(4) {
			s.WriteString(something(r))
		}
		switch to := func() int { return 1 + r.IntN(blocks-1) }; r.IntN(7) {
		case 0:
			fmt.Fprintf(&s, " jump b%d\n", to())
		case 1, 2:
			fmt.Fprintf(&s, " return %s, %s\n", value(), pick("p", "q"))
		default:
			fmt.Fprintf(&s, " branch %s, b%d, b%d\n", pick("p", "q"), to(), to())
		}
	}
	return s.String()
}

// TestRetriesAgreesWithBruteForce compares what is said to be one step because it tries again
// with the enumeration of all interleavings.
func TestRetriesAgreesWithBruteForce(t *testing.T) {
	r, found, right := rand.New(rand.NewPCG(*diffSeed, 7)), 0, 0
	for range 300 * *diffPrograms {
		progs, err := register.Parse("rounds", []byte(someRounds(r)))
		require.NoError(t, err)
		pr := oracle.Problem{Program: progs[0], Bounds: oracle.Bounds{PerPoint: 1, Env: 3, Run: 60, Work: 30_000}}
		p := translate(pr)
		p = p.summarised()
		if register.Check(pr.Program) != nil || len(register.Loops(pr.Program)) == 0 || p.reduces() || !summary.IsOneRound(p.Region) {
			continue
		}
		found++
		h, _, err := oracle.Search(context.Background(), pr)
		if err != nil {
			continue
		}
		require.Nil(t, h, "one step, but there is a history without a linearization: -diff.seed=%d\n%s\n%s", *diffSeed, pr.Program, h)
		right++
	}
	t.Log(found, right)
	require.Greater(t, 3*right, *diffPrograms)
}

// TestRetriesInSections compares verdicts on what has a loop that tries again, and more, with the
// enumeration of all interleavings, in which it does.
func TestRetriesInSections(t *testing.T) {
	r, found := rand.New(rand.NewPCG(*diffSeed, 8)), 0
	d := differ{t: t}
	for range 3 * *diffPrograms {
		progs, err := register.Parse("rounds", []byte(aroundRounds(r)))
		require.NoError(t, err)
		p := progs[0]
		if register.Check(p) != nil || summary.IsOneRound(p) || summary.WithoutRetries(p) == p {
			continue
		}
		found++
		d.judge(oracle.Problem{Program: p, Bounds: oracle.Bounds{PerPoint: 1, Env: 3, Run: 60, Work: 30_000}}, fmt.Sprintf("-diff.seed=%d", *diffSeed))
	}
	t.Logf("%d: %d verified, %d violations, %d undecided by the engine, %d by the brute force", found, d.verified, d.violations, d.unknown, d.gaveUp)
	require.Greater(t, 3*found, *diffPrograms)
}
