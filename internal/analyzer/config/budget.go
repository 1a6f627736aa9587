package config

import (
	"fmt"
	"strconv"
)

// Budget is how many steps of work deciding the sequences of a package may cost. The zero
// Budget is what the configuration says, and else DefaultBudget.
type Budget int

// DefaultBudget is enough for every package of the corpora but the largest few: some
// half a minute.
const DefaultBudget = 20_000_000

// String is the budget as a flag.
func (b Budget) String() string {
	if b == 0 {
		return ""
	}
	return strconv.Itoa(int(b))
}

// Set parses a flag; it implements flag.Value and pflag.Value.
func (b *Budget) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 {
		return fmt.Errorf("%q is no number of steps, such as %d", s, DefaultBudget)
	}
	*b = Budget(n)
	return nil
}

// Type names the flag's type in help texts.
func (b *Budget) Type() string { return "steps" }
