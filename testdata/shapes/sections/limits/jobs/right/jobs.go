// Package jobs runs one job of each kind, and not too many at once.
package jobs

import (
	"errors"
	"net/http"
	"sync"
)

// What Start returns.
var (
	ErrBusy    = errors.New("jobs: too many")
	ErrRunning = errors.New("jobs: it runs")
)

// Job is one that runs.
type Job struct {
	kind string
	done chan struct{}
}

type running struct {
	sync.Mutex
	jobs map[string]*Job
}

func (r *running) add(j *Job, most int) error {
	r.Lock()
	defer r.Unlock()
	if len(r.jobs) >= most {
		return ErrBusy
	}
	if _, ok := r.jobs[j.kind]; ok {
		return ErrRunning
	}
	r.jobs[j.kind] = j
	return nil
}

func (r *running) remove(j *Job) {
	r.Lock()
	delete(r.jobs, j.kind)
	r.Unlock()
}

// Runner runs at most so many.
type Runner struct {
	most    int
	running running
}

// NewRunner runs at most so many.
func NewRunner(most int) *Runner {
	return &Runner{most: most, running: running{jobs: map[string]*Job{}}}
}

// Start starts a job, and what it does is over when done is closed.
func (r *Runner) Start(kind string) (*Job, error) {
	j := &Job{kind: kind, done: make(chan struct{})}
	if err := r.running.add(j, r.most); err != nil {
		return nil, err
	}
	return j, nil
}

// End says that a job is over.
func (r *Runner) End(j *Job) {
	r.running.remove(j)
	close(j.done)
}

// ServeHTTP starts the job of a request.
func (r *Runner) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if _, err := r.Start(req.FormValue("kind")); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
}
