package analyzer

import (
	"fmt"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/analyzer/config"
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
	// Tests has Test, Benchmark, Fuzz and Example functions reported too.
	Tests bool
	// Config is what the project says. Env and Report win over it.
	Config *config.Config

	configFile string // read instead of Config if it is not empty
}

// EnvMode chooses the environment of an extension.
type EnvMode int

const (
	// EnvDefault is what the configuration says, and else EnvAuto.
	EnvDefault EnvMode = iota
	// EnvAuto is EnvPackage for a map that cannot be reached from outside
	// the package, and EnvOpen for all others.
	EnvAuto
	EnvOpen
	EnvPackage
)

// ReportMode chooses the violations that become diagnostics.
type ReportMode int

const (
	// ReportUnset is what the configuration says, and else ReportDefault.
	ReportUnset ReportMode = iota
	// ReportDefault leaves out duplicate work, and duplicate instances of
	// values that nobody changes.
	ReportDefault
	ReportAll
)

var envNames = []string{"", "auto", "open", "package"}

// String is the mode's name as a flag.
func (m EnvMode) String() string { return envNames[m] }

// Set parses a flag; it implements flag.Value and pflag.Value.
func (m *EnvMode) Set(s string) error {
	for i, n := range envNames {
		if n == s && s != "" {
			*m = EnvMode(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not one of auto, open, package", s)
}

// Type names the flag's type in help texts.
func (m *EnvMode) Type() string { return "auto|open|package" }

var reportNames = []string{"", "default", "all"}

// String is the mode's name as a flag.
func (m ReportMode) String() string { return reportNames[m] }

// Set parses a flag; it implements flag.Value and pflag.Value.
func (m *ReportMode) Set(s string) error {
	for i, n := range reportNames {
		if n == s && s != "" {
			*m = ReportMode(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not one of default, all", s)
}

// Type names the flag's type in help texts.
func (m *ReportMode) Type() string { return "default|all" }

// New returns an Analyzer with the given options as its defaults. Its flags
// -env, -report, -tests and -config change them.
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
			return lowerPackage(pass, s.cat)
		},
		ResultType: reflect.TypeFor[*lowered](),
		FactTypes:  factTypes,
	}
}
