// Package deadlines has the deadlines of tasks in a map of their own.
package deadlines

import "sync"

// Tasks have deadlines.
type Tasks struct {
	mu        sync.Mutex
	tasks     map[int]func()
	deadlines map[int]int64
}

// Add adds a task, or gives one a new deadline.
func (t *Tasks) Add(id int, task func(), deadline int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tasks[id] = task
	t.deadlines[id] = deadline
}

func (t *Tasks) late(id int, now int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	d, ok := t.deadlines[id]
	return ok && d < now
}

func (t *Tasks) remove(id int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.tasks, id)
	delete(t.deadlines, id)
}

// Expire forgets a task that is late.
func (t *Tasks) Expire(id int, now int64) {
	if t.late(id, now) {
		t.remove(id)
	}
}

// Task is the task with a number.
func (t *Tasks) Task(id int) func() {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tasks[id]
}
