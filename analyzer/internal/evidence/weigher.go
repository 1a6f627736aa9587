package evidence

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/directive"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/ownership"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/analyzer/internal/topology"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Options say what users want to see.
type Options struct {
	Report config.ReportMode
	// Tests has Test, Benchmark, Fuzz and Example functions reported too.
	Tests bool
	// Confidence is that of what is shown at least; ConfidenceUnset stands for high.
	Confidence config.Confidence
	Config     *config.Config
	// Rules says which rules are switched off.
	Rules config.Rules
}

// Generated reports whether extensions in generated files are looked at: not to hide
// them all.
func (o Options) Generated() bool { return o.Report == config.ReportAll || o.Rules.Off("E5") }

// InTests reports the same of what go test runs.
func (o Options) InTests() bool {
	return o.Tests || o.Report == config.ReportAll || o.Rules.Off("E3")
}

// Weigher decides which violations of a package are shown.
type Weigher struct {
	ps    *ssaprog.Programs
	judge *judge.Judge
	opts  Options
	// set are the directives; nil if they are not to be looked at.
	set *directive.Set
	// contracts and confinement are made when they are asked for.
	contracts   *contracts
	confinement *ownership.Confinement
	// topo is made when it is asked for.
	topo *topology.Topology
	// graph is that of the package itself, if it is a program, made when it is asked for.
	graph  *callers.Graph
	usedBy map[string][]*ssa.Function
	// written is the plain memory that functions write, as far as it was asked for.
	written map[*ssa.Function][]string
	// from is made when it is asked for.
	from *origins
	// calls are all calls by their places, and updates the keys of those of built-in maps, found when they are asked for.
	calls   map[register.Pos]*ssa.CallCommon
	updates map[register.Pos]ssa.Value
	// blamed are the operations that a violation was found at which no rule hides, with the
	// highest confidence of those.
	blamed map[register.Pos]config.Confidence
	// shows reports whether a finding would be shown, once Weigh has set it; rest says that what is
	// weighed is left of a violation without some steps.
	shows func(e *Weigher, x *judge.Finding) bool
	rest  bool
}

// violation is a finding with the function that it is in.
type violation struct {
	*rivals.Function
	x *judge.Finding
	g extension.Group
	// by is what kinds of things show its assumptions, once that is known.
	by map[kind]bool
	// remembered says that what is lost are objects that nobody changes who finds them.
	remembered bool
	// found is the confidence that the code gives, before any rule is asked.
	found config.Confidence
}

// kind is what shows an assumption, as far as it matters to a rule which.
type kind int

const (
	_ kind = iota // anything else
	// byStart: of two goroutines one is started, and the other is somebody else's.
	byStart
	// byLost: an object is lost.
	byLost
	// byOld: the new value is made from the old one.
	byOld
	// byLeave: two are told that they may.
	byLeave
	// bySum: what others add is lost.
	bySum
	// byEffect: two have the same effect.
	byEffect
	// byChance: a value that was drawn by lot is lost.
	byChance
	// byPlace: what is there is cut where something else was found.
	byPlace
	// byReset: what somebody has set back is set to what it was.
	byReset
)

// New makes a Weigher for one round of findings.
func New(ps *ssaprog.Programs, j *judge.Judge, opts Options, set *directive.Set) *Weigher {
	return &Weigher{ps: ps, judge: j, opts: opts, set: set, blamed: map[register.Pos]config.Confidence{}}
}

// An excuse is what the code says, in words or by its form, about how it is meant to
// be used, if a violation is none then. It is no proof, because callers may do
// otherwise: the violation stays one, and is not reported by default.

// keeper tells the steps that something keeps away from a violation.
type keeper func(*rivals.Step) bool

// judgeOf is who decides a violation again: for one by others who change an entry in place, they do that.
func (e *Weigher) judgeOf(f *violation) *judge.Judge {
	if len(f.x.Looks) > 0 {
		return e.judge.Renewing()
	}
	return e.judge
}

// goneWithout reports whether a violation is none if some steps are left out. Where
// that cannot be decided, it has to be one of these that the witness shows.
func (e *Weigher) goneWithout(f *violation, apart keeper) bool {
	j, shown := *e.judgeOf(f), false
	j.Unclassed, j.Known = true, f.x
	j.Apart = func(s *rivals.Step) bool {
		is := apart(s)
		shown = shown || is && slices.ContainsFunc(f.x.Witness.Events, func(ev absint.Event) bool { return ev.Other && ev.Name == s.Step.Name })
		return is || f.x.LeavesOut(s)
	}
	switch j.Decide(f.Function, f.g).Verdict {
	case absint.Verified:
		return true
	case absint.Violation:
		return false
	}
	return shown
}

// mildWithout reports whether a violation is none if some steps are left out, or one that nobody would be
// shown: what speaks for it is that these steps come in between.
func (e *Weigher) mildWithout(f *violation, apart keeper) bool {
	if e.goneWithout(f, apart) {
		return true
	}
	if e.rest {
		return false
	}
	j, rest := *e.judgeOf(f), *e
	j.Apart, j.Known = func(s *rivals.Step) bool { return apart(s) || f.x.LeavesOut(s) }, nil
	rest.judge, rest.blamed, rest.rest = &j, map[register.Pos]config.Confidence{}, true
	y := j.Decide(f.Function, f.g)
	return y.Verdict == absint.Violation && !e.shows(&rest, y)
}

// isAtomic reports whether some accesses of a group are one step by themselves.
func (e *Weigher) isAtomic(f *violation, accesses []*register.Access) bool {
	part := extension.Group{Prog: f.g.Prog, Accesses: accesses, Cells: f.g.Cells}
	j := *e.judge
	j.Unclassed = true
	return len(accesses) < 2 || j.Decide(f.Function, part).Verdict == absint.Verified
}
