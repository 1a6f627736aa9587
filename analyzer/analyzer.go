package analyzer

import (
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// Analyzer reports sequences of calls on concurrent maps and atomics that
// are meant to be atomic and are not.
var Analyzer = New(Options{})

// Options configure an Analyzer. The zero Options are the defaults.
type Options struct {
	// Env is the environment: EnvAuto, EnvOpen or EnvPackage.
	Env EnvMode
	// Report says which violations become diagnostics.
	Report ReportMode
	// Confidence is that of the violations that become diagnostics, at least.
	Confidence Confidence
	// Tests has Test, Benchmark, Fuzz and Example functions reported too.
	Tests bool
	// Budget is what deciding the sequences of a package may cost in sum, in steps of work;
	// 0 is what the configuration says, and else the default.
	Budget config.Budget
	// Rules are the rules of docs/rules.md that are switched off.
	Rules Rules
	// Sole says that nobody but this Analyzer looks at the syntax of the packages and at what
	// is known of it, now or later: it drops what it has no use for.
	Sole bool
	// Callers has the result of a package say what it calls, for Settle.
	Callers bool
	// Config is what the project says. Env and Report win over it.
	Config *Config

	configFile string // read instead of Config if it is not empty
}

// EnvMode chooses the environment of an extension, and ReportMode the violations
// that become diagnostics.
type (
	EnvMode    = config.EnvMode
	ReportMode = config.ReportMode
	// Confidence says how much of what a report takes for granted the code shows.
	Confidence = config.Confidence
	// Rules are rules of docs/rules.md, to be switched off.
	Rules = config.Rules
	// Config is what a file .mapatom.yml says.
	Config = config.Config
)

// The modes; a zero one is what the configuration says, and else the default.
const (
	EnvAuto       = config.EnvAuto
	EnvOpen       = config.EnvOpen
	EnvPackage    = config.EnvPackage
	ReportDefault = config.ReportDefault
	ReportAll     = config.ReportAll

	ConfidenceLow    = config.ConfidenceLow
	ConfidenceMedium = config.ConfidenceMedium
	ConfidenceHigh   = config.ConfidenceHigh
)

// New returns an Analyzer with the given options as its defaults. Its flags
// -env, -report, -confidence, -rules, -tests and -config change them.
//
// What a package is to others, its Facts, comes from an Analyzer of its own
// that this one requires: drivers run only that one on the packages that are
// imported, and what takes the time is left to the packages that were asked for.
func New(opts Options) *analysis.Analyzer {
	o := &opts
	settled := o.settled()
	facts := newFacts(settled)
	a := &analysis.Analyzer{
		Name:     "mapatom",
		Doc:      "report sequences of concurrent map operations that are not atomic",
		URL:      url,
		Requires: []*analysis.Analyzer{facts},
		Run: func(pass *analysis.Pass) (any, error) {
			s, err := settled()
			if err != nil {
				return nil, err
			}
			return run(pass, pass.ResultOf[facts].(*lowered), s), nil
		},
		ResultType: reflect.TypeFor[*Result](),
	}
	a.Flags.Var(&o.Env, "env", "what other goroutines may do with a map: auto, open or package")
	a.Flags.Var(&o.Report, "report", "which violations to report: default or all")
	a.Flags.Var(&o.Confidence, "confidence", "report violations of at least this confidence: high, medium or low (default high)")
	a.Flags.Var(&o.Rules, "rules", "rules that do not hide anything, such as -E6,-E8")
	a.Flags.Var(&o.Budget, "budget", "decide no more of a package after so many `steps` of work (default 20000000)")
	a.Flags.BoolVar(&o.Tests, "tests", o.Tests, "also report Test, Benchmark, Fuzz and Example functions")
	a.Flags.StringVar(&o.configFile, "config", "", "read the configuration from this `file`")
	return a
}

const url = "https://github.com/mapatom/mapatom"

// newFacts returns the Analyzer that lowers a package to register programs,
// and exports those that other packages need.
func newFacts(settled func() (*settings, error)) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "mapatomfacts",
		Doc:  "find out what functions do to concurrent maps",
		URL:  url,
		Run: func(pass *analysis.Pass) (any, error) {
			s, err := settled()
			if err != nil {
				return nil, err
			}
			return lowerPackage(pass, s)
		},
		ResultType: reflect.TypeFor[*lowered](),
		FactTypes:  append(slices.Clone(ssaprog.FactTypes), new(tableFact)),
	}
}
