package several

import "sync"

// Ended is a list from which a goroutine takes until it is told to end.
type Ended struct {
	mu    sync.Mutex
	more  *sync.Cond
	jobs  []func()
	ended bool
}

func NewEnded() *Ended {
	e := &Ended{}
	e.more = sync.NewCond(&e.mu)
	go e.run()
	return e
}

func (e *Ended) over() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ended
}

func (e *Ended) put(job func()) {
	e.mu.Lock()
	e.jobs = append(e.jobs, job)
	e.mu.Unlock()
	e.more.Signal()
}

// Add puts a job there that nobody takes, if it is ended in between.
func (e *Ended) Add(job func()) bool {
	if e.over() {
		return false
	}
	e.put(job) // want "e.mu is released between over and put"
	return true
}

// AddOne asks, and puts, in one section.
func (e *Ended) AddOne(job func()) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return false
	}
	e.jobs = append(e.jobs, job)
	e.more.Signal()
	return true
}

func (e *Ended) End() {
	e.mu.Lock()
	e.ended = true
	e.mu.Unlock()
	e.more.Broadcast()
}

func (e *Ended) run() {
	for {
		e.mu.Lock()
		for len(e.jobs) == 0 && !e.ended {
			e.more.Wait()
		}
		if len(e.jobs) == 0 {
			e.mu.Unlock()
			return
		}
		job := e.jobs[0]
		e.jobs = e.jobs[1:]
		e.mu.Unlock()
		job()
	}
}

// Paused is one that goes on later: what is put there meanwhile is taken then.
type Paused struct {
	mu     sync.Mutex
	more   *sync.Cond
	jobs   []func()
	paused bool
}

func NewPaused() *Paused {
	p := &Paused{}
	p.more = sync.NewCond(&p.mu)
	go p.run()
	return p
}

func (p *Paused) resting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paused
}

func (p *Paused) put(job func()) {
	p.mu.Lock()
	p.jobs = append(p.jobs, job)
	p.mu.Unlock()
	p.more.Signal()
}

func (p *Paused) Add(job func()) bool {
	if p.resting() {
		return false
	}
	p.put(job)
	return true
}

func (p *Paused) Toggle() {
	p.mu.Lock()
	if p.paused {
		p.paused = false
	} else {
		p.paused = true
	}
	p.mu.Unlock()
	p.more.Broadcast()
}

func (p *Paused) run() {
	for {
		p.mu.Lock()
		for len(p.jobs) == 0 || p.paused {
			p.more.Wait()
		}
		job := p.jobs[0]
		p.jobs = p.jobs[1:]
		p.mu.Unlock()
		job()
	}
}

// Emptied is one of which somebody takes what is left once the goroutine has ended.
type Emptied struct {
	mu    sync.Mutex
	more  *sync.Cond
	jobs  []func()
	ended bool
	done  chan struct{}
}

func NewEmptied() *Emptied {
	r := &Emptied{done: make(chan struct{})}
	r.more = sync.NewCond(&r.mu)
	go r.run()
	return r
}

func (r *Emptied) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

func (r *Emptied) put(job func()) {
	r.mu.Lock()
	r.jobs = append(r.jobs, job)
	r.mu.Unlock()
	r.more.Signal()
}

func (r *Emptied) Add(job func()) bool {
	if r.over() {
		return false
	}
	r.put(job)
	return true
}

func (r *Emptied) End() {
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	r.more.Broadcast()
	<-r.done
}

func (r *Emptied) Rest() []func() {
	r.mu.Lock()
	defer r.mu.Unlock()
	rest := r.jobs
	r.jobs = nil
	return rest
}

func (r *Emptied) run() {
	defer close(r.done)
	for {
		r.mu.Lock()
		for len(r.jobs) == 0 && !r.ended {
			r.more.Wait()
		}
		if len(r.jobs) == 0 {
			r.mu.Unlock()
			return
		}
		job := r.jobs[0]
		r.jobs = r.jobs[1:]
		r.mu.Unlock()
		job()
	}
}
