// Package contract reads what the comment of a function asks of those who call
// it: that they hold a lock, or do not call it from several goroutines at once.
//
//	// updateLeader notes who leads. Lock should be held.
//
// That is what its author means, and not what the callers do: it is a reason not
// to report, and none to call something verified. Words that merely calm, such as
// "this should not be a problem", are no contract.
package contract

import (
	"regexp"
	"strings"
)

// Kind is what a comment asks for.
type Kind int

// The zero Kind is that of a comment that asks for nothing.
const (
	None Kind = iota
	// LockHeld asks callers to hold a lock.
	LockHeld
	// OneAtATime asks them to see to it that no two calls of the function run
	// at once.
	OneAtATime
	// Alone asks for more: that nothing else that the comment names, in words
	// that only people understand, runs beside it.
	Alone
	// Concurrent is the opposite of a contract: the function minds nobody.
	Concurrent
)

// Read finds the first contract in a comment of the function with the name, and
// the sentence that says it.
func Read(doc, name string) (Kind, string) {
	for _, sentence := range stops.Split(doc, -1) {
		sentence = strings.TrimSpace(space.ReplaceAllString(sentence, " "))
		if k := readSentence(sentence, name); k != None {
			return k, sentence
		}
	}
	return None, ""
}

var (
	space = regexp.MustCompile(`\s+`)
	// stops end a sentence.
	stops = regexp.MustCompile(`[.;!?](?:\s+|$)|\n\s*\n`)
	// clauses end a part of one.
	clauses = regexp.MustCompile(`[,:()]|\b(?:but|and|so|because|since)\b`)
	// opening is what a sentence about the function itself may begin with.
	opening = regexp.MustCompile(`^(?:(?:this (?:function|method|func|call)|this|it|note:?(?: that)?|precondition:|warning:|important:) )*`)
	// negation turns a phrase around if it comes before it in the same clause.
	negation = regexp.MustCompile(`\b(?:not|no|nor|without|never|cannot|nobody|neither)\b|n't\b`)
	// condition says when it holds, in the same clause.
	condition = regexp.MustCompile(`\b(?:if|whether|unless|until|once|optionally|either|even|although|though)\b`)
	// readers hold their lock at the same time as others.
	readers = regexp.MustCompile(`\b(?:read|r|shared)[- ]?(?:lock|mutex)|rlock|\breading\b|\brmu\b`)
	// another is a sentence about what the function gets or gives.
	another = regexp.MustCompile(`\b(?:return(?:s|ed|ing)?|results?|resulting|given|passed|arguments?|parameters?|values?|callbacks?|handlers?|func|fn|f|iterators?|they|which)\b`)
)

func readSentence(sentence, name string) Kind {
	text := strings.ToLower(sentence)
	text = strings.TrimPrefix(text, strings.ToLower(name)+" ")
	text = opening.ReplaceAllString(text, "")
	for _, p := range phrases {
		at := p.re.FindStringIndex(text)
		if at == nil {
			continue
		}
		before, after := lastClause(text[:at[0]]), clauses.Split(text[at[1]:], 2)[0]
		turned := negation.MatchString(before) || condition.MatchString(before) || condition.MatchString(after)
		if p.says == LockHeld {
			turned = turned || negation.MatchString(text[at[0]:at[1]]) || readers.MatchString(text)
		} else {
			turned = turned || another.MatchString(text[:at[0]])
		}
		if turned {
			return None // and the same words are not to be taken for something else
		}
		return p.says
	}
	return None
}

// lastClause is the clause in which text breaks off.
func lastClause(text string) string {
	if all := clauses.FindAllStringIndex(text, -1); len(all) > 0 {
		return text[all[len(all)-1][1]:]
	}
	return text
}

// ByName reports whether the name of a function says that its callers hold a lock:
// removeLocked, but not isLocked.
func ByName(name string) bool {
	stem, ok := strings.CutSuffix(name, "Locked")
	if !ok || stem == "" {
		return false
	}
	switch strings.ToLower(stem) {
	case "is", "was", "has", "are", "not", "un", "try", "if", "when", "while", "maybe":
		return false
	}
	for _, suffix := range []string{"Is", "Was", "Not", "If", "When", "While", "R", "Read"} {
		if strings.HasSuffix(stem, suffix) {
			return false
		}
	}
	return !strings.HasPrefix(stem, "is") && !strings.HasPrefix(stem, "Is")
}
