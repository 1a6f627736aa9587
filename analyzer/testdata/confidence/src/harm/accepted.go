package harm

import "sync"

// Workers run what is accepted until they are told to end.
type Workers struct {
	mu      sync.Mutex
	wake    *sync.Cond
	pending []func()
	ending  bool
}

func NewWorkers(n int) *Workers {
	w := &Workers{}
	w.wake = sync.NewCond(&w.mu)
	for range n {
		go func() {
			for job := w.next(); job != nil; job = w.next() {
				job()
			}
		}()
	}
	return w
}

func (w *Workers) next() func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.pending) == 0 && !w.ending {
		w.wake.Wait()
	}
	if len(w.pending) == 0 {
		return nil
	}
	job := w.pending[0]
	w.pending = w.pending[1:]
	return job
}

func (w *Workers) isEnding() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ending
}

func (w *Workers) push(job func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, job)
	w.wake.Signal()
}

// HighSubmit accepts what nobody runs any more.
func (w *Workers) HighSubmit(job func()) bool {
	if w.isEnding() {
		return false
	}
	w.push(job)
	return true
}

func (w *Workers) End() {
	w.mu.Lock()
	w.ending = true
	w.mu.Unlock()
	w.wake.Broadcast()
}
