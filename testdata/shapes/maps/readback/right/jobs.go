// Package jobs starts jobs.
package jobs

import "sync"

// Job is at work.
type Job struct {
	ID   string
	done chan struct{}
}

// Table has the jobs that run.
type Table struct{ jobs sync.Map }

// Start begins a job.
func (t *Table) Start(id string) *Job {
	j := &Job{ID: id, done: make(chan struct{})}
	t.jobs.Store(id, j)
	go t.run(id, j)
	return j
}

func (t *Table) run(id string, j *Job) {
	close(j.done)
	t.jobs.CompareAndDelete(id, j)
}
