package reach

// A ModelVerdict is what an exploration says of a model.
type ModelVerdict uint8

// The verdicts. OK is about what was explored and nothing else.
const (
	Unknown ModelVerdict = iota
	OK
	Violation
)

// String gives the verdict as reports spell it.
func (v ModelVerdict) String() string { return [...]string{"unknown", "ok", "violation"}[v] }
