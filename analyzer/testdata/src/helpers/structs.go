package helpers

import "sync"

// What one helper finds is a struct, and whether there is one; the other one is given a field of it.

type job struct {
	ID   int
	Text string
}

type state int

const (
	waiting state = iota
	running
	done
)

// Jobs are begun in the order in which they have come.
type Jobs struct {
	mu    sync.Mutex
	jobs  []job
	state map[int]state
}

func (q *Jobs) Add(text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, job{len(q.jobs), text})
}

func (q *Jobs) next() (job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		if q.state[j.ID] == waiting {
			return j, true
		}
	}
	return job{}, false
}

func (q *Jobs) set(id int, s state) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.state[id] = s
}

func (q *Jobs) Work(run func(job)) {
	for {
		j, ok := q.next()
		if !ok {
			return
		}
		q.set(j.ID, running) // want "lost-update"
		run(j)
		q.set(j.ID, done)
	}
}

// ClaimedJobs are marked where they are found.
type ClaimedJobs struct {
	mu    sync.Mutex
	jobs  []job
	state map[int]state
}

func (q *ClaimedJobs) Add(text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, job{len(q.jobs), text})
}

func (q *ClaimedJobs) claim() (job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		if q.state[j.ID] == waiting {
			q.state[j.ID] = running
			return j, true
		}
	}
	return job{}, false
}

func (q *ClaimedJobs) set(id int, s state) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.state[id] = s
}

func (q *ClaimedJobs) Work(run func(job)) {
	for {
		j, ok := q.claim()
		if !ok {
			return
		}
		run(j)
		q.set(j.ID, done)
	}
}
