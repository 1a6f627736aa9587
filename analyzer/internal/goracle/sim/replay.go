package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Script is a run that somebody else has told: values are texts. A literal is
// as in Go, {T 3} a literal of type T in an interface; anything else is a name
// for some value, the same wherever the name is.
type Script struct {
	Args    []string // of the call; "" is any
	Initial []Content
	Events  []Event
	// Results are what the call returns, nil if it was not told; Panics says
	// that it panics instead.
	Results []string
	Panics  bool
	Final   []Content
	// Goes says that the call goes on, in some way of which nothing is told.
	Goes bool
}

// Content is what a cell holds: "absent" is nothing.
type Content struct {
	Cell  string // the path to it, as Unit.Paths has it
	Key   string // the name of a parameter, or a literal; "" of an atomic
	Value string
}

// Event is a step of the call or, if Other, of the environment.
type Event struct {
	Other bool
	// Op is of the call "read", "write" or "cas"; of the environment also
	// "swap", "delete", "look", or "run" with the name of a function.
	Op, Func string
	Cell     int // index into Initial
	Line     int // of the operation, or of the first of the function's step
	Args     []string
	// Hints are values of which some are arguments of a function that has no Args.
	Hints []string
	// Old is what the operation finds, Writes whether a "cas" succeeds.
	Old    string
	Writes bool
}

// replay makes a told run.
type replay struct {
	*search
	*Script
	x       *execution
	p       *plan
	names   map[string]any
	keys    map[string]any // that the told run names, and no parameter is
	own     int            // steps of the call so far
	at      int            // events so far
	problem string
	// mode says how calls of which a part is told come there, and begun are those that
	// are there already, by the event.
	mode  mode
	begun map[int]int
	// wrote is the cell that the call has just written, and how what it wrote is told; it
	// may be nil.
	wrote *Content
	// filled says that the story has begun.
	filled bool
}

// mode is what happens to a call before the part of it that is told.
type mode int

const (
	// whole: it begins when its part is due.
	whole mode = iota
	// early: it has come to its part before anything that is told.
	early
	// arranged: so it has, after another call, which may also bring about what is not told.
	arranged
	// late: the call itself has come to the first operation that is told, when the cells get
	// what they hold at the start, or, if others call functions only, still hold that: what it
	// did before is none of the story.
	late
	// atOnce: it is made as a whole.
	atOnce
	// moody: functions of which nothing is known give another answer each time.
	moody
	// crowded: a call has left an entry that is none of the story, or is about to take it away.
	crowded
	// written: what the story begins with is what the call has written itself, where there was nothing.
	written
	// panicking: functions of which nothing is known panic.
	panicking
	// pieces: others come between operations of a call between which they make none of a sequence.
	pieces
	modes
)

// Replay says what is wrong with a told run: "" if it happens as it was told,
// and no atomic call explains it.
func (q Request) replay() Answer {
	s := &search{Request: q}
	if err := s.find(); err != nil {
		return Answer{Err: err.Error()}
	}
	first := ""
	for m := range modes {
		if (m == early || m == atOnce || m == pieces) && !s.tellsParts() {
			continue // it makes no difference
		}
		if s.Loose = slices.Clone(q.Loose); m == pieces {
			for i := range s.Loose {
				s.Loose[i].Steps = s.Loose[i].Sequences
			}
		}
		problem, breaking := s.replay(m)
		if problem == "" {
			return Answer{Runs: 1, Breaking: breaking}
		}
		if first == "" {
			first = problem
		}
	}
	return Answer{Runs: 1, Replay: first}
}

// tellsParts reports whether a part of a call is told.
func (s *search) tellsParts() bool {
	return slices.ContainsFunc(s.Script.Events, func(ev Event) bool {
		return ev.Op == "run" && slices.ContainsFunc(s.Loose, func(l Loose) bool { return l.Func == ev.Func })
	})
}

// replay is what is wrong with a told run, in the attempt to find values for its
// names that comes farthest, and a description of it if nothing is.
func (s *search) replay(m mode) (problem, breaking string) {
	s.tape, s.before, s.width = &tape{}, 1, 3
	at := 0 // events up to the problem
	for range maxNamings {
		p := &plan{world: newWorld()}
		p.world.moody, p.world.panics = m == moody, m == panicking
		r := &replay{
			search: s, Script: s.Script, p: p, x: s.execution(p), mode: m,
			names: map[string]any{}, keys: map[string]any{}, begun: map[int]int{},
		}
		s.bubble(func() {
			defer func() {
				if v := recover(); v != nil {
					r.problem = fmt.Sprintf("a value is of another type: %v", v)
				}
			}()
			if r.run(); r.problem == "" && s.explained(r.x, p, false) {
				r.problem = "an atomic call explains it"
			}
		})
		if r.problem == "" {
			return "", s.describe(r.x, p)
		}
		if problem == "" || r.at > at {
			problem, at = r.problem, r.at
		}
		if !s.tape.next() {
			break
		}
	}
	return problem, ""
}

// maxNamings bounds the attempts to find values for the names of a script.
const maxNamings = 2000

func (r *replay) wrong(format string, args ...any) {
	if r.problem == "" {
		r.problem = fmt.Sprintf(format, args...)
	}
}

func (r *replay) run() {
	r.p.args = r.arguments(r.fn, r.Args, nil)
	defer r.x.stop()
	r.begin()
	if r.mode != late || r.Package {
		r.fill()
	}
	r.filled = r.mode != late
	actual := r.p.world.actual(r.tape)
	cur.before, cur.ask = r.others, func(q question) any {
		if r.problem != "" {
			return q.pool[0]
		}
		return actual(q)
	}
	cur.found = r.found
	cur.file = r.unit.Name + ".go"
	r.x.call(r.p)
	cur.found, cur.file = nil, ""
	r.others() // what comes after the last step changes nothing for the call
	r.x.finish()
	switch {
	case r.x.broken:
		r.wrong("it does not end")
	case r.at < len(r.Events):
		r.wrong("event %d does not happen", r.at)
	default:
		r.compare()
	}
}

// begin brings the calls of which a part is told there, if that is the mode.
func (r *replay) begin() {
	switch r.mode {
	case whole, atOnce, moody, panicking, pieces, written:
		return
	case crowded:
		r.crowd()
		return
	case arranged, late:
		r.prepare(r.x, r.p)
	}
	for i := range r.Events {
		ev := &r.Events[i]
		if !ev.Other || ev.Op != "run" {
			continue
		}
		st, ok := r.step(ev)
		if !ok || r.loose(st.fn) == nil {
			continue
		}
		st.op = "enter"
		n := len(r.x.visits)
		r.first(st)
		for range maxResumes {
			if r.x.broken || r.x.visits[n].over || r.loose(st.fn).isAt(ev.Line, r.x.visits[n].goes) {
				break
			}
			r.first(step{op: "resume", visit: n})
		}
		if r.x.broken || r.x.visits[n].over || !r.loose(st.fn).isAt(ev.Line, r.x.visits[n].goes) {
			r.wrong("%s does not come to event %d", ev.Func, i)
			return
		}
		r.begun[i] = n
	}
}

// crowd makes calls for some keys of which nothing is told, or puts something there if others can.
func (r *replay) crowd() {
	keys := r.untold()
	if len(keys) == 0 {
		r.wrong("something is told of each key")
		return
	}
	if !r.Package {
		r.put(keys[:1+r.tape.choose(len(keys))])
		return
	}
	f := &r.unit.Funcs[r.tape.choose(len(r.unit.Funcs))]
	var args []arg // keys are those of which nothing is told
	for i := range f.Params {
		pool := f.Params[i].Pool
		if f.Params[i].isKey() {
			pool = pool[:1]
		}
		args = append(args, arg{value: pool[r.tape.choose(min(6, len(pool)))]})
	}
	steps := 0 // after which it stops, if it does not come to an end
	if r.loose(f) != nil {
		steps = r.tape.choose(4)
	}
	for _, key := range keys[:1+r.tape.choose(len(keys))] {
		st := step{fn: f, args: slices.Clone(args)}
		for i := range f.Params {
			if f.Params[i].isKey() {
				st.args[i] = arg{value: key}
			}
		}
		if steps > 0 {
			st.op = "visit"
		}
		n := len(r.x.visits)
		r.first(st)
		for k := 1; k < steps && !r.x.broken && !r.x.visits[n].over; k++ {
			r.first(step{op: "resume", visit: n})
		}
	}
}

// put puts something in all maps under some keys.
func (r *replay) put(keys []any) {
	for i, kind := range r.unit.Kinds {
		for _, key := range keys {
			if len(kind.Keys) > 0 && len(kind.Pool) > 0 {
				r.first(step{cell: i, op: "Swap", key: key, args: []arg{{value: kind.Pool[0]}}})
			}
		}
	}
}

// untold are keys of which nothing is told.
func (r *replay) untold() (keys []any) {
	var told []any
	for _, c := range r.Initial {
		told = append(told, r.key(c.Key))
	}
	for _, kind := range r.unit.Kinds {
		if len(kind.Keys) == 0 {
			continue
		}
		for _, key := range append(slices.Clone(kind.Keys), "c", "d", "e", "f", "g") {
			if !slices.Contains(told, key) && !slices.Contains(keys, key) && sameType(key, kind.Keys[0]) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// maxResumes bounds how often a call goes on until it comes to a place: it may never do.
const maxResumes = 100

// first makes a step before the call.
func (r *replay) first(st step) {
	r.p.initial = append(r.p.initial, st)
	r.x.start(st)
}

// fill gives the cells what they hold at the start.
func (r *replay) fill() {
	for cell, c := range r.Initial {
		i := slices.Index(r.unit.Paths, c.Cell)
		if i < 0 || r.mode == written && cell == r.firstCell() {
			continue
		}
		st := step{cell: i, op: "Swap", key: r.key(c.Key)}
		if c.Value != "absent" {
			st.args = []arg{r.value(c.Value, &r.unit.Kinds[i])}
		} else if st.op = "LoadAndDelete"; r.unit.Kinds[i].Keys == nil {
			continue // an atomic.Value that is empty
		}
		if r.own == 0 {
			r.first(st)
			continue
		}
		st.at = r.own
		r.p.steps = append(r.p.steps, st)
		r.x.perform(st)
	}
}

// firstCell is the cell that the call comes to first, as an index into Initial; -1 if there is none.
func (r *replay) firstCell() int {
	for _, ev := range r.Events {
		if !ev.Other {
			return ev.Cell
		}
	}
	return -1
}

// starts reports whether the call is about to make the first operation that is told of it.
func (r *replay) starts() bool {
	at := lines(r.unit.Name + ".go")
	if t := cur.threads; t != nil {
		for _, p := range t.parked {
			at = append(at, p.at...)
		}
	}
	for _, ev := range r.Events {
		if !ev.Other {
			return slices.Contains(at, ev.Line)
		}
	}
	return false
}

// key is the key that a cell's text names.
func (r *replay) key(text string) any {
	if text == "" {
		return nil
	}
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	for i, name := range r.fn.Names {
		if name == text {
			return r.p.args[i].value
		}
	}
	return r.someKey(text)
}

// someKey is a key that no parameter is: that of an entry that a function comes to by
// itself. The same text is the same key.
func (r *replay) someKey(text string) any {
	if k, known := r.keys[text]; known {
		return k
	}
	taken := func(k any) bool {
		for _, o := range r.keys {
			if o == k {
				return true
			}
		}
		return slices.ContainsFunc(r.p.args, func(a arg) bool { return a.value == k })
	}
	var fits, same []any // the latter are what a loop comes to that finds the key of the call
	for _, kind := range r.unit.Kinds {
		for _, k := range kind.Keys {
			switch {
			case slices.Contains(fits, k) || slices.Contains(same, k):
			case !taken(k):
				fits = append(fits, k)
			case slices.ContainsFunc(r.p.args, func(a arg) bool { return a.value == k }):
				same = append(same, k)
			}
		}
	}
	if fits = append(fits, same...); len(fits) == 0 {
		return r.fn.Params[0].Pool[0]
	}
	r.keys[text] = fits[r.tape.choose(len(fits))]
	return r.keys[text]
}

// others makes the environment's steps up to the call's next one.
func (r *replay) others() {
	if r.nameWritten(); r.problem != "" {
		return // no choice after that matters
	}
	if !r.filled {
		if !r.starts() {
			return
		}
		if r.filled = true; r.Package {
			r.compareWith(r.Initial, "at first there is")
		} else {
			r.fill()
		}
	}
	called := false
	r.skipUnmet()
	for ; r.at < len(r.Events) && r.Events[r.at].Other && r.problem == ""; r.at++ {
		ev := &r.Events[r.at]
		st, ok := r.step(ev)
		if !ok {
			continue
		}
		st.at = r.own
		if called = called || st.fn != nil; st.fn != nil && r.own > 0 {
			r.look(st.at)
		}
		if n, begun := r.begun[r.at]; begun {
			r.make(step{at: st.at, op: "resume", visit: n})
			continue
		}
		if st.fn != nil && r.loose(st.fn) != nil && r.mode != atOnce {
			r.part(st, ev.Line)
			continue
		}
		r.make(st)
	}
	if called {
		r.look(r.own)
	}
}

// make makes a step of the environment: of a function before the call's first operation,
// it is one before the call.
func (r *replay) make(st step) {
	if r.own == 0 && (st.fn != nil || st.op == "resume") {
		r.first(st)
		return
	}
	r.p.steps = append(r.p.steps, st)
	r.x.perform(st)
}

// part makes a call that is several steps up to the one at a line.
func (r *replay) part(st step, line int) {
	st.op = "visit"
	i := len(r.x.visits)
	r.make(st)
	for range maxResumes {
		if r.x.broken || r.x.visits[i].over || r.loose(st.fn).isAt(line, r.x.visits[i].made) {
			return
		}
		r.make(step{at: st.at, op: "resume", visit: i})
	}
}

// look is somebody's look at all cells, before another call's step and after it: what is
// told of such a step is what its operations find and make, of which the call itself may
// show nothing. Before the call it is enough to look once, at what it finds.
func (r *replay) look(at int) {
	for _, c := range r.Initial {
		if i := slices.Index(r.unit.Paths, c.Cell); i >= 0 {
			st := step{at: at, cell: i, key: r.key(c.Key), op: "Load"}
			r.p.steps = append(r.p.steps, st)
			r.x.perform(st)
		}
	}
}

// step is a step of the environment as it was told.
func (r *replay) step(ev *Event) (step, bool) {
	if ev.Op == "run" {
		for i := range r.unit.Funcs {
			if f := &r.unit.Funcs[i]; f.Name == ev.Func {
				return step{fn: f, args: r.arguments(f, ev.Args, ev.Hints)}, true
			}
		}
		r.wrong("there is no function %s", ev.Func)
		return step{}, false
	}
	c := r.Initial[ev.Cell]
	i := slices.Index(r.unit.Paths, c.Cell)
	if i < 0 {
		r.wrong("there is no cell %s", c.Cell)
		return step{}, false
	}
	st := step{cell: i, key: r.key(c.Key)}
	switch ev.Op {
	case "look":
		st.op = "Load"
	case "delete":
		st.op = "LoadAndDelete"
	default:
		st.op, st.args = "Swap", []arg{r.value(ev.Args[0], &r.unit.Kinds[i])}
	}
	return st, true
}

// arguments are those of a function of the environment, of which some may be
// missing: one of the hints, or whatever they are.
func (r *replay) arguments(f *Func, texts, hints []string) []arg {
	var out []arg
	for i := range f.Params {
		if i < len(texts) && texts[i] != "" {
			out = append(out, r.value(texts[i], &f.Params[i]))
			continue
		}
		pool := f.Params[i].Pool
		n := min(6, len(pool))
		fits := slices.DeleteFunc(slices.Clone(hints), func(text string) bool { return !r.fits(text, &f.Params[i]) })
		if c := r.tape.choose(n + len(fits)); c < n {
			out = append(out, arg{value: pool[c]})
		} else {
			out = append(out, r.value(fits[c-n], &f.Params[i]))
		}
	}
	return out
}

// fits reports whether a text can be a value of a kind: the name of a key of a key, and a literal of
// what has such literals.
func (r *replay) fits(text string, k *Kind) bool {
	isKey := slices.ContainsFunc(r.Initial, func(c Content) bool { return c.Key == text }) || r.keyNamed(text)
	if k.isKey() || isKey {
		return k.isKey() && isKey
	}
	if !isLiteral(inside(text)) {
		return true
	}
	return k.isMixed() || slices.ContainsFunc(k.Pool, func(like any) bool {
		v, ok := r.literal(text, like)
		return ok && sameType(v, like)
	})
}

// keyNamed reports whether a parameter of the call is a key.
func (r *replay) keyNamed(name string) bool {
	i := slices.Index(r.fn.Names, name)
	return i >= 0 && r.fn.Params[i].isKey()
}

// isLiteral reports whether a text is no name.
func isLiteral(text string) bool {
	if text == "nil" || text == "true" || text == "false" {
		return true
	}
	_, notText := strconv.Unquote(text)
	_, notNumber := strconv.ParseFloat(text, 64)
	return notText == nil || notNumber == nil
}

// found compares what an operation of the call finds with what was told.
func (r *replay) found(f found) {
	if r.own++; !r.filled || r.problem != "" {
		return
	}
	if r.at >= len(r.Events) || r.Events[r.at].Other {
		if f.writes && !(r.Goes && r.at >= len(r.Events)) {
			r.wrong("step %d of the call was not told", r.own)
		}
		return // a look whose answer is of no use is not told
	}
	r.skipOthers(f)
	first := &r.Events[r.at]
	r.toldOf(f)
	// What removes all entries is told of each cell.
	for f.get != nil && r.at < len(r.Events) && r.problem == "" {
		if next := &r.Events[r.at]; next.Other || next.Op != "write" || next.Line != first.Line || next.Cell == first.Cell {
			return
		}
		r.toldOf(f)
	}
}

// skipUnmet passes over looks at nothing that are told of another place than this one: a Range comes to
// no entry there, and makes no operation of its own.
func (r *replay) skipUnmet() {
	here := lines(r.unit.Name + ".go")
	for r.at < len(r.Events) {
		ev := &r.Events[r.at]
		if ev.Other || ev.Op != "read" || ev.Old != "absent" && ev.Old != "nil" || slices.Contains(here, ev.Line) || !slices.Contains(r.unit.Ranges, ev.Line) {
			return
		}
		r.at++
	}
}

// skipOthers passes over what a Range is told not to find under other keys than the one that it has come to.
func (r *replay) skipOthers(f found) {
	here := lines(r.unit.Name + ".go")
	for ; f.key != nil && r.at+1 < len(r.Events); r.at++ {
		ev, next := &r.Events[r.at], &r.Events[r.at+1]
		if next.Other || next.Line != ev.Line || ev.Op != "read" || ev.Old != "absent" && ev.Old != "nil" ||
			!slices.Contains(here, ev.Line) || r.key(r.Initial[ev.Cell].Key) == f.key {
			return
		}
	}
}

// toldOf compares it with the next event.
func (r *replay) toldOf(f found) {
	ev := &r.Events[r.at]
	key := r.key(r.Initial[ev.Cell].Key)
	if f.key != nil && f.key != key {
		return // nor one at an entry that nothing is told of
	}
	if f.get != nil {
		f.old, f.had = f.get(key)
	}
	if told := ev.Op == "write" || ev.Writes; told && !f.writes && !slices.Contains(lines(r.unit.Name+".go"), ev.Line) {
		return
	}
	r.at++
	if ev.Op == "read" && f.writes && slices.Contains(lines(r.unit.Name+".go"), ev.Line) {
		// The story begins with what the call has just written.
		c := r.Initial[ev.Cell]
		delete(r.names, inside(ev.Old))
		r.wrote = &Content{Cell: c.Cell, Key: c.Key, Value: ev.Old}
		return
	}
	switch {
	case f.had && f.old != nil:
		r.same(fmt.Sprintf("step %d finds", r.own), ev.Old, f.old)
	case ev.Old != "absent" && ev.Old != "nil":
		r.wrong("step %d finds nothing, not %s", r.own, ev.Old)
	}
	if writes := ev.Op == "write" || ev.Writes; writes != f.writes {
		r.wrong("step %d: that it writes is %t", r.own, f.writes)
	} else if n := len(ev.Args); writes && n > 0 && ev.Args[n-1] != "absent" {
		r.wrote = &r.Initial[ev.Cell]
		r.wrote = &Content{Cell: r.wrote.Cell, Key: r.wrote.Key, Value: ev.Args[n-1]}
	}
}

// nameWritten gives what the call has just written its name: others may be told to have
// it, although nothing tells how they got it.
func (r *replay) nameWritten() {
	c := r.wrote
	if r.wrote = nil; c == nil {
		return
	}
	i := slices.Index(r.unit.Paths, c.Cell)
	if i < 0 {
		return
	}
	if v, had := r.content(i, c.Key); had && v != nil {
		r.same(fmt.Sprintf("step %d writes", r.own), c.Value, v)
	}
}

// content is what a cell holds.
func (r *replay) content(i int, key string) (v any, had bool) {
	switch cell := r.x.cells[i].(type) {
	case MapCell:
		return cell.SimGet(r.key(key))
	case AtomicCell:
		return cell.SimLoad(), true
	}
	return nil, false
}

// compare compares how the call ended, and what is left.
func (r *replay) compare() {
	if r.Goes {
		return
	}
	if panicked := strings.HasPrefix(r.x.outcome, "panic"); panicked != r.Panics {
		r.wrong("the call ends with %s", r.x.outcome)
		return
	}
	if !r.Panics && r.Results != nil && len(r.Results) == len(r.x.results) {
		for i, v := range r.x.results {
			r.same(fmt.Sprintf("result %d is", i), r.Results[i], v)
		}
	}
	r.compareWith(r.Final, "left is")
}

// compareWith compares what the cells hold with what was told; what says of which time that is.
func (r *replay) compareWith(told []Content, what string) {
	for _, c := range told {
		i := slices.Index(r.unit.Paths, c.Cell)
		if i < 0 {
			continue
		}
		v, had := r.content(i, c.Key)
		switch {
		case had && v != nil:
			r.same(what, c.Value, v)
		case c.Value != "absent" && c.Value != "nil":
			r.wrong("%s nothing, not %s", what, c.Value)
		}
	}
}

// same compares a value with its text; a name that was not heard of before
// means the value from then on.
func (r *replay) same(what, text string, v any) {
	if want, ok := r.literal(text, v); ok {
		if want != v {
			r.wrong("%s %#v, not %s", what, v, text)
		}
		return
	}
	name := inside(text)
	if was, ok := r.names[name]; ok {
		if o, isObject := was.(Object); isObject {
			was = r.x.object(o)
		}
		if was != v {
			r.wrong("%s %#v, not the %s of before", what, v, text)
		}
		return
	}
	r.names[name] = v
}

// inside is the text of a value without its type.
func inside(text string) string {
	if t, ok := strings.CutPrefix(text, "{"); ok {
		if _, v, ok := strings.Cut(strings.TrimSuffix(t, "}"), " "); ok {
			return v
		}
	}
	return text
}

// literal is the value of a text, of the type of like; false if it is a name.
func (r *replay) literal(text string, like any) (any, bool) {
	if strings.HasPrefix(text, "{nil ") {
		text = "nil"
	}
	text = inside(text)
	if _, known := r.names[text]; known {
		return nil, false
	}
	switch {
	case text == "nil":
		if n, ok := like.(Node); ok && n.SimNil() {
			return like, true
		}
		return nil, like == nil
	case text == "true" || text == "false":
		return text == "true", true
	}
	if s, err := strconv.Unquote(text); err == nil {
		return s, true
	}
	if v, ok := Number(text, like); ok {
		return v, true
	}
	return nil, false
}

// value is an argument or a content as it was told: a name that was not heard
// of before is a new value.
func (r *replay) value(text string, k *Kind) arg {
	name := inside(text)
	if _, known := r.names[name]; !known && k.isKey() && !slices.Contains(r.fn.Names, text) && slices.ContainsFunc(r.Initial, func(c Content) bool { return c.Key == text }) {
		return arg{value: r.key(text)}
	}
	if text == "nil" && k.isMixed() {
		return arg{} // of no type
	}
	if (name == "nil" || strings.HasPrefix(text, "{nil ")) && k.Nil != nil {
		return arg{value: k.Nil}
	}
	if v, ok := r.names[name]; ok {
		if i := slices.Index(r.x.shown, v); i >= 0 {
			return arg{shown: i, seen: true}
		}
		return arg{value: v}
	}
	if v, ok := ofItsType(text); ok && k.isMixed() {
		return arg{value: v}
	}
	for _, like := range k.Pool {
		if v, ok := r.literal(text, like); ok && sameType(v, like) {
			return arg{value: v}
		}
	}
	v := r.unused(k)
	r.names[name] = v
	return arg{value: v}
}

// sameContents is how far the numbers of two objects are apart that hold the same.
const sameContents = 8

// isKey reports whether keys are of the kind, which are texts of a few.
func (k *Kind) isKey() bool {
	return k.Int == nil && k.String == nil && !slices.ContainsFunc(k.Pool, func(v any) bool { _, is := v.(string); return !is })
}

// isMixed reports whether values of any type are of the kind.
func (k *Kind) isMixed() bool {
	return slices.ContainsFunc(k.Pool, func(v any) bool { _, is := v.(Alien); return is })
}

// ofItsType is the value of a literal that says itself what type it has in an
// interface; false if it is none, or of a type of the program's own.
func ofItsType(text string) (any, bool) {
	var likes []any
	if t, ok := strings.CutPrefix(text, "{"); ok {
		name, _, _ := strings.Cut(t, " ")
		for _, like := range []any{int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0), uintptr(0)} {
			if fmt.Sprintf("%T", like) == name {
				likes = append(likes, like)
			}
		}
	} else {
		if s, err := strconv.Unquote(text); err == nil {
			return s, true
		}
		if text == "true" || text == "false" {
			return text == "true", true
		}
		likes = append(likes, int(0))
	}
	for _, like := range likes {
		if v, ok := Number(inside(text), like); ok {
			return v, true
		}
	}
	return nil, false
}

// unused chooses a value of a kind that has no name yet. That of an object says
// what is in it, too.
func (r *replay) unused(k *Kind) any {
	var fits []any
	add := func(v any) {
		for _, w := range r.names {
			if v == w {
				return
			}
		}
		if !slices.Contains(fits, v) {
			fits = append(fits, v)
		}
	}
	for i := range 4 {
		if k.Int != nil {
			add(k.Int(int64(40 + i)))
		}
		if k.String != nil {
			add(k.String(fmt.Sprintf("new%d", i)))
		}
	}
	for _, v := range k.Pool {
		add(v)
		if o, ok := v.(Object); ok && o == 0 {
			for i := range 6 {
				add(Object(i))
			}
			add(Object(-1))
			add(Object(-2))
			for i := range 3 {
				add(Object(sameContents + i))
			}
		}
	}
	if len(fits) == 0 {
		return k.Pool[0]
	}
	return fits[r.tape.choose(len(fits))]
}
