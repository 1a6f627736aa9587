package history

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// WriteEDN writes a history as Jepsen keeps it, a map a line. It fails where
// an operation has more than the one value that Jepsen's have, and for a
// history of several objects.
func WriteEDN(w io.Writer, h *History) error {
	marks, err := h.marks()
	if err != nil {
		return err
	}
	if objects := h.Objects(); len(objects) > 1 {
		return fmt.Errorf("a history of %d objects: Jepsen's have one", len(objects))
	}
	out := bufio.NewWriterSize(w, 64<<10)
	for i, m := range marks {
		line, err := h.appendEDN(nil, i, m)
		if err != nil {
			return err
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// appendEDN appends the map of one call or return.
func (h *History) appendEDN(line []byte, index int, m mark) ([]byte, error) {
	o := &h.Operations[m.op]
	value, err := h.jepsenArgs(o)
	if err != nil {
		return nil, err
	}
	kind := "invoke"
	if !m.isCall {
		kind = "ok"
		if value, err = h.jepsenResults(o, value); err != nil {
			return nil, err
		}
		if isCAS(o.Method) && len(o.Results) == 1 && o.Results[0] == "false" {
			kind = "fail"
		}
	}
	line = append(line, "{:process "...)
	line = appendProcess(line, h.Threads[o.Thread])
	line = append(line, ", :type :"+kind+", :f "...)
	line = appendKeyword(line, o.Method)
	line = append(line, ", :value "...)
	if line, err = appendEDNValue(line, value); err != nil {
		return nil, err
	}
	line = strconv.AppendInt(append(line, ", :index "...), int64(index), 10)
	return append(line, "}\n"...), nil
}

// jepsenArgs gives the value of an :invoke.
func (h *History) jepsenArgs(o *Operation) (Value, error) {
	args := slices.Clone(o.Args)
	// The reader of a history without a kind leaves a cas as it is.
	if isCAS(o.Method) && h.Kind != Unknown && len(args) >= 2 {
		n := len(args) - 2
		args = append(args[:n], Value(appendValues(nil, args[n:])))
	}
	if h.Kind == Map {
		if len(args) == 1 {
			args = append(args, "null")
		}
		if len(args) == 2 {
			return Value(appendValues(nil, args)), nil
		}
	}
	switch len(args) {
	case 0:
		return "null", nil
	case 1:
		return args[0], nil
	}
	return "", fmt.Errorf("%s with %s: an operation of Jepsen has one value", o.Method, count(len(args), "argument"))
}

// jepsenResults gives the value of an :ok: the result, and without one the
// value of the :invoke once more.
func (h *History) jepsenResults(o *Operation, invoked Value) (Value, error) {
	switch {
	case len(o.Results) == 0 || isCAS(o.Method):
		return invoked, nil
	case len(o.Results) > 1:
		return "", fmt.Errorf("%s with %s: an operation of Jepsen has one value", o.Method, count(len(o.Results), "result"))
	case h.Kind == Map && len(o.Args) > 0:
		return Value(appendValues(nil, []Value{o.Args[0], o.Results[0]})), nil
	}
	return o.Results[0], nil
}

// appendProcess writes a thread as a number where it is one.
func appendProcess(line []byte, name string) []byte {
	if v, err := canonical([]byte(name)); err == nil && string(v) == name {
		if _, isInt := integer(v); isInt {
			return append(line, name...)
		}
	}
	return appendEDNString(line, name)
}

// appendKeyword writes a method as a keyword where it can be one.
func appendKeyword(line []byte, method string) []byte {
	for i := 0; i < len(method); i++ {
		c := method[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_' || c >= '0' && c <= '9' && i > 0) {
			return appendEDNString(line, method)
		}
	}
	return append(append(line, ':'), method...)
}

// appendEDNString writes a string. JSON's escapes of it are all EDN's too.
func appendEDNString(line []byte, text string) []byte {
	return append(line, String(text)...)
}

// appendEDNValue writes JSON as EDN: nil for null, vectors for arrays, maps
// with strings for objects. The rest looks the same in both.
func appendEDNValue(line []byte, v Value) ([]byte, error) {
	s := scanner{data: []byte(v)}
	line, err := s.appendEDN(line)
	if err != nil {
		return nil, err
	}
	return line, nil
}

// appendEDN appends the value that the scanner stands before.
func (s *scanner) appendEDN(line []byte) ([]byte, *Error) {
	switch s.peek() {
	case '[':
		line = append(line, '[')
		first := true
		err := s.elements('[', ']', func() (err *Error) {
			if !first {
				line = append(line, ' ')
			}
			first = false
			line, err = s.appendEDN(line)
			return err
		})
		return append(line, ']'), err
	case '{':
		line = append(line, '{')
		first := true
		err := s.members(func(key string) (err *Error) {
			if !first {
				line = append(line, ", "...)
			}
			first = false
			line, err = s.appendEDN(append(appendEDNString(line, key), ' '))
			return err
		})
		return append(line, '}'), err
	}
	v, err := s.value()
	if v == "null" {
		v = "nil"
	}
	return append(line, v...), err
}
