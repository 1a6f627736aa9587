package goracle_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/analyzer/internal/goracle"
	"github.com/mapatom/mapatom/analyzer/internal/goracle/sim"
)

var (
	functions = flag.Int("go.functions", 40, "random Go functions that the analyzer is compared with compiled runs on, per environment")
	seed      = flag.Uint64("go.seed", 1, "seed of the random functions")
	mixFlag   = flag.String("go.mix", "", "features of the functions, or all; else those of defaultMixes")
	envFlag   = flag.String("go.env", "open,package", "environments, separated by commas: open, package")
	runs      = flag.Int("go.runs", 4000, "runs of each function")
	keep      = flag.String("go.keep", "", "write each disagreement, shrunk, to this directory")
	tell      = flag.Int("go.tell", 10, "disagreements that are told, at most")
	wrong     = flag.Int("go.wrong", 0, "wrong violations that are known in each environment, and told without failing; a function that is verified wrongly always fails")
	only      = flag.String("go.only", "", "units of the seed that are compared alone, separated by commas, as in U17,U20")
	shrinking = flag.Bool("go.shrink", true, "shrink disagreements")
)

// batch is how many functions are built at once.
const batch = 400

// environments are those that a program is judged in.
var environments = map[string]analyzer.EnvMode{"open": analyzer.EnvOpen, "package": analyzer.EnvPackage}

// defaultMixes are the features that the analyzer is compared for without
// flags, in each environment: all. In package nobody changes a field of an
// object that others have, without a lock: that is a data race.
var defaultMixes = map[string]string{"open": "all", "package": "all,-effects"}

// TestAgreesWithCompiledGo compares the analyzer's verdicts on random
// functions with what the functions do when they are compiled and run.
func TestAgreesWithCompiledGo(t *testing.T) {
	for env := range strings.SplitSeq(*envFlag, ",") {
		t.Run(env, func(t *testing.T) {
			require.Contains(t, environments, env)
			names := *mixFlag
			if names == "" {
				names = defaultMixes[env]
			}
			mix, err := goracle.ParseMix(names)
			require.NoError(t, err)
			t.Logf("-go.env=%s -go.seed=%d -go.mix=%s", env, *seed, mix)
			c := &comparison{t: t, env: env}
			c.all(mix)
		})
	}
}

// all compares the functions of as many units as it takes.
func (c *comparison) all(mix goracle.Mix) {
	if *only != "" {
		c.batch(c.named(strings.Split(*only, ","), mix))
	} else {
		c.random(mix)
	}
	c.t.Log(&c.counts)
	for _, u := range c.unplayed {
		c.t.Logf("witness not replayed: %s", u)
	}
	for _, u := range c.undecided {
		c.t.Logf("undecided: %s", u)
	}
	if c.counts.wrongVerified == 0 && c.counts.wrongViolation <= *wrong {
		for _, d := range c.disagreements {
			c.t.Logf("known: %s: %s.%s\n%s\n%s, in the witness: %+v", d.kind(), d.name.unit, d.name.name, d.unit.Source, d.why, d.witness)
		}
		return
	}
	slices.SortStableFunc(c.disagreements, func(a, b disagreement) int { return strings.Compare(a.kind(), b.kind()) })
	for i, d := range c.disagreements {
		if i == *tell {
			c.t.Errorf("%d more disagreements", len(c.disagreements)-i)
			break
		}
		c.tell(d)
	}
}

// random compares as many functions as are asked for.
func (c *comparison) random(mix goracle.Mix) {
	n := uint64(0)
	for done := 0; done < *functions; {
		var units []*goracle.Unit
		for size := 0; size < min(batch, *functions-done); n++ {
			u := c.generate(n, mix)
			units = append(units, u)
			size += len(u.Funcs)
		}
		done += c.batch(units)
	}
}

// named are the units of some names, which say which of the seed they are.
func (c *comparison) named(names []string, mix goracle.Mix) (units []*goracle.Unit) {
	for _, name := range names {
		n, err := strconv.ParseUint(strings.TrimPrefix(name, "U"), 10, 64)
		require.NoError(c.t, err, "-go.only=%s", name)
		units = append(units, c.generate(n, mix))
	}
	return units
}

// generate is the nth unit of the seed.
func (c *comparison) generate(n uint64, mix goracle.Mix) *goracle.Unit {
	u, err := goracle.NewUnit(fmt.Sprintf("U%d", n), goracle.Generate(*seed, n, mix))
	require.NoError(c.t, err, "-go.seed=%d, unit %d", *seed, n)
	return u
}

// counts are how often each combination occurred.
type counts struct {
	functions, judged             int
	verified, violation, unknown  int
	wrongVerified, wrongViolation int
	replayed, notReplayed         int
	// alike are violations of objects that differ in nothing but identity, as which the runs do not tell them apart.
	alike            int
	analysis, search time.Duration
	// reasons are how often each was why a verdict is unknown.
	reasons map[string]int
}

func (k *counts) String() string {
	var why strings.Builder
	for _, reason := range slices.Sorted(maps.Keys(k.reasons)) {
		fmt.Fprintf(&why, "\n%4d unknown: %s", k.reasons[reason], reason)
	}
	return fmt.Sprintf("%d functions, %d judged whole: %d verified, %d violations, %d unknown; %d wrong verified, %d wrong violations; %d witnesses replayed, %d not, %d of objects alike; analysis %s, search %s",
		k.functions, k.judged, k.verified, k.violation, k.unknown, k.wrongVerified, k.wrongViolation, k.replayed, k.notReplayed, k.alike,
		k.analysis.Round(time.Millisecond), k.search.Round(time.Millisecond)) + why.String()
}

// disagreement is a function that the analyzer and the compiled runs judge
// differently.
type disagreement struct {
	name function
	unit *goracle.Unit
	// verified says that the analyzer verified it.
	verified bool
	witness  *absint.Witness
	// why says what of the witness does not happen.
	why    string
	answer sim.Answer
}

func (d disagreement) kind() string {
	if d.verified {
		return "WRONG VERIFIED"
	}
	return "WRONG VIOLATION"
}

type comparison struct {
	t             testing.TB
	env           string
	counts        counts
	disagreements []disagreement
	unplayed      []string // witnesses that do not happen
	undecided     []string
}

// batch compares the functions of units, and says how many there are.
func (c *comparison) batch(units []*goracle.Unit) int {
	p, err := goracle.Build(context.Background(), c.t.TempDir(), units)
	require.NoError(c.t, err)
	defer p.Close()
	return c.compare(p)
}

// compare judges all functions of a program.
func (c *comparison) compare(p *goracle.Program) (n int) {
	k, began := &c.counts, time.Now()
	vs, loose := verdicts(c.t, p, environments[c.env])
	k.analysis += time.Since(began)
	began = time.Now()
	for _, u := range p.Units {
		for _, name := range u.Funcs {
			n++
			k.functions++
			f := function{u.Name, name}
			if v, ok := vs[f]; ok {
				k.judged++
				d, ok, err := c.judge(p, v, loose[u.Name], k)
				require.NoError(c.t, err)
				if !ok {
					d.unit = u
					c.disagreements = append(c.disagreements, d)
				}
			}
		}
	}
	k.search += time.Since(began)
	return n
}

// judge compares one verdict with the runs.
func (c *comparison) judge(p *goracle.Program, v verdict, loose []sim.Loose, k *counts) (d disagreement, fine bool, err error) {
	d = disagreement{name: v.function, verified: v.Verdict == absint.Verified, witness: v.Witness}
	ask := func(q sim.Request) {
		if err != nil {
			return
		}
		q.Unit, q.Func, q.Package, q.Loose, q.Seed = v.unit, v.name, c.env == "package", loose, *seed
		if d.verified {
			q.Loose = surely(loose)
		}
		d.answer, err = p.Ask(q)
	}
	switch v.Verdict {
	case absint.Unknown:
		k.unknown++
		if k.reasons == nil {
			k.reasons = map[string]int{}
		}
		k.reasons[v.Reason]++
		c.undecided = append(c.undecided, fmt.Sprintf("%s.%s: %s\n%s", v.unit, v.name, v.Reason, p.Source(v.unit)))
	case absint.Verified:
		k.verified++
		if v.Assumption == absint.AnotherVariable {
			return d, true, nil // what is in a field is the same in all runs that are compared
		}
		ask(sim.Request{Runs: *runs, OwnEntry: v.Assumption == absint.OwnEntry, Locked: v.Assumption == absint.Locked, Small: v.Assumption == absint.NoWrap})
		if d.answer.Lenient != "" {
			k.wrongVerified++
			return d, false, err
		}
	case absint.Violation:
		k.violation++
		ask(sim.Request{Runs: *runs})
		if d.answer.Breaking == "" {
			// The values of the witness, and more runs: only what is not
			// found then is wrong.
			ints, texts := suggested(v.Witness)
			far := sim.Request{Runs: 20 * *runs, Far: true, Ints: ints, Strings: texts, Story: story(v.Witness)}
			if ask(far); d.answer.Breaking == "" {
				far.Apart = true // what is told happens amid what others do
				ask(far)
			}
			if d.answer.Breaking == "" && strings.Contains(p.Source(v.unit), "< 2 {") {
				far.More = true // what is told happens where there are two entries besides
				ask(far)
			}
		}
		if err != nil {
			return d, false, err
		}
		if strings.Contains(p.Source(v.unit), guarded) {
			return d, c.found(d, k), nil // what an operation finds is not seen there
		}
		why := ""
		if why, err = c.replay(p, v, loose); err != nil {
			return d, false, err
		}
		if d.answer.Breaking == "" && why == explained && v.Category == absint.DuplicateInstance {
			k.alike++ // of two objects that are made alike, nobody knows which one is there
			return d, true, nil
		}
		if d.answer.Breaking == "" && why != "" {
			d.why = why
			k.wrongViolation++ // what is told does not break it, and nothing else that was tried
			return d, false, nil
		}
		if why != "" {
			k.notReplayed++
			c.unplayed = append(c.unplayed, fmt.Sprintf("%s.%s: %s\n%s\n%+v", v.unit, v.name, why, p.Source(v.unit), v.Witness))
		} else {
			k.replayed++
		}
	}
	return d, true, err
}

// explained is why a witness is none where the runs of an atomic call show the same.
const explained = "an atomic call explains it"

// surely are those functions that are more than one step: what may be one does not speak against a verdict.
func surely(loose []sim.Loose) []sim.Loose {
	return slices.DeleteFunc(slices.Clone(loose), func(l sim.Loose) bool { return l.Perhaps })
}

// guarded is in units of which some memory is guarded by a lock.
const guarded = "sync.RWMutex"

// found reports whether some run breaks what is told to be a violation.
func (c *comparison) found(d disagreement, k *counts) bool {
	if d.answer.Breaking == "" {
		k.wrongViolation++
		return false
	}
	return true
}

// replay says why the witness of a violation does not happen as it is told; ""
// if it does.
func (c *comparison) replay(p *goracle.Program, v verdict, loose []sim.Loose) (why string, err error) {
	for _, s := range scripts(v.Witness, p.Params(v.unit), v.name) {
		a, err := p.Ask(sim.Request{Unit: v.unit, Func: v.name, Package: c.env == "package", Loose: loose, Script: s})
		if err != nil {
			return "", err
		}
		if why = a.Replay; why == "" {
			return "", nil
		}
	}
	return why, nil
}

// tell reports a disagreement as a case that can be put into a test.
func (c *comparison) tell(d disagreement) {
	text := d.unit.Source
	if *shrinking {
		text, d = c.shrink(d)
	}
	report := fmt.Sprintf("%s: %s.%s, environment %s, -go.seed=%d\n%s\n%s\n", d.kind(), d.name.unit, d.name.name, c.env, *seed, text, d.answer.Lenient)
	if !d.verified {
		report += fmt.Sprintf("%s, in the witness: %+v\n", d.why, d.witness)
	}
	if *keep != "" {
		path := filepath.Join(*keep, fmt.Sprintf("%s-%d-%s-%s.txt", strings.ReplaceAll(strings.ToLower(d.kind()), " ", "-"), *seed, d.name.unit, c.env))
		require.NoError(c.t, os.WriteFile(path, []byte(report), 0o644))
	}
	c.t.Errorf("%s", report)
}

// maxRounds bounds how often a disagreement is made smaller.
const maxRounds = 8

// shrink is a small text with the same disagreement.
func (c *comparison) shrink(d disagreement) (string, disagreement) {
	text := d.unit.Source
	for range maxRounds {
		var single [][]goracle.Edit
		for _, e := range goracle.Edits(text, d.name.name) {
			single = append(single, []goracle.Edit{e})
		}
		fine, as := c.still(d, text, single)
		if len(fine) == 0 {
			break
		}
		// Those that are fine one by one may be together, too.
		var several [][]goracle.Edit
		for n := len(fine); n > 1; n = n * 3 / 4 {
			several = append(several, slices.Concat(fine[:n]...), slices.Concat(fine[len(fine)-n:]...))
		}
		if both, more := c.still(d, text, several); len(both) > 0 {
			fine, as = both, more
		}
		text, d = goracle.Apply(text, fine[0]), as[0]
	}
	return text, d
}

// still are those changes to the text after which there is the same disagreement.
func (c *comparison) still(d disagreement, text string, edits [][]goracle.Edit) (fine [][]goracle.Edit, as []disagreement) {
	var units []*goracle.Unit
	of := map[string][]goracle.Edit{}
	for i, es := range edits {
		name := fmt.Sprintf("U%d", i)
		u, err := goracle.NewUnit(name, goracle.Apply(text, es))
		if err != nil || len(u.Source) >= len(text) {
			continue // it does not compile, or is no smaller
		}
		units = append(units, u)
		of[name] = es
	}
	if len(units) == 0 {
		return nil, nil
	}
	p, err := goracle.Build(context.Background(), c.t.TempDir(), units)
	require.NoError(c.t, err)
	defer p.Close()
	vs, loose := verdicts(c.t, p, environments[c.env])
	for _, u := range units {
		v, ok := vs[function{u.Name, d.name.name}]
		if !ok {
			continue
		}
		e, same, err := c.judge(p, v, loose[u.Name], &counts{})
		if errors.Is(err, goracle.ErrDied) {
			continue // what is left of it is no program that ends
		}
		require.NoError(c.t, err)
		if !same && e.verified == d.verified {
			fine = append(fine, of[u.Name])
			as = append(as, e)
		}
	}
	return fine, as
}
