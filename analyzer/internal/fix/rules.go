package fix

// Rule rewrites violations of one form. Its number is for ever.
type Rule struct {
	ID string
	// Says is what the rule makes of what, for the documentation.
	Says string
	find func(*fixer) (candidate, bool)
	// plain says that it is about plain memory, which has no calls to rewrite.
	plain bool
}

// rules are tried in this order; the first whose rewrite is verified is suggested.
var rules = []Rule{
	{"F1", "a Load, and a Delete of what it found, become LoadAndDelete", (*fixer).loadAndDelete, false},
	{"F2", "a Delete of an entry that was checked becomes CompareAndDelete", (*fixer).compareAndDelete, false},
	{"F3", "a Delete of an entry that was checked becomes CompareAndDelete, and what follows is done only if it succeeds", (*fixer).compareAndDeleteThen, false},
	{"F4", "a Store where a Load found nothing becomes LoadOrStore, and its result is used", (*fixer).loadOrStoreUsed, false},
	{"F5", "a Store where a Load found nothing becomes LoadOrStore", (*fixer).loadOrStore, false},
	{"F6", "a Store where a Load found nothing becomes LoadOrStore, and what follows is done only if it stored", (*fixer).loadOrStoreThen, false},
	{"F7", "a test of a flag and a Store of its opposite become CompareAndSwap", (*fixer).testAndSet, false},
	{"F8", "a Load and a Store of what was made of it become a loop around CompareAndSwap", (*fixer).retryLoop, false},
	{"F9", "a lock of plain memory that is released between two parts of a step is held over both", (*fixer).holdOver, true},
}

// Rules are all rules in their order.
func Rules() []Rule { return rules }
