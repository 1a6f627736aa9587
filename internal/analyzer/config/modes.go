package config

import "fmt"

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
