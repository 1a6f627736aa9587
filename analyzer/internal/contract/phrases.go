package contract

import (
	"regexp"
	"strings"
)

// phrase is one way in which comments say something.
type phrase struct {
	says Kind
	re   *regexp.Regexp
}

// words are what the patterns of phrases are made of. One that others are made of
// comes after them.
var words = [][2]string{
	{"ONLYBE", `(?:(?:MUST|may only|can only|only|to) (?:only )?be (?:only )?|^(?:is |are )?(?:only |always )?)`},
	{"DONOT", `(?:(?:must|should|may|can|shall|do|does|is|are)(?: not|n't| never)|can't)(?: be)? (?:safe to (?:be )?|allowed to (?:be )?|supposed to (?:be )?|meant to (?:be )?|to be )?`},
	{"MUST", `(?:must|should|shall|has to|have to|needs? to|ought to|(?:is|are) (?:assumed|expected|supposed|required) to)`},
	{"LOCK", `(?:[\w.]*locks?|[\w.]*mutex(?:es)?|(?:[\w.]*\.)?\w*mu)\b`},
	{"HELD", `(?:held|locked|taken|acquired)`},
	{"HOLD", `(?:holds?|holding|have|has|owns?|acquired?|takes?|taken|lock|locked)`},
	{"CALLED", `(?:call(?:ed)?|used?|invoked?|run|accessed|executed)`},
	{"ATONCE", `(?:concurrently|in parallel|parallel|simultaneously|at the same time)`},
	{"BYMANY", `(?:by|from) (?:multiple|several|different|two|more than one|other|many|concurrent) THREADS`},
	{"ONE", `(?:only |exactly )?(?:one|a single|the same|1) THREADS`},
	{"THREADS", `(?:go-?routines?|threads?|callers?)`},
	{"FEW", `(?:[\w.]+ ){0,3}`},
}

// phrases are tried in this order on each sentence, in lower case, without the
// name of the function that it may begin with.
var phrases = compile([][2]string{
	// "Lock should be held.", "s.mu must be held by the caller"
	{"lock", `LOCK (?:MUST (?:already )?be|(?:is |are )?assumed?(?: to be)?|(?:is|are) (?:expected|supposed|required)(?: to be)?) (?:already )?HELD`},
	// "Lock held on entry", "the lock is held by the caller"
	{"lock", `LOCK (?:(?:is|are) )?(?:already )?HELD (?:on|upon|at|by|when|before) (?:the )?(?:entry|callers?|call(?:ing|ed)|entering)`},
	{"lock", `^(?:the )?LOCK (?:(?:is|are) )?(?:already )?held$`},
	// "The caller must hold s.mu", "callers hold the lock"
	{"lock", `callers? (?:MUST |is |are )?(?:already |be )*HOLD\b.{0,30}LOCK`},
	// "must be called with the mutex held", "called under c.mu"
	{"lock", `ONLYBECALLED (?:only )?with FEWLOCK (?:(?:is|being|already) )?HELD`},
	{"lock", `ONLYBECALLED (?:only )?(?:(?:while|when|with|after) )?(?:the caller is )?(?:holding|locking) FEWLOCK`},
	{"lock", `ONLYBECALLED (?:only )?(?:while|when) FEWLOCK (?:is|are) HELD`},
	{"lock", `ONLYBECALLED (?:only )?(?:under|inside|within) FEWLOCK`},
	// "assumes that mu is held", "requires the lock to be held"
	{"lock", `(?:requires?|expects?|assumes?|assuming)(?: that)? FEWLOCK (?:(?:is|are|be|to be|being|MUST be) )?(?:already )?HELD`},
	{"lock", `(?:requires?|expects?|assumes?)(?: that)? (?:the )?(?:callers? )?(?:to )?(?:hold|holds|holding|be holding) FEWLOCK`},

	// "should not be called in parallel to other data writes"
	{"alone", `DONOTCALLED\b.{0,20}?\bATONCE (?:with|to|as) (?:other|any|the|all)\b`},
	// "must not be called concurrently", "should not be called from multiple goroutines"
	{"one", `DONOTCALLED\b.{0,20}?\b(?:ATONCE|BYMANY)`},
	{"one", `cannot be CALLED\b.{0,20}?\b(?:ATONCE|BYMANY)`},
	// "not goroutine-safe", "not safe for concurrent use"
	{"one", `\b(?:not|isn't) (?:go-?routine|thread|concurrency|concurrent)[- ]?safe`},
	{"one", `\b(?:not|isn't|never) safe (?:for|in|under|with) (?:concurrent|parallel|simultaneous|multi)`},
	{"one", `\bunsafe (?:for|under) concurrent`},
	// "must be called from a single goroutine", "only one goroutine may call it"
	{"one", `ONLYBECALLED (?:only )?(?:from|by|in|on) ONE`},
	{"one", `MUST only CALLED (?:from|by|in|on) ONE`},
	{"one", `only (?:one|a single) THREADS (?:at a time )?(?:may|should|can|must|will|is allowed to|is supposed to|calls?|uses?|runs?)\b`},

	// "safe to call concurrently with other methods"
	{"concurrent", `safe (?:for (?:\w+ ){0,2}concurrent|to (?:be )?CALLED\b.{0,20}?\b(?:ATONCE|BYMANY))`},
	{"concurrent", `(?:may|can) be CALLED\b.{0,20}?\b(?:ATONCE|BYMANY)`},
	{"concurrent", `(?:go-?routine|thread|concurrency)[- ]safe`},
})

var kinds = map[string]Kind{"lock": LockHeld, "alone": Alone, "one": OneAtATime, "concurrent": Concurrent}

func compile(table [][2]string) []phrase {
	var out []phrase
	for _, row := range table {
		pattern := row[1]
		for _, w := range words {
			pattern = strings.ReplaceAll(pattern, w[0], w[1])
		}
		out = append(out, phrase{kinds[row[0]], regexp.MustCompile(pattern)})
	}
	return out
}
