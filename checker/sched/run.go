package sched

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"
	"unsafe"
)

// active is the execution that is under control, if there is one.
var active atomic.Pointer[run]

// executed counts the executions of the process.
var executed atomic.Uint64

const (
	// horizon is how long the clock is let go on when nothing else can: longer
	// than any timeout that a test waits for.
	horizon = 10_000 * time.Hour
	// minute is how long it is let go on while threads could: not so long that
	// everything expires.
	minute = time.Minute
)

// run is the executions in one bubble, one after the other. All fields are
// used by the goroutine that has the token, or by the controller while the
// bubble is at rest.
type run struct {
	opts     Options
	strategy Strategy
	observer observer // the strategy, if it wants to know of each step
	// execution counts the executions of the process.
	execution uint64
	program   int // threads[:program] are the program's
	abrupt    bool

	threads []*Thread
	spare   []*Thread // without a role in this execution
	special *Thread   // runs Setup or Final; nil in the stages between
	stage   stage

	cur      *Thread // who has the token
	last     *Thread // who took the last step
	took     Kind    // what that was
	natives  int     // threads in phase native
	tick     chan struct{}
	enabled  []int
	steps    int
	turn     int // steps that last has taken in a row
	changes  int // steps that changed something
	stuck    Stuck
	diverged bool
	preempts int
	schedule Schedule
	objects  map[unsafe.Pointer]int32
	print    uint64
	timers   bool // a timer was started, so time can be chosen
	lapse    bool // time was chosen
	passed   bool // time has passed since the last step

	// unsure says that who takes a step has to be found out.
	unsure     atomic.Bool
	goroutines sync.Map // *Thread, by the number that its goroutine has in stack dumps
	arrivals   arrivals
	workers    atomic.Int64 // goroutines behind threads
	others     atomic.Int64 // goroutines that are none of the execution's, as far as known
	controller uint64       // the number of the controller's goroutine
	begun      time.Time

	tainted bool // goroutines are left that cannot be ended
	beat    atomic.Int64
	// slept counts how often time passed. A thread that wakes up reads it, so
	// that what the controller did before happens before what it does: the
	// bubble's clock alone does not say so to the race detector.
	slept atomic.Int64

	positionsMu sync.Mutex // threads that come back from a native block look as well
	positions   map[uintptr]runtime.Frame
}

// stage is which part of a program runs.
type stage uint8

const (
	setup  stage = iota
	settle       // what Setup started runs until it blocks
	main
	final
)

// pass is called by a thread that stands at a step: by the one that has the
// token, or by one that comes back from a native block. It returns when the
// thread has been chosen.
func (r *run) pass(t *Thread) {
	if t.phase == native {
		t.woken = true
		r.report()
		<-t.grant
		return
	}
	t.phase = ready
	if r.hand(t) {
		return
	}
	<-t.grant
}

// end is called by a thread whose body has ended.
func (r *run) end(t *Thread) {
	r.slept.Load()
	t.gate = nil
	switch {
	case t.phase == native:
		t.woken, t.over = true, true
		r.report()
	case t.aborted:
		t.phase = ended
	default:
		t.phase = ended
		r.hand(t)
	}
}

// report tells the controller, which may be letting time pass, that a thread
// is back.
func (r *run) report() {
	select {
	case r.tick <- struct{}{}:
	default:
	}
}

// hand chooses who is next and gives it the token; it reports whether that is
// t, which has it. While threads are blocked where only the bubble sees them,
// the controller chooses, once all is at rest: t may have woken some.
func (r *run) hand(t *Thread) bool {
	r.cur = nil
	r.count()
	if r.natives > 0 {
		return false
	}
	next := r.pick()
	if next == nil || next == clock {
		r.lapse = next == clock
		return false
	}
	r.take(next)
	if next != t {
		next.grant <- struct{}{}
	}
	return next == t
}

// take accounts for the step of the thread that goes on.
func (r *run) take(t *Thread) {
	t.phase = holding
	if r.last != t {
		r.turn = 0
	}
	r.cur, r.last, r.passed = t, t, false
	t.taken++
	if r.stage != main {
		return
	}
	r.steps++
	r.turn++
	if t.op.Kind.changing() {
		r.changes++
	}
	r.schedule = append(r.schedule, t.id)
	r.note(t)
	r.took = t.op.Kind
	if r.observer != nil {
		r.observer.stepped(r, t)
	}
	if r.opts.OnStep != nil {
		r.opts.OnStep(t.origin, t.op, t.object, t.mapKey)
	}
}

// note adds the step to the fingerprint.
func (r *run) note(t *Thread) {
	t.op.Object = r.object(t.key)
	r.print = (r.print ^ uint64(t.id)<<40 ^ uint64(t.op.Kind)<<32 ^ uint64(t.op.Object)) * 0x9e3779b97f4a7c15
	r.print ^= r.print >> 29
}

// object numbers what steps act on by first use. The map keeps the objects
// alive, so that no address stands for two of them.
func (r *run) object(p unsafe.Pointer) int32 {
	if p == nil {
		return 0
	}
	n, ok := r.objects[p]
	if !ok {
		n = int32(len(r.objects) + 1)
		r.objects[p] = n
	}
	return n
}

// pick returns who goes on, or nil if nobody does.
func (r *run) pick() *Thread {
	r.advance()
	r.offer()
	switch {
	case r.stuck != NotStuck || len(r.enabled) == 0 || r.abrupt && r.stage == main && r.done():
		return nil
	case r.steps >= r.opts.MaxSteps:
		r.stuck = Divergence
		return nil
	case r.idle() >= idleLimit:
		r.stuck = Livelock
		return nil
	case r.stage != main:
		return r.thread(r.enabled[0])
	}
	return r.choose()
}

// choose asks the strategy.
func (r *run) choose() *Thread {
	d := Decision{Step: r.steps, Current: -1, Enabled: r.enabled, Free: true, run: r}
	if t := r.last; t != nil && t.id >= 0 {
		d.Current = t.id
		spins := t.rereads()
		d.Free = !d.has(t.id) || t.op.Kind == Boundary || t.op.Kind == Yield || spins >= spinNotice
		if d.has(t.id) && (len(r.enabled) == 1 || spins > spinNotice) {
			return t
		}
	}
	id := r.strategy.Choose(&d)
	if id == Halt {
		r.stuck = Halted
		return nil
	}
	if !d.has(id) {
		r.diverged = true
		id = d.def()
	}
	if !d.Free && id != d.Current {
		r.preempts++
	}
	return r.thread(id)
}

// clock stands for time as something that can be chosen.
var clock = &Thread{id: Clock}

func (r *run) thread(id int) *Thread {
	if id == Clock {
		return clock
	}
	if id == specialID {
		return r.special
	}
	return r.threads[id]
}

// specialID is the number of the thread that runs Setup or Final.
const specialID = -3

// advance goes on to the next stage when one has ended.
func (r *run) advance() {
	if r.stage == setup && r.special.phase == ended {
		r.stage, r.last = settle, nil
	}
}

// offer collects the threads that can go on.
func (r *run) offer() {
	r.enabled = r.enabled[:0]
	if r.stage == setup || r.stage == final {
		if able(r.special) {
			r.enabled = append(r.enabled, specialID)
			return
		}
	}
	from := 0
	if r.stage == setup || r.stage == settle {
		from = r.program
	}
	for _, t := range r.threads[from:] {
		if able(t) {
			r.enabled = append(r.enabled, t.id)
		}
	}
	if r.stage == settle && len(r.enabled) == 0 && r.natives == 0 {
		r.stage = main
		r.offer()
		return
	}
	r.withdraw()
	if r.timers && r.stage == main && len(r.enabled) > 0 {
		r.enabled = append(r.enabled, Clock)
	}
}

func able(t *Thread) bool {
	return t.phase == ready && (t.gate == nil || t.gate.Open())
}

// done reports whether the stage that runs is over.
func (r *run) done() bool {
	switch r.stage {
	case setup, final:
		return r.special.phase == ended
	case main:
		for _, t := range r.threads[:r.program] {
			if t.phase != ended {
				return false
			}
		}
		return true
	}
	return false
}

// drive lets the threads run until the stage that runs, or the one after the
// settling, has ended or is stuck. It is the controller: it sees to
// everything that a thread cannot do itself.
func (r *run) drive() {
	for {
		synctest.Wait() // until then the thread that was let go may be changing r
		r.beat.Add(1)
		r.rest()
		if r.done() || r.stuck != NotStuck {
			return
		}
		next := clock
		if !r.lapse {
			next = r.pick()
		}
		switch {
		case next == clock:
			r.lapse = false
			r.schedule = append(r.schedule, Clock)
			r.steps++
			r.took = Wait
			if r.observer != nil {
				r.observer.stepped(r, clock)
			}
			r.timers = r.passTime(minute)
		case next != nil:
			r.take(next)
			next.grant <- struct{}{}
		case r.stuck != NotStuck:
		case r.stage == settle:
			r.stage = main
		case r.natives == 0 && !r.timers || !r.passTime(horizon):
			r.stuck = Deadlock
		}
	}
}

// rest brings the threads' phases up to date while the bubble is at rest: the
// one that had the token is blocked, others have come back.
func (r *run) rest() {
	if t := r.cur; t != nil && t.phase == holding {
		t.phase = native
		r.natives++
		t.giveBack()
		if !t.bracketed {
			r.unsure.Store(true)
		}
	}
	r.cur = nil
	r.admit()
	if r.natives == 0 {
		return
	}
	for _, t := range r.all() {
		if !t.woken {
			continue
		}
		r.natives--
		r.actsFor(t)
		t.woken, t.phase = false, ready
		if t.over {
			t.phase = ended
		}
	}
}

func (r *run) all() []*Thread {
	return append(r.threads[:len(r.threads):len(r.threads)], r.special)
}

// passTime lets the clock go on, at most to the limit, until a thread comes
// back, and reports whether one did.
func (r *run) passTime(limit time.Duration) bool {
	r.slept.Add(1)
	r.passed = true
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-r.tick:
		return true
	case <-timer.C:
		return false
	}
}

// caller returns the position of the innermost frame outside the scheduler
// and its drop-ins, or of the innermost one among the sites, and whether there
// are others within that.
func (r *run) caller() (file string, line int, within bool) {
	r.positionsMu.Lock()
	defer r.positionsMu.Unlock()
	var pcs [24]uintptr
	for _, pc := range pcs[:runtime.Callers(3, pcs[:])] {
		f, ok := r.positions[pc]
		if !ok {
			f, _ = runtime.CallersFrames([]uintptr{pc}).Next()
			r.positions[pc] = f
		}
		if ours(f.Function) {
			continue
		}
		if r.opts.Sites == nil || r.opts.Sites(f.File, f.Line) {
			return f.File, f.Line, within
		}
		within = true
	}
	return "", 0, false
}

// home is the import path of this package, wherever its source was laid.
var home = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	slash := strings.LastIndexByte(name, '/')
	return name[:slash+strings.IndexByte(name[slash:], '.')]
}()

func ours(function string) bool {
	rest, ok := strings.CutPrefix(function, home)
	return ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "/sync.") || strings.HasPrefix(rest, "/atomic."))
}
