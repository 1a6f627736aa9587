// Package e37: what is read again is what is current.
package e37

import "sync"

type job struct {
	done chan struct{}
}

type Jobs struct{ jobs sync.Map }

// Hidden puts a job there, and gives the one that is there then.
func (j *Jobs) Hidden(name string) *job {
	mine := &job{done: make(chan struct{})}
	j.jobs.Store(name, mine)
	go j.run(name, mine)
	v, _ := j.jobs.Load(name)
	return v.(*job)
}

func (j *Jobs) run(name string, mine *job) {
	close(mine.done)
	j.jobs.CompareAndDelete(name, mine)
}

type Queue struct{ jobs sync.Map }

// Shown puts a job there that another one may be waiting for.
func (q *Queue) Shown(name string) *job {
	if v, ok := q.jobs.Load(name); ok {
		return v.(*job)
	}
	j := &job{done: make(chan struct{})}
	q.jobs.Store(name, j)
	return j
}

func (q *Queue) Done(name string) {
	if v, ok := q.jobs.LoadAndDelete(name); ok {
		close(v.(*job).done)
	}
}
