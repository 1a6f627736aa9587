package config

import "fmt"

// Confidence says how sure a report is: how much of what it takes for granted is shown
// by the code.
type Confidence int

const (
	// ConfidenceUnset is what the configuration says, and else the default, which is
	// high.
	ConfidenceUnset Confidence = iota
	// ConfidenceLow: a rule says that the violation is none, or that nobody minds.
	ConfidenceLow
	// ConfidenceMedium: nothing speaks against it.
	ConfidenceMedium
	// ConfidenceHigh: the code shows what it takes for granted.
	ConfidenceHigh
)

var confidenceNames = []string{"", "low", "medium", "high"}

// String is the confidence as a flag.
func (c Confidence) String() string { return confidenceNames[c] }

// Set parses a flag; it implements flag.Value and pflag.Value.
func (c *Confidence) Set(s string) error {
	for i, n := range confidenceNames {
		if n == s && s != "" {
			*c = Confidence(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not one of high, medium, low", s)
}

// Type names the flag's type in help texts.
func (c *Confidence) Type() string { return "high|medium|low" }
