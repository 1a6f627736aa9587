package confirm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mapatom/mapatom/internal/checker/confirm/trial"
	"github.com/mapatom/mapatom/internal/checker/fence"
	"github.com/mapatom/mapatom/internal/checker/fence/outside"
	"github.com/mapatom/mapatom/internal/checker/instrument"
)

const (
	defaultTime   = 10 * time.Second
	defaultMemory = 1 << 30
)

// Run tries to confirm the findings and returns a result for each, in their
// order. The error says that nothing could be run, or that the context ended.
func Run(ctx context.Context, findings []Finding, opts Options) ([]Result, error) {
	if opts.Time == 0 {
		opts.Time = defaultTime
	}
	if opts.Memory == 0 {
		opts.Memory = defaultMemory
	}
	if len(findings) == 0 {
		return nil, nil
	}
	if opts.Preparation == 0 {
		opts.Preparation = max(leastPreparation, preparations*opts.Time)
	}
	r := &runner{ctx: ctx, opts: opts, findings: findings, results: make([]Result, len(findings))}
	err := r.start()
	if errors.Is(err, errLate) {
		for i, f := range findings {
			r.done(i, cannot(f, r.late("the packages were not loaded and rewritten")))
		}
		return r.results, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.session.Close()
	for _, path := range r.packages() {
		if err := r.runPackage(path); err != nil {
			return nil, err
		}
	}
	return r.results, nil
}

// Preparing is loading, instrumenting, writing and compiling, which mostly is done once
// for many findings and depends on what the go command has kept of other builds. It has
// so many times as much time as one finding, and no less than this.
const (
	preparations     = 12
	leastPreparation = 2 * time.Minute
)

// runner is one call of Run.
type runner struct {
	ctx      context.Context
	opts     Options
	findings []Finding
	results  []Result
	session  *instrument.Session
	world    *world
	binaries int
	fenced   bool
	sources  []string // what the code may read, behind the fence
}

// packages are those of the findings, each once.
func (r *runner) packages() []string {
	var paths []string
	for _, f := range r.findings {
		if !slices.Contains(paths, f.Package) {
			paths = append(paths, f.Package)
		}
	}
	return paths
}

// errLate is the cause of what did not come about in the time for preparing.
var errLate = errors.New("the time for preparing was over")

// preparing is the context in which a step of the preparation is done.
func (r *runner) preparing() (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(r.ctx, r.opts.Preparation, errLate)
}

// late says what was not done in time.
func (r *runner) late(what string) string {
	return fmt.Sprintf("%s within %v; -time=%v gives this twice as much", what, r.opts.Preparation, 2*r.opts.Preparation/preparations)
}

// start loads and instruments the packages, and the libraries whose maps they
// use, if that is possible.
func (r *runner) start() error {
	ctx, done := r.preparing()
	defer done()
	if err := r.load(ctx); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	for _, p := range r.session.Packages {
		if !p.Instrumented {
			r.note(p.Path + " runs as it is: " + p.Reason)
		}
		for _, left := range p.Left {
			r.note(p.Path + ": " + left + ": it is left as it is")
		}
	}
	return nil
}

func (r *runner) load(ctx context.Context) error {
	var err error
	if r.world, err = loadWorld(ctx, r.opts.Dir, r.packages()); err != nil {
		return err
	}
	r.fenced = !r.opts.AllowIO && fence.Missing() == nil
	if !r.opts.AllowIO && !r.fenced {
		if r.world.read, err = outside.Load(ctx, r.opts.Dir, true, r.packages()...); err != nil {
			return err
		}
	}
	libraries := r.world.libraries(r.findings)
	r.session, err = r.instrument(ctx, append(libraries, r.opts.Dependencies...))
	if err != nil && len(libraries) > 0 && ctx.Err() == nil {
		r.note(fmt.Sprintf("%s as it is: %v", strings.Join(libraries, ", "), err))
		r.session, err = r.instrument(ctx, r.opts.Dependencies)
	}
	if err != nil {
		return err
	}
	r.sources = r.session.Sources(ctx)
	return nil
}

func (r *runner) instrument(ctx context.Context, dependencies []string) (*instrument.Session, error) {
	s, err := instrument.Start(ctx, instrument.Config{
		Dir: r.opts.Dir, Patterns: r.packages(), Dependencies: dependencies,
		// One thread runs at a time; the other processor is for who watches it.
		Env: []string{"GOMAXPROCS=2"},
	})
	if err != nil {
		return nil, err
	}
	source, err := fs.Sub(trialSource, "trial")
	if err == nil {
		err = s.AddPackage(trialPath, source)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (r *runner) note(text string) {
	if r.opts.Note != nil {
		r.opts.Note(text)
	}
}

// runPackage runs the findings of one package: a test binary for all, or one
// for each if the one for all does not compile.
func (r *runner) runPackage(path string) error {
	ctx, done := r.preparing()
	cases := r.cases(ctx, path)
	if len(cases) == 0 {
		done()
		return r.ctx.Err()
	}
	binary, err := r.build(ctx, path, cases)
	done()
	if err == nil || len(cases) == 1 || errors.Is(err, errLate) {
		return r.runAll(binary, err, cases)
	}
	for i := range cases {
		one := cases[i : i+1]
		ctx, done := r.preparing()
		b, err := r.build(ctx, path, one)
		done()
		if err = r.runAll(b, err, one); err != nil {
			return err
		}
	}
	return nil
}

// cases writes the cases of a package's findings. Those that cannot be
// written have their results.
func (r *runner) cases(ctx context.Context, path string) []*harness {
	var cases []*harness
	for i, f := range r.findings {
		if f.Package != path {
			continue
		}
		h, err := r.world.harness(ctx, &f, i)
		switch {
		case r.ctx.Err() != nil:
			return nil
		case ctx.Err() != nil:
			r.done(i, cannot(f, r.late("the code that calls it was not written")))
			continue
		case err != nil:
			r.done(i, cannot(f, err.Error()))
			continue
		}
		cases = append(cases, h)
	}
	return cases
}

// testName is the name of the generated test.
const testName = "TestMapatomConfirm"

// build writes the test of the cases and builds it.
func (r *runner) build(ctx context.Context, path string, cases []*harness) (*instrument.Binary, error) {
	r.binaries++
	source, err := r.world.file(path, cases, r.session.Package(path).Instrumented)
	if err != nil {
		return nil, err
	}
	if err := r.session.Add(path, "zz_mapatom_confirm_test.go", source); err != nil {
		return nil, err
	}
	b, err := r.session.Build(ctx, path)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return b, err
}

// fail gives cases that cannot be built their results.
func (r *runner) fail(cases []*harness, err error) error {
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	reason := "the test that was written for it does not compile: " + lastLine(err.Error())
	if errors.Is(err, errLate) {
		reason = r.late("its package was not compiled")
	}
	for _, h := range cases {
		r.done(h.index, cannot(r.findings[h.index], reason))
	}
	return nil
}

// tooLarge is the report of a process that needed too much memory.
func (r *runner) tooLarge() *trial.Report {
	return &trial.Report{Verdict: trial.NotConfirmed, Reason: fmt.Sprintf("%v; -memory=%d gives it twice as much", instrument.ErrMemory, 2*r.opts.Memory>>20)}
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// runAll runs the cases of a binary, each in a process of its own.
func (r *runner) runAll(b *instrument.Binary, err error, cases []*harness) error {
	if err != nil {
		return r.fail(cases, err)
	}
	for i, h := range cases {
		start := time.Now()
		report, err := r.runCase(b, i)
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		res := Result{Finding: r.findings[h.index], Elapsed: time.Since(start)}
		if err != nil {
			res = cannot(r.findings[h.index], err.Error())
		} else {
			res.Report = *report
		}
		switch {
		case res.Verdict == trial.CannotRun:
			res.Reason += h.help
		case res.Short:
			res.Reason += fmt.Sprintf("; -time=%v gives it twice as much", 2*r.opts.Time)
		case res.Verdict == trial.NotConfirmed && res.Executions > 0:
			res.Reason += h.more
		}
		r.done(h.index, res)
	}
	return nil
}

func (r *runner) done(i int, res Result) {
	r.results[i] = res
	if r.opts.Done != nil {
		r.opts.Done(res)
	}
}

// grace is what a process has beyond its time for starting and reporting.
const grace = 5 * time.Second

// runCase runs one case and reads its report.
func (r *runner) runCase(b *instrument.Binary, i int) (*trial.Report, error) {
	dir, err := os.MkdirTemp("", "mapatom-confirm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "report.json")
	var out bytes.Buffer
	limits := instrument.Limits{Time: r.opts.Time + grace, Memory: r.opts.Memory, Env: []string{
		fmt.Sprintf("%s=%d", trial.EnvCase, i), trial.EnvTime + "=" + r.opts.Time.String(), trial.EnvReport + "=" + file,
	}}
	if r.fenced {
		limits.Around = fence.Policy{Write: []string{dir}, Read: r.sources, Memory: fence.Hard(r.opts.Memory)}.Around
	}
	err = b.Run(r.ctx, limits, &out, &out, "-test.run=^"+testName+"$")
	data, missing := os.ReadFile(file)
	switch {
	case missing == nil:
	case err != nil && r.fenced && fence.OutOfMemory(out.String()):
		return r.tooLarge(), nil
	case errors.Is(err, instrument.ErrMemory):
		return r.tooLarge(), nil
	case errors.Is(err, instrument.ErrTime):
		return &trial.Report{Verdict: trial.NotConfirmed, Reason: err.Error(), Short: true}, nil
	case err != nil:
		return nil, fmt.Errorf("the process ended with %w before it had a result: %s", err, lastWords(out.String()))
	default:
		return nil, missing
	}
	report := &trial.Report{}
	if err := json.Unmarshal(data, report); err != nil {
		return nil, fmt.Errorf("report of the process: %w", err)
	}
	return report, nil
}

// lastWords is the line of what a process has printed that says why it ended: that of a
// panic, or the last one, as of a log.
func lastWords(text string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return strings.TrimSpace(line)
		}
	}
	return lastLine(text)
}
