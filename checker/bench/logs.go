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
)

// Porcupine's module comes with the logs that its own tests use: of etcd
// under Jepsen, and of a key-value store. They are read where the go command
// has put them.

// ownLogs gives the histories of all logs whose names match, relative to the
// module's test_data.
func ownLogs(pattern string, parse func(io.Reader) ([]call, error)) (histories [][]call, err error) {
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
func parseEtcd(r io.Reader) ([]call, error) {
	var p pairing
	for scan := bufio.NewScanner(r); scan.Scan(); p.now++ {
		m := etcdLine.FindStringSubmatch(scan.Text())
		if m == nil {
			continue
		}
		numbers := regexp.MustCompile(`\d+`).FindAllString(m[4], -1)
		switch c, done := p.event(m[1], m[2] == "invoke"); {
		case !done:
			c.kind = map[string]callKind{"read": read, "write": write, "cas": swap}[m[3]]
			switch c.found = none; c.kind {
			case write:
				c.to = number(numbers, 0)
			case swap:
				c.from, c.to = number(numbers, 0), number(numbers, 1)
			}
		case strings.Contains(m[4], "timed-out"):
			c.end = never
		case c.kind == read && len(numbers) > 0:
			c.found = number(numbers, 0)
		default:
			c.ok = m[2] == "ok"
		}
	}
	return p.calls(func(c *call) bool { return c.kind != read || c.end != never }), nil
}

func number(texts []string, i int) int {
	if i >= len(texts) {
		return none
	}
	n, _ := strconv.Atoi(texts[i]) // digits only
	return n
}

// parseText reads a log of a key-value store.
func parseText(r io.Reader) ([]call, error) {
	var p pairing
	scan := bufio.NewScanner(r)
	for scan.Buffer(nil, 1<<20); scan.Scan(); p.now++ {
		m := textLine.FindStringSubmatch(scan.Text())
		if m == nil {
			return nil, fmt.Errorf("line %d is not an event", p.now+1)
		}
		c, done := p.event(m[1], m[2] == "invoke")
		if !done {
			c.kind = map[string]callKind{"get": get, "put": put, "append": add}[m[3]]
			c.key, _ = strconv.Atoi(m[4])
		}
		if !done && c.kind != get || done && c.kind == get {
			c.text = m[6]
		}
	}
	return p.calls(func(*call) bool { return true }), scan.Err()
}

// pairing puts calls and returns together.
type pairing struct {
	all  []*call
	open map[string]*call
	now  int64
}

// event gives the operation that the event belongs to, and whether the event
// is its return.
func (p *pairing) event(client string, begins bool) (c *call, done bool) {
	if p.open == nil {
		p.open = make(map[string]*call)
	}
	if begins {
		c = &call{start: p.now, end: never}
		c.client, _ = strconv.Atoi(client)
		p.all, p.open[client] = append(p.all, c), c
		return c, false
	}
	c = p.open[client]
	c.end = p.now
	delete(p.open, client)
	return c, true
}

func (p *pairing) calls(keep func(*call) bool) (calls []call) {
	for _, c := range p.all {
		if keep(c) {
			calls = append(calls, *c)
		}
	}
	return calls
}
