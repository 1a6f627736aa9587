package history

import (
	"bytes"
	"errors"
	"io"
	"strconv"
)

const (
	eventsFormat  = "mapatom-history"
	eventsVersion = 1
	eventsHeader  = `{"format":"mapatom-history","version":1}`
)

// ReadEvents reads our own format: a header, and then one call or return a
// line, in the order in which they happened. The kind of the options is used
// if the header has none.
func ReadEvents(name string, r io.Reader, opts Options) (*History, error) {
	rd := eventReader{h: &History{Kind: opts.Kind}, ids: map[int64]int{}}
	lines := newLineReader(r)
	if err := rd.read(lines); err != nil {
		var bad *Error
		if errors.As(err, &bad) {
			return nil, bad.at(name, lines.line)
		}
		return nil, err
	}
	return rd.h, nil
}

// An eventReader collects the operations of a history from its events.
type eventReader struct {
	h      *History
	header bool
	stuck  bool
	// ids keeps operations that have returned too: an id that comes back is
	// most often two recorders that wrote into one file.
	ids     map[int64]int // index of the operation of each id
	threads threadNames
	open    []int // of each thread, index+1 of the operation that has not returned
	words   map[string]string
	values  []Value // room for arguments and results
	at      int64   // events so far
}

// read reads all lines. A last line without its end is a line: whether it was
// cut off shows in its brackets.
func (rd *eventReader) read(lines *lineReader) error {
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if lines.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if bad := rd.readLine(line, lines.line); bad != nil {
			return bad
		}
	}
	if !rd.header {
		lines.line = 1
		return found("nothing", "the header "+eventsHeader)
	}
	rd.h.Threads = rd.threads.list
	return nil
}

// readLine reads the header or an event. It looks for binary data only at the
// beginning of a line, for the message; elsewhere a byte that is no text is an
// error of the string or the word that it stands in.
func (rd *eventReader) readLine(line []byte, number int) *Error {
	if bytes.IndexByte(line[:min(len(line), 4096)], 0) >= 0 {
		return found("binary data", "a JSON object on each line")
	}
	s := &scanner{data: line}
	if s.peek() != '{' {
		return found(s.here(), rd.wanted())
	}
	var err *Error
	if rd.header {
		err = rd.event(s, int32(number))
	} else {
		err = rd.readHeader(s)
	}
	if err == nil && s.peek() != 0 {
		err = found(s.here()+" after the object", "one object on each line")
	}
	return err
}

// wanted says what should stand on a line.
func (rd *eventReader) wanted() string {
	if rd.header {
		return "a JSON object on each line"
	}
	return "the header " + eventsHeader
}

// readHeader reads the first line. What it does not know is an error, since
// something that this version does not know may change what events mean;
// only "meta" is for everybody.
func (rd *eventReader) readHeader(s *scanner) *Error {
	format, version := Value(""), Value("")
	err := s.members(func(key string) *Error {
		switch key {
		case "format", "version", "kind", "order", "initial", "meta":
		default:
			return found("the name "+quote([]byte(key))+" in the header", "format, version, kind, order, initial or meta")
		}
		v, err := s.value()
		if err != nil {
			return err
		}
		switch key {
		case "format":
			format = v
		case "version":
			version = v
		case "kind":
			return rd.kind(v)
		case "order":
			return rd.order(v)
		case "initial":
			rd.h.Initial = v
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case format != String(eventsFormat):
		return found("format "+or(format, "missing"), "the header "+eventsHeader)
	case version != Value(strconv.Itoa(eventsVersion)):
		return found("version "+or(version, "missing"), "version "+strconv.Itoa(eventsVersion))
	}
	rd.header = true
	return nil
}

// or gives a value for a message.
func or(v Value, missing string) string {
	if v == "" {
		return missing
	}
	return list([]Value{v})
}

// kind takes up the header's kind, which counts more than the options'.
func (rd *eventReader) kind(v Value) *Error {
	for k := Stack; k <= Map; k++ {
		if v == String(k.String()) {
			rd.h.Kind = k
			return nil
		}
	}
	return found("kind "+or(v, ""), "stack, queue, priorityqueue, set, register or map, or none")
}

// order takes up which value of a priority queue comes first.
func (rd *eventReader) order(v Value) *Error {
	if v != `"min"` && v != `"max"` {
		return found("order "+or(v, ""), `"min" or "max", which of a priority queue comes first`)
	}
	rd.h.MinFirst = v == `"min"`
	return nil
}

// An event is one line.
type event struct {
	kind                   string
	id                     int64
	hasID, hasThread       bool
	thread, object, method string
	args, results          []Value
}

// event reads a line and takes it up into the history.
func (rd *eventReader) event(s *scanner, line int32) *Error {
	var e event
	if err := s.members(func(key string) *Error { return rd.member(&e, s, key) }); err != nil {
		return err
	}
	switch {
	case e.kind == "":
		return found("an event without a type", `"type":"call", "return" or "stuck"`)
	case rd.stuck:
		return found("an event after stuck", "nothing")
	case e.kind == "stuck":
		return rd.markStuck()
	case !e.hasID:
		return found("a "+e.kind+" without an id", "the id of its operation")
	case e.kind == "call":
		return rd.call(&e, line)
	}
	return rd.ret(&e)
}

// member reads one member of an event.
func (rd *eventReader) member(e *event, s *scanner, key string) (err *Error) {
	switch key {
	case "type":
		if e.kind, err = rd.word(s); err == nil && e.kind != "call" && e.kind != "return" && e.kind != "stuck" {
			err = found("type "+quote([]byte(e.kind)), "call, return or stuck")
		}
	case "id":
		e.hasID = true
		e.id, err = s.int()
	case "thread":
		e.hasThread = true
		if s.peek() != '"' {
			var n int64
			n, err = s.int()
			e.thread = strconv.FormatInt(n, 10)
			return err
		}
		e.thread, err = rd.word(s)
	case "object":
		e.object, err = rd.word(s)
	case "method":
		e.method, err = rd.word(s)
	case "args":
		e.args, err = rd.list(s)
	case "results":
		e.results, err = rd.list(s)
	case "meta":
		_, err = s.value()
	default:
		err = found("the name "+quote([]byte(key)), "type, id, thread, object, method, args, results or meta")
	}
	return err
}

// int reads an integer.
func (s *scanner) int() (int64, *Error) {
	start := s.here()
	v, err := s.value()
	if err != nil {
		return 0, err
	}
	n, bad := strconv.ParseInt(string(v), 10, 64)
	if bad != nil {
		return 0, found(start, "an integer")
	}
	return n, nil
}

// word reads a string that many events have in common, and keeps one of each.
func (rd *eventReader) word(s *scanner) (string, *Error) {
	if s.peek() != '"' {
		return "", found(s.here(), "a string")
	}
	start := s.pos
	text, plain, err := s.textOrPlain()
	if err != nil || !plain {
		return text, err
	}
	raw := s.data[start+1 : s.pos-1]
	if kept, ok := rd.words[string(raw)]; ok {
		return kept, nil
	}
	if rd.words == nil {
		rd.words = map[string]string{}
	}
	text = string(raw)
	rd.words[text] = text
	return text, nil
}

// list reads an array of values. The slices of many operations share one
// piece of memory.
func (rd *eventReader) list(s *scanner) ([]Value, *Error) {
	start := len(rd.values)
	err := s.elements('[', ']', func() *Error {
		v, err := s.value()
		// The lists that were given away keep the old memory; only the one
		// that is being read moves to the new.
		if len(rd.values) == cap(rd.values) {
			grown := make([]Value, len(rd.values)-start, 2*(len(rd.values)-start)+1024)
			copy(grown, rd.values[start:])
			rd.values, start = grown, 0
		}
		rd.values = append(rd.values, v)
		return err
	})
	return rd.values[start:len(rd.values):len(rd.values)], err
}

// markStuck takes up that the open operations will never return. Where none is
// open, the recorder and the file disagree about something.
func (rd *eventReader) markStuck() *Error {
	for _, open := range rd.open {
		if open > 0 {
			rd.stuck, rd.h.Stuck = true, true
			return nil
		}
	}
	return found("stuck where no operation is open", "a call that does not return")
}

// call takes up a call.
func (rd *eventReader) call(e *event, line int32) *Error {
	switch {
	case !e.hasThread:
		return found("a call without a thread", `"thread", a string or an integer`)
	case e.method == "":
		return found("a call without a method", `"method"`)
	case e.results != nil:
		return found("results of a call", "them with the return")
	}
	if first, ok := rd.ids[e.id]; ok {
		return found("a second call with id "+strconv.FormatInt(e.id, 10), "an id other than that of line "+rd.lineOf(first))
	}
	t := int(rd.threads.number([]byte(e.thread)))
	if t == len(rd.open) {
		rd.open = append(rd.open, 0)
	}
	if before := rd.open[t]; before > 0 {
		what := "a call of " + e.method + " by thread " + quote([]byte(e.thread)) + ", whose call on line " +
			rd.lineOf(before-1) + " has not returned"
		return found(what, "that return first")
	}
	rd.ids[e.id] = len(rd.h.Operations)
	rd.h.Operations = append(rd.h.Operations, Operation{
		Thread: t, Object: e.object, Method: e.method, Args: e.args,
		Call: rd.at, Return: Pending, Line: line,
	})
	rd.open[t] = len(rd.h.Operations)
	rd.at++
	return nil
}

// lineOf gives the line of an operation's call for a message.
func (rd *eventReader) lineOf(op int) string {
	return strconv.Itoa(int(rd.h.Operations[op].Line))
}

// ret takes up a return.
func (rd *eventReader) ret(e *event) *Error {
	i, ok := rd.ids[e.id]
	id := strconv.FormatInt(e.id, 10)
	if !ok {
		return found("a return before a call with id "+id, "the call first")
	}
	o := &rd.h.Operations[i]
	switch {
	case !o.Pending():
		return found("a second return of the call on line "+rd.lineOf(i)+", id "+id, "one")
	// A return is known by its id. What it repeats of the call must agree,
	// or else one of the two is wrong.
	case e.hasThread && e.thread != rd.threads.list[o.Thread]:
		return found("a return by thread "+quote([]byte(e.thread)), "thread "+quote([]byte(rd.threads.list[o.Thread]))+", which called")
	case e.args != nil || e.object != "" && e.object != o.Object || e.method != "" && e.method != o.Method:
		return found("a return with args or of another method", `"id" and "results"`)
	}
	if o.Return, o.Results = rd.at, e.results; o.Results == nil {
		o.Results = []Value{}
	}
	rd.open[o.Thread] = 0
	rd.at++
	return nil
}
