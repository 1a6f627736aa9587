package snapshot

// Values are those of the two segments that may change in a simple history:
// bit 0 is that of segment i, bit 1 that of segment j (remark 6 of the paper).
type Values uint8

// A Property is one that a linearizable history has. None stands for all.
type Property uint8

// The properties of a simple history (theorem 10 of the paper).
const (
	None Property = iota
	// NoInversion: two scans do not see the two changes in opposite orders.
	NoInversion
	// NonDecreasing: what a scan saw changed, a later scan sees changed.
	NonDecreasing
	// Appropriateness: there were updates that a scan can have its values
	// from, neither too late nor overwritten, and none of the two overwritten
	// when the other took effect.
	Appropriateness
)

// The properties of a history whose values are distinct (the shrinking lemma).
// Its first, uniqueness, is a matter of the form.
const (
	// Integrity: every value that is read was written.
	Integrity Property = iota + 4
	// Proximity: no value is read before it was written, or after it was
	// overwritten.
	Proximity
	// ReadPrecedence: of two scans, one is not older in one segment and
	// newer in another.
	ReadPrecedence
	// WritePrecedence: a scan that sees an update sees what was written
	// before that update began.
	WritePrecedence
)

var propertyNames = [...]string{
	None: "", NoInversion: "no inversion", NonDecreasing: "non-decreasing", Appropriateness: "appropriateness",
	Integrity: "integrity", Proximity: "proximity", ReadPrecedence: "read precedence", WritePrecedence: "write precedence",
}

var propertyPhrases = [...]string{
	None:            "",
	NoInversion:     "two scans see two updates in opposite orders",
	NonDecreasing:   "a scan misses what an earlier scan had seen",
	Appropriateness: "a scan returns values that were not there together",
	Integrity:       "a value was read that nobody wrote",
	Proximity:       "a value was read before it was written, or after it was overwritten",
	ReadPrecedence:  "of two scans, each saw something that the other was too early for",
	WritePrecedence: "a scan sees an update and misses what was written before it",
}

// String gives the property's name in the literature, "" for None.
func (p Property) String() string { return propertyNames[p] }

// Phrase says what happens where the property does not hold.
func (p Property) Phrase() string { return propertyPhrases[p] }

// A State is what the three automata of a simple history remember of its past,
// made deterministic, but for the scans that are open: of each of those they
// remember its floor, which is the state's Floor when the scan was invoked.
// The zero State is the initial one.
//
// The automata of the paper guess the scans and updates that will turn out to
// be wrong. There is little to guess: F, the first update to 1 of a segment,
// is known when it is invoked, and of earlier scans it matters only what they
// returned.
type State uint16

// The bits of a State, those of segment i; segment j has the next one.
const (
	invoked  State = 1 << 0 // F was invoked
	returned State = 1 << 2 // F returned, and the other segment's is not invoked
	floor    State = 1 << 4 // F returned, or a scan that returned gave 1
	earlier  State = 1 << 6 // F returned before the other segment's was invoked
	alone    State = 1 << 8 // a scan gave 1 for this segment and 0 for the other
)

// Invoke is the state after the invocation of update(1) on segment i, if which
// is 0, or j, if it is 1. All but the first change nothing.
func (s State) Invoke(which int) State {
	if s&(invoked<<which) != 0 {
		return s
	}
	s |= invoked << which
	other := 1 - which
	if s&(returned<<other) != 0 {
		s |= earlier << other
	}
	return s.forget()
}

// Return is the state after the return of an update(1).
func (s State) Return(which int) State { return (s | (returned|floor)<<which).forget() }

// forget drops what cannot make a difference any more: when both updates are
// invoked, none of them will be invoked after the other returned. Equal pasts
// get equal states, which keeps products small.
func (s State) forget() State {
	if s&(3*invoked) == 3*invoked {
		s &^= 3 * returned
	}
	return s
}

// Floor is what a scan that is invoked now has to return at least.
func (s State) Floor() Values { return Values(s / floor & 3) }

// Scan is the state after the return of a scan that had the floor when it was
// invoked, and whether the automata let it pass: without it, the history is not
// linearizable, whatever comes after.
func (s State) Scan(low, got Values) (State, bool) {
	switch {
	case low&^got != 0: // Non-Decreasing, and lemma 14, case 1
		return s, false
	case got&^Values(s/invoked&3) != 0: // lemma 14, case 2
		return s, false
	case got == 1 || got == 2:
		opposite := 3 &^ got
		if s&(State(opposite)*earlier) != 0 || s&(State(opposite)*alone) != 0 { // lemma 14, cases 3 and 4, and No Inversion
			return s, false
		}
		s |= State(got) * alone
	}
	return s | State(got)*floor, true
}
