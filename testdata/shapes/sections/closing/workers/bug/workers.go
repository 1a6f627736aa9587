// Package workers hands tasks to whoever asks for one, until there are to be none.
package workers

import "sync"

// Task is something to do.
type Task struct {
	Name string
	Done func(err error)
}

type mode int

const (
	running mode = iota
	stopping
)

// Queue has tasks that nobody has taken yet.
type Queue struct {
	mu    sync.Mutex
	mode  mode
	tasks []*Task
}

func (q *Queue) current() mode {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.mode
}

// Submit adds a task, or does nothing when it is too late: nobody hears of one that comes in
// when the others have been given back.
func (q *Queue) Submit(t *Task) {
	if q.current() == stopping {
		return
	}
	q.mu.Lock()
	q.tasks = append(q.tasks, t)
	q.mu.Unlock()
}

// Take returns a task; nil if there is none.
func (q *Queue) Take() *Task {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.tasks) == 0 {
		return nil
	}
	t := q.tasks[0]
	q.tasks = q.tasks[1:]
	return t
}

// Shutdown gives back the tasks that are left.
func (q *Queue) Shutdown() []*Task {
	q.mu.Lock()
	defer q.mu.Unlock()
	left := q.tasks
	q.mode, q.tasks = stopping, nil
	return left
}
