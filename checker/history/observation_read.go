package history

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
)

// ReadObservations reads Line-Up's observation file.
func ReadObservations(name string, r io.Reader) (*ObservationFile, error) {
	rd := observationReader{xml: xml.NewDecoder(r), file: &ObservationFile{}}
	if err := rd.read(); err != nil {
		line, _ := rd.xml.InputPos()
		var bad *Error
		var syntax *xml.SyntaxError
		switch {
		case errors.As(err, &bad):
			return nil, bad.at(name, line)
		case errors.As(err, &syntax):
			return nil, found(syntax.Msg, "XML").at(name, syntax.Line)
		case errors.Is(err, io.EOF):
			return nil, found("the end of the file", "</observationset>").at(name, line)
		}
		return nil, err
	}
	return rd.file, nil
}

type observationReader struct {
	xml  *xml.Decoder
	file *ObservationFile
}

// An observation is one <observation> element while it is read: operations
// are called by the file's own ids, and may stand after the threads that
// have them.
type observation struct {
	threads   []string
	ids       [][]string // of each thread
	blocks    map[string]bool
	ops       map[string]Operation
	histories []string
}

// read reads the whole document.
func (rd *observationReader) read() error {
	root, err := rd.start()
	if err != nil {
		return err
	}
	if root.Name.Local != "observationset" {
		return found("<"+root.Name.Local+">", "<observationset>")
	}
	for {
		child, err := rd.child()
		if err != nil {
			return err
		}
		if child == nil {
			break
		}
		if child.Name.Local != "observation" {
			return found("<"+child.Name.Local+">", "<observation>")
		}
		if err := rd.observation(); err != nil {
			return err
		}
	}
	if _, err := rd.start(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = found("an element after </observationset>", "the end of the file")
		}
		return err
	}
	return nil
}

// start gives the next element, after anything that is none.
func (rd *observationReader) start() (xml.StartElement, error) {
	for {
		t, err := rd.xml.Token()
		if err != nil {
			return xml.StartElement{}, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			return t, nil
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); text != "" {
				return xml.StartElement{}, found("the text "+quote([]byte(text)), "<observationset>")
			}
		}
	}
}

// child gives the next element inside the present one; nil at its end.
func (rd *observationReader) child() (*xml.StartElement, error) {
	for {
		t, err := rd.xml.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			return &t, nil
		case xml.EndElement:
			return nil, nil
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); text != "" {
				return nil, found("the text "+quote([]byte(text)), "an element")
			}
		}
	}
}

// text gives what stands in an element that has no elements, up to its end.
func (rd *observationReader) text(name string) (string, error) {
	var b strings.Builder
	for {
		t, err := rd.xml.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			return "", found("<"+t.Name.Local+"> in <"+name+">", "text")
		case xml.EndElement:
			return b.String(), nil
		case xml.CharData:
			b.Write(t)
		}
	}
}

// attribute gives an attribute of an element; "" if it is not there.
func attribute(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// observation reads an <observation> element.
func (rd *observationReader) observation() error {
	o := observation{blocks: map[string]bool{}, ops: map[string]Operation{}}
	for {
		e, err := rd.child()
		if err != nil {
			return err
		}
		if e == nil {
			break
		}
		text, err := rd.text(e.Name.Local)
		if err != nil {
			return err
		}
		if bad := o.element(e, text); bad != nil {
			return bad
		}
	}
	s, bad := o.section()
	if bad != nil {
		return bad
	}
	rd.file.Sections = append(rd.file.Sections, s)
	return nil
}

// element takes up one element of an observation.
func (o *observation) element(e *xml.StartElement, text string) *Error {
	id := attribute(e, "id")
	switch e.Name.Local {
	case "thread":
		var ids []string
		for _, word := range strings.Fields(text) {
			// The mark belongs to the thread's list and not to the id, which is
			// without it in <op> and <history>.
			op := strings.TrimSuffix(word, "B")
			if _, seen := o.blocks[op]; seen {
				return found("operation "+quote([]byte(op))+" in two places", "each operation once")
			}
			o.blocks[op] = op != word
			ids = append(ids, op)
		}
		o.threads, o.ids = append(o.threads, id), append(o.ids, ids)
	case "op":
		op, err := parseOp(attribute(e, "name"), text)
		if err != nil {
			return err
		}
		op.Object = attribute(e, "object")
		if _, seen := o.ops[id]; seen {
			return found("a second <op> with id "+quote([]byte(id)), "another id")
		}
		o.ops[id] = op
	case "history":
		o.histories = append(o.histories, text)
	default:
		return found("<"+e.Name.Local+">", "<thread>, <op> or <history>")
	}
	return nil
}

// parseOp reads the text of an <op>: value="..." for an argument, under any
// name, and result="..." for a result.
func parseOp(name, text string) (Operation, *Error) {
	o := Operation{Method: name}
	if name == "" {
		return o, found("an <op> without a name", `name="..."`)
	}
	const want = `value="..." or result="..."`
	// The text of an <op> looks like attributes and is not: Line-Up writes it
	// between the tags.
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		key, rest, ok := strings.Cut(text, "=")
		if !ok || len(rest) < 2 || rest[0] != '"' {
			return o, found(quote([]byte(text)), want)
		}
		value, length := unquoteAttribute(rest)
		if length < 0 {
			return o, found(quote([]byte(text)), "a closing quote")
		}
		if v := lenient([]byte(value)); strings.TrimSpace(key) == "result" {
			o.Results = append(o.Results, v)
		} else {
			o.Args = append(o.Args, v)
		}
		text = rest[length:]
	}
	return o, nil
}

// unquoteAttribute reads a quoted text and gives its length with the quotes;
// -1 if it does not end. Only a quote and a backslash are escaped.
func unquoteAttribute(text string) (string, int) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), i + 1
		case c == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", -1
}

// section makes a section of what was read: it numbers the operations and
// checks that the histories have them all.
func (o *observation) section() (*Section, *Error) {
	s := &Section{Threads: o.threads, Operations: make([][]Operation, len(o.threads))}
	number := map[string]int32{}
	seen := map[string]bool{}
	for t, ids := range o.ids {
		if seen[o.threads[t]] {
			return nil, found("a second thread "+quote([]byte(o.threads[t])), "another id")
		}
		seen[o.threads[t]] = true
		for _, id := range ids {
			op, ok := o.ops[id]
			if !ok {
				return nil, found("operation "+quote([]byte(id))+" of a thread, and no <op> for it", `<op id="..." name="...">`)
			}
			if o.blocks[id] && op.Results != nil {
				return nil, found("operation "+quote([]byte(id))+" that blocks and has a result", "one of the two")
			}
			if !o.blocks[id] && op.Results == nil {
				op.Results = []Value{}
			}
			s.Operations[t] = append(s.Operations[t], op)
			number[id] = int32(len(number) + 1)
		}
	}
	// An operation that no thread has cannot stand in a history, and would be
	// lost when the file is written again.
	if len(number) < len(o.ops) {
		return nil, found("an <op> that no thread has", "its id in a <thread>")
	}
	for _, text := range o.histories {
		order, bad := parseOrder(text, number)
		if bad != nil {
			return nil, bad
		}
		s.Orders = append(s.Orders, order)
	}
	if err := s.Check(); err != nil {
		return nil, found(err.Error(), "")
	}
	return s, nil
}

// parseOrder reads the text of a <history>.
func parseOrder(text string, number map[string]int32) (Order, *Error) {
	var order Order
	for _, word := range strings.Fields(text) {
		id, isCall := strings.CutSuffix(word, "[")
		if !isCall {
			id = strings.TrimPrefix(word, "]")
		}
		n, ok := number[id]
		switch {
		case order.Stuck:
			return order, found(quote([]byte(word))+" after #", "nothing")
		case word == "#":
			order.Stuck = true
		case !isCall && id == word:
			return order, found(quote([]byte(word)), "i[ for the call of operation i, ]i for its return, or #")
		case !ok:
			return order, found("operation "+quote([]byte(id)), "one of "+strconv.Itoa(len(number))+" that the threads have")
		case isCall:
			order.Marks = append(order.Marks, n)
		default:
			order.Marks = append(order.Marks, -n)
		}
	}
	return order, nil
}
