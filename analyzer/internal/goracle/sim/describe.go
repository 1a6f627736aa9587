package sim

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// describe tells a run.
func (s *search) describe(x *execution, p *plan) string {
	var b strings.Builder
	for _, st := range p.initial {
		fmt.Fprintf(&b, "before: %s\n", s.stepText(st))
	}
	fmt.Fprintf(&b, "call %s(%s)\n", s.fn.Name, argsText(p.args))
	for i, st := range p.steps {
		fmt.Fprintf(&b, "after %d steps of it: %s -> %s\n", st.at, s.stepText(st), x.seen[i])
	}
	fmt.Fprintf(&b, "outcome: %s\nleft: %s\n", x.strict, x.final)
	return b.String()
}

func (s *search) stepText(st step) string {
	if st.op == "resume" {
		return fmt.Sprintf("goes on with call %d", st.visit)
	}
	if st.fn != nil {
		return fmt.Sprintf("%s %s(%s)", st.op, st.fn.Name, argsText(st.args))
	}
	key := ""
	if st.key != nil {
		key = fmt.Sprintf("[%v]", st.key)
	}
	return fmt.Sprintf("%s cell %d%s %s", st.op, st.cell, key, argsText(st.args))
}

func argsText(args []arg) string {
	var out []string
	for _, a := range args {
		if a.seen {
			out = append(out, fmt.Sprintf("shown %d", a.shown))
			continue
		}
		out = append(out, fmt.Sprintf("%#v", a.value))
	}
	return strings.Join(out, ", ")
}

// Serve answers requests, one JSON value each, until there are no more.
func Serve(in io.Reader, out io.Writer) error {
	dec := json.NewDecoder(bufio.NewReader(in))
	enc := json.NewEncoder(out)
	for {
		var q Request
		if err := dec.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("read a request: %w", err)
		}
		if err := enc.Encode(q.Do()); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
}
