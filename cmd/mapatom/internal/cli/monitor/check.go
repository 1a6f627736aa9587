package monitor

import (
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/monitor"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// input is a file on its way to its verdicts.
type input struct {
	name string
	// results come in the order of the objects in the file.
	results chan *checked
	err     error // why there are no more; to be read when results is closed
}

// checked is the verdict on one object, or why there is none.
type checked struct {
	file       string
	object     string
	kind       history.Kind
	operations int
	verdict    search.HistoryVerdict
	reason     string
	method     string
	elapsed    time.Duration
	// earliest is the operation whose return ends the shortest prefix that is
	// not linearizable; nil if that was not asked for or there is none.
	earliest  *witness.Operation
	core      *witness.Picture // of a violation
	confirmed bool             // the general search rejects the core too
	ambiguous *result.Ambiguity
	whole     *witness.Picture // for a page
	proof     []byte           // a line of a certificate
	err       error
}

// start reads and decides the files in the background, as many at once as
// there are processors, begun in their order.
func (m *monitoring) start(files []string) []*input {
	inputs := make([]*input, len(files))
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	workers := max(1, runtime.GOMAXPROCS(0)/len(files)) // for each file
	begun := make(chan struct{})
	close(begun)
	for i, name := range files {
		in := &input{name: name, results: make(chan *checked, 16)}
		inputs[i] = in
		before, begins := begun, make(chan struct{})
		begun = begins
		go func() {
			defer close(in.results)
			defer recovered(&in.err)
			<-before
			turns <- struct{}{}
			defer func() { <-turns }()
			close(begins)
			if in.err = m.Ctx.Err(); in.err == nil {
				in.err = m.decide(in, workers)
			}
		}()
	}
	return inputs
}

// recovered turns a panic into an error: from another goroutine it would not
// reach where the program recovers.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("internal error: %v", p)
	}
}

// decide reads a file and decides its objects, several at once.
func (m *monitoring) decide(in *input, workers int) error {
	logs, err := m.read(in.name, workers)
	if err != nil {
		return err
	}
	if len(logs) == 0 {
		return fmt.Errorf("%s: there is no history in it, not even an empty one", in.name)
	}
	m.printer.Progress.Expect(len(logs))
	slots := make([]chan *checked, len(logs))
	for i := range slots {
		slots[i] = make(chan *checked, 1)
	}
	var next atomic.Int64
	for range min(max(workers, 1), len(logs)) {
		go func() {
			for i := next.Add(1) - 1; int(i) < len(logs); i = next.Add(1) - 1 {
				slots[i] <- m.check(in.name, logs[i])
				logs[i] = nil // there may be a great many
				m.printer.Progress.Done()
			}
		}()
	}
	for _, slot := range slots {
		in.results <- <-slot
	}
	return nil
}

// read reads the histories in a file, one for each object.
func (m *monitoring) read(name string, workers int) ([]*history.Log, error) {
	r := m.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, cli.About(name, err)
		}
		defer f.Close()
		r = f
	}
	in, err := history.ReadInput(name, r, history.Options{Format: m.format, Kind: m.kind, Workers: workers})
	if err != nil {
		return nil, cli.About(name, err)
	}
	if in.Truncated {
		m.printer.Progress.Aside(func() error {
			_, err := fmt.Fprintf(m.Stderr, "mapatom: %s: the recording is cut off; what was recorded last is missing, and operations that had not returned are pending\n", name)
			return err
		})
	}
	logs := in.Logs
	if in.Observations != nil {
		if logs, err = m.observed(name, in.Observations); err != nil {
			return nil, err
		}
	}
	if len(logs) == 0 && in.History != nil && len(in.History.Operations) > 0 {
		return nil, &history.Error{File: name, Line: 1, Found: "a history that does not say of what kind its objects are", Want: "a header that does, or -object"}
	}
	for _, l := range logs {
		if m.kind != history.Unknown && l.Kind != m.kind {
			return nil, &history.Error{File: name, Line: 1, Found: "the history of a " + l.Kind.String(), Want: "a " + m.kind.String() + " (-object)"}
		}
	}
	return logs, nil
}

// observed are the histories of an observation file. It does not say what its
// objects are.
func (m *monitoring) observed(name string, f *history.ObservationFile) ([]*history.Log, error) {
	if m.kind == history.Unknown {
		return nil, &history.Error{File: name, Line: 1, Found: "an observation file, which does not say of what kind its objects are", Want: "-object"}
	}
	var all []*history.Log
	for i, h := range f.Histories() {
		h.Kind = m.kind
		logs, err := h.Logs()
		if err != nil {
			return nil, fmt.Errorf("%s: history %d: %w", name, i+1, err)
		}
		for _, l := range logs {
			l.Object = fmt.Sprintf("history %d", i+1)
		}
		all = append(all, logs...)
	}
	return all, nil
}

// check decides one object and keeps of its history only what is to be shown.
func (m *monitoring) check(file string, l *history.Log) (c *checked) {
	c = &checked{file: file, object: l.Object, kind: l.Kind, operations: l.Len()}
	defer recovered(&c.err)
	ctx, cancel := m.budget.Context(m.Ctx)
	defer cancel()
	begin := time.Now()
	r, err := monitor.Check(ctx, l, monitor.Options{
		Order: m.html != "" || m.certificate != "", Earliest: m.earliest, Search: search.Options{Nodes: m.budget.Count},
	})
	c.elapsed = time.Since(begin)
	if err != nil {
		c.err = fmt.Errorf("%s: %w", file, err)
		return c
	}
	c.verdict, c.method, c.reason, c.confirmed = r.Verdict, r.Method, r.Reason, r.Confirmed
	m.show(c, l, &r)
	return c
}

// show keeps of a log what is to be printed, drawn and proved.
func (m *monitoring) show(c *checked, l *history.Log, r *monitor.Result) {
	if a := r.Ambiguous; a != nil {
		c.ambiguous = &result.Ambiguity{Lines: [2]int{l.LineOf(int(a.Rows[0])), l.LineOf(int(a.Rows[1]))}, Why: a.Why}
	}
	if r.Verdict == search.Violation {
		c.reason = noOrder(len(r.Core), monitor.Why(l.Select(r.Core)))
		// As many as the core has: then the picture has nothing else.
		c.core = witness.FromLog(l, witness.Selection{Core: r.Core, Limit: min(len(r.Core), witness.DefaultHTMLLimit)})
		if r.Earliest >= 0 {
			p := witness.FromLog(l, witness.Selection{Core: []int32{r.Earliest}, Limit: 1})
			c.earliest = &p.Operations[0]
		}
	}
	if m.html != "" {
		c.whole = witness.FromLog(l, witness.Selection{Linearization: r.Order, Core: r.Core})
		c.whole.Title, c.whole.Verdict, c.whole.Reason = result.Name(c.file, c.object), r.Verdict.String(), c.reason
	}
	if m.certificate != "" {
		c.proof, c.err = prove(c, l, r)
	}
}
