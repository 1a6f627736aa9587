// Package summary makes programs smaller before they are walked. What it leaves does the same to
// cells, as far as anybody can tell who walks it:
//
//   - a loop that touches no cell is one function of what it begins with (WithoutIdleLoops);
//   - a loop that tries again until nobody was faster is one section (WithoutRetries);
//   - a section does not look again for what it has found (WithoutSecondLooks), and one without
//     an operation is none (WithoutEmptySections);
//   - of a step of others there is left what its changes follow from (Bare), and what it tells
//     (Telling); of a call, what it does without its effects (WithoutEffects).
//
// These are program slicing (Weiser, ICSE 1981) by control and data dependences (Ferrante,
// Ottenstein, Warren, TOPLAS 1987) and the elimination of redundant loads, over programs of registers.
package summary

import "github.com/mapatom/mapatom/internal/reduce/register"

// Of is a program without retries, second looks, empty sections and idle loops; the program itself if it has
// none.
func Of(p *register.Program) *register.Program {
	return WithoutIdleLoops(WithoutEmptySections(WithoutSecondLooks(WithoutRetries(p))))
}
