package sched

import (
	"testing/synctest"
)

// execute runs one program from Setup to Final.
func (r *run) execute(p Program) *Outcome {
	r.reset(p)
	r.drive()
	out := &Outcome{Setup: r.special.result}
	if r.stuck == NotStuck && p.Final != nil {
		r.stage = final
		r.special.start(p.Final)
		r.drive()
		out.Final = r.special.result
	}
	r.outcome(out)
	return out
}

// reset makes the threads of the next execution.
func (r *run) reset(p Program) {
	r.spare = append(r.spare, r.threads...)
	r.threads = r.threads[:0]
	if r.special == nil {
		r.special = r.fresh()
		r.special.id, r.special.origin = specialID, noOrigin
	}
	r.program, r.abrupt = len(p.Threads), p.Abrupt
	for _, body := range p.Threads {
		r.spawn(body, len(r.threads))
	}
	r.stage, r.special.phase = settle, ended
	if p.Setup != nil {
		r.stage = setup
		r.special.start(p.Setup)
	}
	r.cur, r.last, r.natives, r.steps, r.preempts = nil, nil, 0, 0, 0
	r.stuck, r.diverged, r.print = NotStuck, false, 0
	r.turn, r.changes, r.timers, r.lapse = 0, 0, false, false
	r.unsure.Store(false)
	r.schedule = make(Schedule, 0, cap(r.schedule))
	r.execution = executed.Add(1)
	clear(r.objects)
}

// spawn adds a thread to the execution, of the given origin.
func (r *run) spawn(body func(), origin int) *Thread {
	t := r.fresh()
	t.id, t.origin = len(r.threads), origin
	r.threads = append(r.threads, t)
	t.start(body)
	return t
}

// fresh returns a thread without a role, preferably one that has a goroutine.
func (r *run) fresh() *Thread {
	if n := len(r.spare); n > 0 {
		t := r.spare[n-1]
		r.spare = r.spare[:n-1]
		return t
	}
	return &Thread{run: r, grant: make(chan struct{}, 1)}
}

// outcome collects the results.
func (r *run) outcome(out *Outcome) {
	out.Schedule, out.Steps, out.Preemptions = r.schedule, r.steps, r.preempts
	out.Stuck, out.Diverged, out.Fingerprint = r.stuck, r.diverged, r.print
	results := make([]Result, len(r.threads))
	for i, t := range r.threads {
		results[i] = r.resultOf(t)
	}
	out.Threads, out.Spawned = results[:r.program:r.program], results[r.program:]
	if r.observer != nil {
		r.observer.ended(r)
	}
}

// resultOf is the result of a thread that may not have ended.
func (r *run) resultOf(t *Thread) Result {
	if t.phase == ended {
		return t.result
	}
	res := Result{State: Running, Op: t.op}
	if t.phase == native || t.gate != nil && !t.gate.Open() {
		res.State = Blocked
	}
	return res
}

// unwind ends the threads that are left by runtime.Goexit. Those that are
// blocked where only the bubble sees them cannot be ended: they taint the
// bubble.
func (r *run) unwind() {
	for i := 0; i < len(r.threads); i++ { // an unwinding thread starts no others
		r.unwindThread(r.threads[i])
	}
	r.unwindThread(r.special)
}

func (r *run) unwindThread(t *Thread) {
	if t.phase == ended {
		return
	}
	if t.phase == ready {
		t.aborted = true
		r.cur = t
		t.grant <- struct{}{}
		synctest.Wait()
		r.cur = nil
	}
	r.tainted = r.tainted || t.phase != ended
}

// retire lets the goroutines behind the threads end.
func (r *run) retire() {
	for _, t := range append(r.spare, r.all()...) {
		if t != nil && t.alive && t.phase == ended {
			t.body = nil
			t.grant <- struct{}{}
		}
	}
}

// opOf is what the thread does next.
func (r *run) opOf(thread int) Op {
	if thread == Clock {
		return Op{Kind: Wait}
	}
	t := r.thread(thread)
	op := t.op
	op.Object = r.object(t.key)
	return op
}
