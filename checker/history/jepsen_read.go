package history

import (
	"errors"
	"io"
	"strconv"
)

// ReadEDN reads a history as Jepsen keeps it: maps with :process, :type, :f
// and :value, one after the other or in one vector. What else is in the maps
// is left out, and so are processes that are no clients (:nemesis).
//
// An :ok gives the results of its :invoke. An :info says that it is not known
// whether the operation took place: it stays pending. A :fail says that it did
// not, and the operation is left out, but for a :cas without an :error, which
// found another value.
//
// The kind of the options decides what operations are. Without one, reads,
// writes and cas of one value are those of a register, and those whose values
// are all of the form [key value] are those of a map (jepsen.independent).
func ReadEDN(name string, r io.Reader, opts Options) (*History, error) {
	rd := jepsenReader{h: &History{Kind: opts.Kind}}
	forms := newEDNReader(r)
	if err := rd.read(forms); err != nil {
		var bad *Error
		if errors.As(err, &bad) {
			if bad.Line == 0 {
				bad.Line = forms.line
			}
			return nil, bad.at(name, bad.Line)
		}
		return nil, err
	}
	if bad := rd.finish(); bad != nil {
		return nil, bad.at(name, bad.Line)
	}
	return rd.h, nil
}

// A jepsenReader collects the operations of a history.
type jepsenReader struct {
	h       *History
	threads threadNames
	open    []int  // of each thread, index+1 of the operation that is open
	dropped []bool // of each operation, whether it failed
	at      int64  // events so far
}

// read reads all forms: maps, and vectors or lists of maps, which are not
// collected first.
func (rd *jepsenReader) read(forms *ednReader) error {
	nested := byte(0)
	for {
		forms.size = 0
		c, err := forms.first()
		switch {
		case errors.Is(err, io.EOF) && nested != 0:
			return found("the end of the file inside the history", strconv.Quote(string(rune(nested))))
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case c == nested:
			nested = 0
			continue
		case nested == 0 && (c == '[' || c == '('):
			nested = closers[c]
			continue
		}
		line := forms.line
		v, discard, err := forms.form(c)
		if err != nil {
			return err
		}
		if discard {
			continue
		}
		if bad := rd.event(&v, int32(line)); bad != nil {
			bad.Line = line
			return bad
		}
	}
}

const jepsenForm = "a map such as {:process 0, :type :invoke, :f :read, :value nil}"

// event takes up one map.
func (rd *jepsenReader) event(v *ednValue, line int32) *Error {
	process, kind, f := v.get("process"), v.get("type"), v.get("f")
	switch {
	case v.kind != ednMap:
		return found("a form that is no map", jepsenForm)
	case process == nil || kind == nil || f == nil:
		return found("a map without :process, :type or :f", jepsenForm)
	case kind.kind != ednKeyword:
		return found(":type "+list([]Value{kind.json()}), ":invoke, :ok, :fail or :info")
	case process.kind != ednAtom:
		return nil // the nemesis and its like act on the system, not on the object
	}
	value := Value("null")
	if given := v.get("value"); given != nil {
		value = given.json()
	}
	name := plainText(process.json())
	t := int(rd.threads.number([]byte(name)))
	if t == len(rd.open) {
		rd.open = append(rd.open, 0)
	}
	if kind.text == "invoke" {
		return rd.invoke(t, f, value, line)
	}
	return rd.complete(t, kind.text, f, value, v.get("error") != nil)
}

// plainText gives a string without its quotes, and any other value as it is.
func plainText(v Value) string {
	if v[0] != '"' {
		return string(v)
	}
	text, err := (&scanner{data: []byte(v)}).text()
	if err != nil {
		return string(v)
	}
	return text
}

// invoke takes up an :invoke. A value of nil is no argument: reads have it
// because every map of Jepsen's has a :value.
func (rd *jepsenReader) invoke(t int, f *ednValue, value Value, line int32) *Error {
	if before := rd.open[t]; before > 0 {
		what := "process " + rd.threads.list[t] + " invokes while its :invoke of line " +
			strconv.Itoa(int(rd.h.Operations[before-1].Line)) + " is open"
		return found(what, "its :ok, :fail or :info first, and another process after an :info")
	}
	o := Operation{Thread: t, Method: plainText(f.json()), Call: rd.at, Return: Pending, Line: line}
	if o.Method == "" {
		return found(`:f ""`, jepsenForm)
	}
	if value != "null" {
		o.Args = []Value{value}
	}
	rd.h.Operations = append(rd.h.Operations, o)
	rd.dropped = append(rd.dropped, false)
	rd.open[t] = len(rd.h.Operations)
	rd.at++
	return nil
}

// complete takes up an :ok, :fail or :info.
func (rd *jepsenReader) complete(t int, kind string, f *ednValue, value Value, hasError bool) *Error {
	if kind != "ok" && kind != "fail" && kind != "info" {
		return found("the type "+quote([]byte(":"+kind)), ":invoke, :ok, :fail or :info")
	}
	if rd.open[t] <= 0 {
		if kind == "info" {
			return nil // a process may say what it likes between operations
		}
		return found(":"+kind+" of process "+rd.threads.list[t]+", which has nothing open", "its :invoke first")
	}
	o := &rd.h.Operations[rd.open[t]-1]
	if method := plainText(f.json()); method != o.Method {
		return found(":"+kind+" of "+quote([]byte(method)), "one of "+quote([]byte(o.Method))+", which its process invoked")
	}
	switch {
	case kind == "info":
		return nil // it stays open: the process must not invoke again
	// With an :error the client may have given up before the object saw
	// anything, and then it says nothing about the value.
	case kind == "fail" && !(isCAS(o.Method) && !hasError):
		rd.dropped[rd.open[t]-1] = true
	case isCAS(o.Method):
		o.Results = []Value{Value(strconv.FormatBool(kind == "ok"))}
	default:
		o.Results = []Value{value}
	}
	o.Return = rd.at
	rd.open[t] = 0
	rd.at++
	return nil
}

// isCAS reports whether the method compares and sets. It is the one whose
// :fail says something about the object.
func isCAS(method string) bool {
	word := plainWord(method)
	return word == "cas" || word == "compareandset" || word == "compareandswap"
}

// finish leaves out what failed, finds out the kind, and takes values apart.
func (rd *jepsenReader) finish() *Error {
	rd.drop()
	h := rd.h
	if h.Kind == Unknown {
		h.Kind = h.cellKind()
	}
	for i := range h.Operations {
		o := &h.Operations[i]
		if what, want := h.takeApart(o); what != "" {
			return found(what, want).at("", int(o.Line))
		}
	}
	return nil
}

// drop leaves out the operations that failed, and numbers threads and events
// as if they had never been there.
func (rd *jepsenReader) drop() {
	h := rd.h
	// at counts the events that are kept before each position.
	at := make([]int64, rd.at+1)
	kept := h.Operations[:0]
	for i, o := range h.Operations {
		if rd.dropped[i] {
			continue
		}
		kept = append(kept, o)
		at[o.Call+1] = 1
		if !o.Pending() {
			at[o.Return+1] = 1
		}
	}
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	var threads threadNames
	for i := range kept {
		o := &kept[i]
		o.Thread = int(threads.number([]byte(rd.threads.list[o.Thread])))
		o.Call = at[o.Call]
		if !o.Pending() {
			o.Return = at[o.Return]
		}
	}
	h.Operations, h.Threads = kept, threads.list
}

// cellKind gives Register or Map if all operations are theirs. An empty
// history says nothing.
func (h *History) cellKind() Kind {
	// A cas of a register is [from to] and looks like a key and a value: it
	// is keyed only if what follows the key is a pair again.
	keyed, reads := true, len(h.Operations) > 0
	for i := range h.Operations {
		o := &h.Operations[i]
		word := plainWord(o.Method)
		if word != "read" && word != "write" && !isCAS(o.Method) {
			reads = false
		}
		parts, ok := o.pair()
		if ok && isCAS(o.Method) {
			_, ok = split(parts[1], 2)
		}
		keyed = keyed && ok
	}
	switch {
	case !reads:
		return Unknown
	case keyed:
		return Map
	}
	return Register
}

// pair gives the two elements of the operation's only argument.
func (o *Operation) pair() ([]Value, bool) {
	if len(o.Args) != 1 {
		return nil, false
	}
	return split(o.Args[0], 2)
}

// split gives the elements of an array of n.
func split(v Value, n int) ([]Value, bool) {
	if v == "" || v[0] != '[' {
		return nil, false
	}
	var all []Value
	s := scanner{data: []byte(v)}
	err := s.elements('[', ']', func() *Error {
		e, err := s.value()
		all = append(all, e)
		return err
	})
	return all, err == nil && len(all) == n
}

// takeApart makes arguments and results of the one value that an operation
// of Jepsen has on either side: of a map, its key and the rest, and of a cas,
// the two values. It says what is wrong where they are not like that.
func (h *History) takeApart(o *Operation) (what, want string) {
	before := o.Args
	if h.Kind == Map {
		parts, ok := o.pair()
		if !ok {
			return ":value of " + o.Method + " that is " + list(o.Args), "[key value]"
		}
		before, o.Args = parts[1:], parts
		if len(o.Results) == 1 && !isCAS(o.Method) {
			result, ok := split(o.Results[0], 2)
			if !ok || result[0] != parts[0] {
				return ":value of an :ok of " + o.Method + " that is " + list(o.Results), "[key value] with the key of its :invoke"
			}
			o.Results = result[1:]
		}
	}
	s := dictionary[h.Kind][plainWord(o.Method)]
	switch {
	case h.Kind != Unknown && isCAS(o.Method):
		last := len(o.Args) - 1
		if last < 0 {
			return ":cas without a value", "[from to]"
		}
		ends, ok := split(o.Args[last], 2)
		if !ok {
			return ":value of a :cas that is " + list(o.Args[last:]), "[from to]"
		}
		o.Args = append(o.Args[:last:last], ends...)
	case s != nil && s.takes() == 0 && h.Kind == Map && before[0] == "null":
		o.Args = o.Args[:1] // [key nil] for a read
	case s != nil && s.takes() == 1 && len(o.Args) == 0:
		before = []Value{"null"} // a write of nil
		o.Args = before
	}
	if o.Results != nil && !isCAS(o.Method) && !o.gave(s, before) {
		o.Results = []Value{}
	}
	return "", ""
}

// gave reports whether the value of an :ok is a result. Jepsen repeats the
// value of the :invoke where there is none.
func (o *Operation) gave(s *spelling, before []Value) bool {
	if s != nil && s.shape.resultAt() < 0 {
		return s.shape.answers()
	}
	if s != nil && s.shape != shapePut && s.shape != shapeErase {
		return true
	}
	return len(before) == 0 || o.Results[0] != before[0] && o.Results[0] != "null"
}
