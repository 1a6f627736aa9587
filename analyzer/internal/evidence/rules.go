package evidence

import (
	"maps"
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Rule is a reason not to show a violation. Its number is for ever: a rule that goes
// leaves a gap.
type Rule struct {
	ID string
	// Says is what the rule says of a violation, for the documentation.
	Says string
	// Against is the assumption that the rule speaks against; None if it is about
	// what users do not want to hear of.
	Against Assumption
	// Always rules hide what -report=all would show.
	Always bool
	// settles rules say that this finding is known, also where another function
	// has it in it; words rules go by what is only said in words.
	settles, words bool
	// Doubts rules hide nothing: what shows the assumption is too little for the default, and
	// leaves medium confidence.
	Doubts bool
	// applies is why the rule hides a violation, or leaves it open; empty if it does not.
	applies func(*Weigher, *violation) string
}

// rules are asked in this order: what the user said, what nobody wants to hear of, what
// is mild, and then how the code is meant. What is only written in English comes last.
var rules = []Rule{
	{ID: "E1", Says: "a directive //mapatom:ignore stands at it", Always: true, settles: true, applies: (*Weigher).ignored},
	{ID: "E2", Says: "the configuration excludes it", Always: true, settles: true, applies: (*Weigher).excluded},
	{ID: "E3", Says: "it is in a test, and tests are not asked for", Always: true, applies: (*Weigher).inTest},
	{ID: "E4", Says: "it is in an init function, which runs alone", Always: true, applies: (*Weigher).inInit},
	{ID: "E5", Says: "it is in a generated file", Always: true, applies: (*Weigher).inGenerated},
	{ID: "E6", Says: "two callers do the same work, and store the same", Against: Harm, applies: (*Weigher).sameWork},
	{ID: "E7", Says: "two callers get different instances of a value that nobody changes", Against: Harm, applies: (*Weigher).unchanged},
	{ID: "E8", Says: "it looks twice at an atomic, as one who watches it", Against: Harm, applies: (*Weigher).watches},
	{ID: "E9", Says: "it is about several cells, of maps that others can reach", Against: Rival, applies: (*Weigher).severalOpen},
	{ID: "E10", Says: "it is about several cells, and shows only while the call runs", Against: Harm, applies: (*Weigher).transient},
	{ID: "E11", Says: "it is about several cells, one of them a number or flag that may lag behind", Against: Harm, applies: (*Weigher).lagging},
	{ID: "E12", Says: "it is about several cells, and writes at most one", Against: Harm, applies: (*Weigher).writesOne},
	{ID: "E13", Says: "another violation is at the same operation", applies: (*Weigher).sameOperation},
	{ID: "E62", Says: "it breaks in the midst of one call of another package, which is where it is told", applies: (*Weigher).inOneCall},
	{ID: "E14", Says: "only one goroutine of each object runs it", Against: Together, applies: (*Weigher).oneGoroutine},
	{ID: "E15", Says: "only two objects with one id could do it, and a counter hands those out", Against: SameCell, applies: (*Weigher).ownIDs},
	{ID: "E16", Says: "it looks again after it has called a function that it was given", Against: Harm, applies: (*Weigher).looksAgain},
	{ID: "E17", Says: "what was put there is taken back, unless others came in between", Against: Harm, applies: (*Weigher).takesBack},
	{ID: "E18", Says: "what is there after an insertion is used, whoever put it there", Against: Harm, applies: (*Weigher).anyInstance},
	{ID: "E57", Says: "who loses an insertion clears up what it has made for nothing, and does nothing else then", Against: Harm, applies: (*Weigher).clearsUp},
	{ID: "E21", Says: "what would interrupt it holds a lock of the same kind", Against: Unserialized, applies: (*Weigher).likeLocks},
	{ID: "E22", Says: "a quick look finds something else than the look that decides", Against: Harm, applies: (*Weigher).quickLook},
	{ID: "E23", Says: "only another package could do it, and this one always holds a lock", Against: Rival, applies: (*Weigher).locksItself},
	{ID: "E24", Says: "the key was drawn for this call, from a counter or as a new object", Against: SameCell, applies: (*Weigher).drawnKey},
	{ID: "E25", Says: "entries are put there under keys that were drawn for them", Against: SameCell, applies: (*Weigher).drawnEntries},
	{ID: "E26", Says: "it is a cache that drops entries by itself, so that one may be lost", Against: Harm, applies: (*Weigher).cached},
	{ID: "E27", Says: "nothing comes in between but the cache, which drops entries by itself", Against: Harm, applies: (*Weigher).dropped},
	{ID: "E28", Says: "a work queue has it run once at a time for each object", Against: Together, applies: (*Weigher).queued},
	{ID: "E29", Says: "what comes in between writes the same plain memory, without any lock", Against: Together, applies: (*Weigher).wouldRace},
	{ID: "E59", Says: "the interface that it implements is called by one goroutine at a time", Against: Together, applies: (*Weigher).calledInTurn},
	{ID: "E30", Says: "it reads on in a stream, where the last call has stopped", Against: Together, applies: (*Weigher).readsStream},
	{ID: "E31", Says: "a compare-and-swap on the entry decides which of two removes it", Against: Rival, applies: (*Weigher).claimed},
	{ID: ByOne, Says: "all calls of it in the program are made by one goroutine", Against: Together, applies: (*Weigher).calledByOne},
	{ID: "E33", Says: "a flag lets one call in at a time", Against: Together, settles: true, applies: (*Weigher).reserved},
	{ID: "E34", Says: "a singleflight group runs it once at a time for its key", Against: Unserialized, applies: (*Weigher).inFlight},
	{ID: "E64", Says: "whoever made the object has waited for its goroutines before", Against: Rival, applies: (*Weigher).waitedFor},
	{ID: "E52", Says: "each of those who would interrupt it is kept away, by one thing or another", Against: Rival, applies: (*Weigher).keptApart},
	{ID: "E35", Says: "a goroutine is started there, and runs beside one function that others call", Against: Together, Doubts: true, applies: (*Weigher).startedBeside},
	{ID: "E65", Says: "it goes on at each tick of a clock, as only one does for each object", Against: Together, Doubts: true, applies: (*Weigher).keepsOn},
	{ID: "E68", Says: "the package is one for tests, as its name says", Against: Together, Doubts: true, applies: (*Weigher).forTests},
	{ID: "E36", Says: "the object that is lost is changed by nobody but those who make it", Against: Harm, Doubts: true, applies: (*Weigher).unchangedOnceMade},
	{ID: "E37", Says: "the object that it reads again is another one than it has put there", Against: Harm, Doubts: true, applies: (*Weigher).readsAnother},
	{ID: "E38", Says: "the object that is lost was replaced whatever there was", Against: Harm, Doubts: true, applies: (*Weigher).replacedAnyway},
	{ID: "E39", Says: "the new value is the old one, or one that has nothing to do with that", Against: Harm, Doubts: true, applies: (*Weigher).choosesOne},
	{ID: "E63", Says: "an empty part of the entry is filled, as all who come in between do", Against: Harm, Doubts: true, applies: (*Weigher).fillsPart},
	{ID: "E40", Says: "one more than a limit comes in, of what is counted behind a lock", Against: Harm, Doubts: true, applies: (*Weigher).oneMore},
	{ID: "E41", Says: "there are more than thirty lines between its first operation and its last", Against: Unserialized, Doubts: true, applies: (*Weigher).long},
	{ID: "E42", Says: "a singleflight group, which is there to save work, makes the object that is lost", Against: Harm, Doubts: true, applies: (*Weigher).savesWork},
	{ID: "E43", Says: "the entry is an answer that is waited for, under a key that was drawn for the question", Against: SameCell, Doubts: true, applies: (*Weigher).answersOnce},
	{ID: "E44", Says: "a quick look at an atomic, before a lock under which something else decides", Against: Harm, Doubts: true, applies: (*Weigher).looksBeforeLock},
	{ID: "E45", Says: "it panics where there is something, as nobody is to come twice", Against: Harm, Doubts: true, applies: (*Weigher).asserts},
	{ID: "E47", Says: "it panics on a nil in what was found, which nobody puts there meanwhile", Against: Harm, Doubts: true, applies: (*Weigher).panicsInside},
	{ID: "E48", Says: "it starts to count again because it was enough", Against: Harm, Doubts: true, applies: (*Weigher).startsAgain},
	{ID: "E49", Says: "what is made from the old value is written by a compare-and-swap", Against: Harm, Doubts: true, applies: (*Weigher).offersOnly},
	{ID: "E50", Says: "what is remembered follows from its key, and it is told that it was not there", Against: Harm, Doubts: true, applies: (*Weigher).notesMiss},
	{ID: "E53", Says: "what is stored is the answer to a request that was made with the old value", Against: Harm, Doubts: true, applies: (*Weigher).answersRequest},
	{ID: "E54", Says: "what is made of the old value of a field or an atomic is made where it is not followed", Against: Harm, Doubts: true, applies: (*Weigher).opaque},
	{ID: "E55", Says: "it comes after the object was closed, and its goroutines were waited for", Against: Rival, Doubts: true, applies: (*Weigher).afterClose},
	{ID: "E56", Says: "the key is an object that was received from a channel, which one gets at a time", Against: SameCell, Doubts: true, applies: (*Weigher).receivedKey},
	{ID: "E66", Says: "which atomic it is was found in another one, which others swap", Against: SameCell, Doubts: true, applies: (*Weigher).handedOver},
	{ID: "E67", Says: "the number is a measure or a pace, which is scaled or set, and counts nothing", Against: Harm, Doubts: true, applies: (*Weigher).measures},
	{ID: "E58", Says: "the number says which one of a list is the next in turn", Against: Harm, Doubts: true, applies: (*Weigher).inTurn},
	{ID: "E60", Says: "it was changed before, and is removed because of what somebody else has said", Against: Harm, Doubts: true, applies: (*Weigher).saidElsewhere},
	{ID: "E61", Says: "who is at the entry has put a mark into it, from which others step back", Against: Rival, Doubts: true, applies: (*Weigher).stepsBack},
	{ID: OwnKey, Says: "the key is an object that is made for each who comes", Against: SameCell, Doubts: true, applies: (*Weigher).ownKey},
	{ID: "E19", Says: "a comment or a name asks callers to see to it that it is not interrupted", Against: Unserialized, words: true, applies: (*Weigher).underContract},
}

// ByOne is the number of the rule that packages of a program answer together.
const ByOne = "E32"

// Rules are all rules in their order.
func Rules() []Rule { return rules }

func (e *Weigher) ignored(v *violation) string {
	if e.set == nil {
		return ""
	}
	if d := e.set.Ignores(v.x.Pos, string(v.x.Category)); d != nil {
		return "ignored: " + d.Reason
	}
	return ""
}

func (e *Weigher) excluded(v *violation) string {
	path := e.ps.Pass.Fset.Position(v.x.Pos).Filename
	if e.set != nil && e.opts.Config.Excluded(path, v.x.Function(), string(v.x.Category)) {
		return "excluded by " + e.opts.Config.Name()
	}
	return ""
}

func (e *Weigher) inTest(v *violation) string {
	fn := v.Outermost()
	return when((ssaprog.IsTest(fn) || ssaprog.HelpsTests(fn)) && !e.opts.Tests, "in a test")
}

func (e *Weigher) inInit(v *violation) string {
	return when(ssaprog.IsInit(v.Outermost()), "in an init function")
}

func (e *Weigher) inGenerated(v *violation) string {
	return when(e.ps.Generated(v.Outermost()), "in a generated file")
}

func (e *Weigher) sameWork(v *violation) string {
	if _, adds := e.addsToList(v); adds {
		return "" // which has it twice then
	}
	return when(v.x.Category == absint.DuplicateWork && !e.makesAnother(v), "the same is computed and stored twice")
}

func (e *Weigher) unchanged(v *violation) string {
	return when(v.x.Category == absint.DuplicateInstance && !e.storesMutable(v), "nobody changes the instances")
}

// watches is for two looks at a number or a flag that others change: that is how such a
// thing is watched. Two looks at an entry of a map are not.
func (e *Weigher) watches(v *violation) string {
	looks := v.x.Category == absint.InconsistentRead && !v.by[byPlace] && v.x.Region.Cells[0].Kind != register.Map && len(writtenCells(v.x.Region)) == 0
	return when(looks, "an atomic is watched")
}

func (e *Weigher) severalOpen(v *violation) string {
	return when(v.x.Several && v.x.Environment != absint.Package, "several cells, of maps that others can reach")
}

// transient is for what shows only to who looks in between: he sees a part of any step
// on several cells. It is a mistake if something wrong is left behind, as it is where
// somebody takes away all that there is, or does something with all of it, or counts himself in before the entry goes, or has waited until
// nobody is left, or takes from a list until it is told to end: a loop over a map that leaves out what the call has put there is one that the engine knows, and Go does not.
func (e *Weigher) transient(v *violation) string {
	_, held := v.heldOver()
	if by, ok := e.goesByOther(v); ok && !(held && v.onlyWatched()) && (by.Empties || by.All || by.Counts || by.Unused || by.Waits || by.Ends) {
		return ""
	}
	if e.handsOn(v) {
		return "" // and whoever takes it away has something twice
	}
	return when(v.x.Several && v.x.Transient, "several cells, and nothing wrong is left in them")
}

// handsOn reports whether all that the step writes beside the entry by which it goes are lists to which it adds something in the
// same row, and of which somebody takes away all that there is.
func (e *Weigher) handsOn(v *violation) bool {
	if _, adds := e.addsToList(v); !adds || len(v.x.Region.Cells) != len(v.g.Cells) { // of cells that are one it is not known which is which
		return false
	}
	grown := grownCells(v.x.Region)
	for cell := range writtenCells(v.x.Region) {
		if v.x.Region.Cells[cell].Kind != register.Map && !v.goesBy(cell) && !(grown[cell] && e.judge.World.Emptied(v.Root(v.g.Cells[cell]))) {
			return false
		}
	}
	return len(grown) > 0
}

func (e *Weigher) lagging(v *violation) string {
	if _, ok := e.goesByOther(v); ok || v.Find.Renews(v.g) || v.byCount() {
		return ""
	}
	if e.handsOn(v) {
		return "" // who takes the list away has something twice then
	}
	for _, cell := range slices.Sorted(maps.Keys(writtenCells(v.x.Region))) {
		if v.x.Several && v.x.Region.Cells[cell].Kind != register.Map && !v.goesBy(cell) {
			return "several cells, and " + v.x.Region.Cells[cell].Label + " may lag behind"
		}
	}
	return ""
}

// writesOne is for a look at one cell that goes before a write to another one. Who writes what a look over all has just
// found writes the same one, if he does not look there again.
func (e *Weigher) writesOne(v *violation) string {
	written := writtenCells(v.x.Region)
	same := len(v.x.Region.Cells) == 1 && !v.x.Region.Cells[0].Guarded && len(v.g.Accesses) == 2 && !v.swaps()
	if !v.x.Several || same || v.byCount() || len(written) > 1 || v.x.Category == absint.LostUpdate && v.updatesEntry() {
		return ""
	}
	for cell := range written {
		if v.goesBy(cell) {
			return ""
		}
	}
	_, ok := e.goesByOther(v)
	return when(!ok, "several cells, and one is written at most")
}

// sameOperation is for what says no more than another violation has: one that is shown, or is no
// less sure.
func (e *Weigher) sameOperation(v *violation) string {
	known := e.blamed[e.ps.Res.PosText(v.x.Pos)]
	return when(known >= usual || known > config.ConfidenceUnset && known >= v.found, "another violation is at the same operation")
}

// inOneCall is for what two calls of a function do to one thing that does it wrongly by itself:
//
//	func Record(stat string, d time.Duration) { v, _ := times.Load(stat); times.Store(stat, v.(time.Duration)+d) }
//
// Who calls it twice cannot do anything about that. A loop comes back to where it was as well, but nothing comes between
// what it reads there and what it writes if that is one step. A method of a map is told where it is called.
func (e *Weigher) inOneCall(v *violation) string {
	w := v.x.Witness
	if w.Breaking < 0 {
		return ""
	}
	broken := &w.Events[w.Breaking]
	for i := w.Breaking - 1; i >= 0; i-- {
		before := &w.Events[i]
		if before.Other {
			continue
		}
		parts := before.Pos == broken.Pos && before.Cell == broken.Cell && before.Op == "read" && broken.Op != "read"
		op, _ := e.ps.Res.OperationAt(broken.Pos)
		return when(parts && i < w.Breaking-1 && op.Wrapper, "it breaks in the midst of one call of another package")
	}
	return ""
}

func when(applies bool, why string) string {
	if applies {
		return why
	}
	return ""
}
