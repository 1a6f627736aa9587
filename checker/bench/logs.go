package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/checker/workload"
)

// Porcupine's module comes with the logs that its own tests use: of etcd
// under Jepsen, and of a key-value store. They are read where the go command
// has put them.

// ownLogs gives the histories of all logs whose names match, relative to the
// module's test_data.
func ownLogs(pattern string, parse func(io.Reader) ([]workload.Call, error)) (histories [][]workload.Call, err error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/anishathalye/porcupine").Output()
	if err != nil {
		return nil, fmt.Errorf("finding Porcupine's logs: %w", err)
	}
	names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "test_data", pattern))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		calls, err := parse(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		histories = append(histories, calls)
	}
	return histories, nil
}

var (
	etcdLine = regexp.MustCompile(`(\d+)\s+:(invoke|ok|fail|info)\s+:(read|write|cas)\s+(.*)$`)
	textLine = regexp.MustCompile(`:process (\d+), :type :(invoke|ok), :f :(get|put|append), :key "(\d+)", :value (nil|"(.*)")`)
)

// parseEtcd reads a log of a register. Reads that timed out are left out.
func parseEtcd(r io.Reader) ([]workload.Call, error) {
	var p pairing
	for scan := bufio.NewScanner(r); scan.Scan(); p.now++ {
		m := etcdLine.FindStringSubmatch(scan.Text())
		if m == nil {
			continue
		}
		numbers := regexp.MustCompile(`\d+`).FindAllString(m[4], -1)
		switch c, done := p.event(m[1], m[2] == "invoke"); {
		case !done:
			c.Kind = map[string]workload.CallKind{"read": workload.Read, "write": workload.Write, "cas": workload.CompareAndSwap}[m[3]]
			switch c.Found = workload.None; c.Kind {
			case workload.Write:
				c.To = number(numbers, 0)
			case workload.CompareAndSwap:
				c.From, c.To = number(numbers, 0), number(numbers, 1)
			}
		case strings.Contains(m[4], "timed-out"):
			c.End = workload.Never
		case c.Kind == workload.Read && len(numbers) > 0:
			c.Found = number(numbers, 0)
		default:
			c.OK = m[2] == "ok"
		}
	}
	return p.calls(func(c *workload.Call) bool { return c.Kind != workload.Read || c.End != workload.Never }), nil
}

func number(texts []string, i int) int {
	if i >= len(texts) {
		return workload.None
	}
	n, _ := strconv.Atoi(texts[i]) // digits only
	return n
}

// parseText reads a log of a key-value store.
func parseText(r io.Reader) ([]workload.Call, error) {
	var p pairing
	scan := bufio.NewScanner(r)
	for scan.Buffer(nil, 1<<20); scan.Scan(); p.now++ {
		m := textLine.FindStringSubmatch(scan.Text())
		if m == nil {
			return nil, fmt.Errorf("line %d is not an event", p.now+1)
		}
		c, done := p.event(m[1], m[2] == "invoke")
		if !done {
			c.Kind = map[string]workload.CallKind{"get": workload.Get, "put": workload.Put, "append": workload.Append}[m[3]]
			c.Key, _ = strconv.Atoi(m[4])
		}
		if !done && c.Kind != workload.Get || done && c.Kind == workload.Get {
			c.Text = m[6]
		}
	}
	return p.calls(func(*workload.Call) bool { return true }), scan.Err()
}

// pairing puts calls and returns together.
type pairing struct {
	all  []*workload.Call
	open map[string]*workload.Call
	now  int64
}

// event gives the operation that the event belongs to, and whether the event
// is its return.
func (p *pairing) event(client string, begins bool) (c *workload.Call, done bool) {
	if p.open == nil {
		p.open = make(map[string]*workload.Call)
	}
	if begins {
		c = &workload.Call{Start: p.now, End: workload.Never}
		c.Client, _ = strconv.Atoi(client)
		p.all, p.open[client] = append(p.all, c), c
		return c, false
	}
	c = p.open[client]
	c.End = p.now
	delete(p.open, client)
	return c, true
}

func (p *pairing) calls(keep func(*workload.Call) bool) (calls []workload.Call) {
	for _, c := range p.all {
		if keep(c) {
			calls = append(calls, *c)
		}
	}
	return calls
}
