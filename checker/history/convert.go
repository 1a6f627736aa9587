package history

import (
	"strings"
)

// dictionary finds the spelling of a method of the program under test: Enq,
// enqueue, LoadOrStore, load_or_store and :load-or-store are found alike.
var dictionary = func() [len(spellings)]map[string]*spelling {
	var all [len(spellings)]map[string]*spelling
	for k := range spellings {
		all[k] = map[string]*spelling{}
		for i := range spellings[k] {
			s := &spellings[k][i]
			all[k][plainWord(s.word)] = s
		}
	}
	return all
}()

// plainWord leaves out case and what separates the parts of a word.
func plainWord(word string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(word))
}

// Logs gives the history as one Log an object, in order of their first
// operation, with the operations as rows in the history's order. It fails if
// the kind is not known, or an operation is none of that kind's.
func (h *History) Logs() ([]*Log, error) {
	if h.Kind == Unknown {
		return nil, found("a history that does not say the kind of its objects", "one of the known kinds")
	}
	var logs []*logBuilder
	byName := map[string]*logBuilder{}
	nullIsAbsent := h.nullIsAbsent()
	for i := range h.Operations {
		o := &h.Operations[i]
		b := byName[o.Object]
		if b == nil {
			b = h.newLog(o.Object, nullIsAbsent)
			byName[o.Object] = b
			logs = append(logs, b)
		}
		if err := b.add(o); err != nil {
			return nil, err.at("", int(o.Line))
		}
	}
	all := make([]*Log, len(logs))
	for i, b := range logs {
		all[i] = b.finish()
	}
	if len(all) == 0 {
		all = append(all, h.newLog("", nullIsAbsent).finish())
	}
	return all, nil
}

// nullIsAbsent reports whether null says in this history that there was
// nothing. It does unless a call somewhere gave a second result for that, as
// Go's maps do: then null is a value like any other. A register has a value
// always, and null is the one it has before the first write.
func (h *History) nullIsAbsent() bool {
	if h.Kind == Register {
		return true
	}
	for i := range h.Operations {
		if len(h.Operations[i].Results) == 2 {
			return false
		}
	}
	return true
}

// A logBuilder makes the Log of one object.
type logBuilder struct {
	log          Log
	names        names
	usesSecond   bool
	nullIsAbsent bool
}

// newLog begins the log of one object. Threads are those of the whole history,
// so that their numbers need no translation.
func (h *History) newLog(object string, nullIsAbsent bool) *logBuilder {
	b := &logBuilder{nullIsAbsent: nullIsAbsent}
	b.log = Log{Kind: h.Kind, Object: object, Threads: h.Threads, Initial: Absent, MinFirst: h.MinFirst}
	if h.Kind == Register && h.Initial != "" && h.Initial != "null" {
		b.log.Initial = b.names.number(h.Initial)
	}
	return b
}

// finish drops what the log turned out not to need.
func (b *logBuilder) finish() *Log {
	if !b.usesSecond {
		b.log.Second = nil
	}
	b.log.Names = b.names.list
	return &b.log
}

// add appends one operation.
func (b *logBuilder) add(o *Operation) *Error {
	l := &b.log
	s := dictionary[l.Kind][plainWord(o.Method)]
	if s == nil {
		return found("method "+quote([]byte(o.Method))+" of a "+l.Kind.String(), wordsOf(l.Kind))
	}
	args := o.Args
	if l.Kind == Map {
		if len(args) == 0 {
			return found(o.Method+" without a key", "a key as its first argument")
		}
		l.Key = append(l.Key, b.names.number(args[0]))
		args = args[1:]
	}
	values, answer, err := b.values(s, o, args)
	if err != nil {
		return err
	}
	if err := s.complain(l, values, answer, o.Pending()); err != nil {
		return err
	}
	r := s.fill(values, answer)
	l.Method = append(l.Method, r.method)
	l.Value = append(l.Value, r.value)
	l.Second = append(l.Second, r.second)
	l.Call = append(l.Call, o.Call)
	l.Return = append(l.Return, o.Return)
	l.Thread = append(l.Thread, int32(o.Thread))
	l.Line = append(l.Line, o.Line)
	b.usesSecond = b.usesSecond || r.method.hasSecond()
	return nil
}

// values gives the numbers of a call and its return in the order in which
// fill wants them.
func (b *logBuilder) values(s *spelling, o *Operation, args []Value) ([]int64, outcome, *Error) {
	if takes := s.takes(); len(args) != takes {
		return nil, unsaid, found(o.Method+" with "+count(len(args), "argument"), count(takes, "argument"))
	}
	// A method of a log takes at most two values.
	values := make([]int64, 0, 2)
	for _, arg := range args {
		if arg == "null" && b.nullIsAbsent {
			values = append(values, Absent)
		} else {
			values = append(values, b.names.number(arg))
		}
	}
	switch {
	case o.Pending():
		if s.gives() {
			values = append(values, Unknowable)
		}
		return values, unsaid, nil
	case s.shape.answers():
		answer, err := yesOrNo(o)
		return values, answer, err
	case s.shape.resultAt() >= 0:
		return b.result(s, o, values)
	// A bounded queue that is full gives false. There is no such queue among
	// the kinds, and to leave the call out would be to guess.
	case len(o.Results) == 1 && o.Results[0] == "false":
		return nil, unsaid, found(o.Method+" that gave false", "one that succeeded: a "+b.log.Kind.String()+" takes all values")
	}
	return values, unsaid, nil
}

// yesOrNo gives the answer of a call that gives true or false.
func yesOrNo(o *Operation) (outcome, *Error) {
	if len(o.Results) == 1 {
		switch o.Results[0] {
		case "true":
			return yes, nil
		case "false":
			return no, nil
		}
	}
	return unsaid, found("results "+list(o.Results)+" of "+o.Method, "true or false")
}

// result appends the value that a call gave: alone, or with a second result
// that says whether there was one. Erasing and putting may give none.
func (b *logBuilder) result(s *spelling, o *Operation, values []int64) ([]int64, outcome, *Error) {
	optional := s.shape == shapeErase || s.shape == shapePut
	switch {
	case len(o.Results) == 0 && optional:
		return values, unsaid, nil
	case len(o.Results) == 1 && s.shape == shapeErase && (o.Results[0] == "true" || o.Results[0] == "false"):
		return nil, unsaid, found(o.Method+" that gave "+string(o.Results[0]), "no result, or the value that was there")
	case len(o.Results) == 1 && o.Results[0] == "null":
		return append(values, Absent), unsaid, nil
	case len(o.Results) == 1:
		return append(values, b.names.number(o.Results[0])), unsaid, nil
	case len(o.Results) == 2 && o.Results[1] == "true":
		return append(values, b.names.number(o.Results[0])), unsaid, nil
	case len(o.Results) == 2 && o.Results[1] == "false":
		// LoadOrStore gives the value that it stored, and the others zero.
		return append(values, Absent), unsaid, nil
	}
	return nil, unsaid, found("results "+list(o.Results)+" of "+o.Method, "a value, or a value and whether it was there")
}

// count writes a number of things.
func count(n int, thing string) string {
	words := [...]string{"no ", "one ", "two ", "three "}
	text := "more than three "
	if n < len(words) {
		text = words[n]
	}
	if n != 1 {
		thing += "s"
	}
	return text + thing
}

// list writes values for a message.
func list(values []Value) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(v))
	}
	text := b.String()
	if len(text) > maxQuoted {
		return quote([]byte(text))
	}
	return "(" + text + ")"
}
