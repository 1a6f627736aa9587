// Package e41: much happens between the two halves.
package e41

import "sync"

type conn struct {
	mu   sync.Mutex
	seed int
	uses int
}

func (c *conn) use() {
	c.mu.Lock()
	c.uses++
	c.mu.Unlock()
}

type Pool struct{ conns sync.Map }

// Hidden does a lot before it stores.
func (p *Pool) Hidden(addr string) *conn {
	if v, ok := p.conns.Load(addr); ok {
		v.(*conn).use()
		return v.(*conn)
	}
	n := len(addr)
	n = n*31 + 0
	n = n*31 + 1
	n = n*31 + 2
	n = n*31 + 3
	n = n*31 + 4
	n = n*31 + 5
	n = n*31 + 6
	n = n*31 + 7
	n = n*31 + 8
	n = n*31 + 9
	n = n*31 + 10
	n = n*31 + 11
	n = n*31 + 12
	n = n*31 + 13
	n = n*31 + 14
	n = n*31 + 15
	n = n*31 + 16
	n = n*31 + 17
	n = n*31 + 18
	n = n*31 + 19
	n = n*31 + 20
	n = n*31 + 21
	n = n*31 + 22
	n = n*31 + 23
	n = n*31 + 24
	n = n*31 + 25
	n = n*31 + 26
	n = n*31 + 27
	n = n*31 + 28
	n = n*31 + 29
	n = n*31 + 30
	n = n*31 + 31
	c := &conn{seed: n}
	p.conns.Store(addr, c)
	return c
}

type Net struct{ conns sync.Map }

// Shown stores at once.
func (n *Net) Shown(addr string) *conn {
	if v, ok := n.conns.Load(addr); ok {
		v.(*conn).use()
		return v.(*conn)
	}
	c := &conn{}
	n.conns.Store(addr, c)
	return c
}

type Queue struct {
	mu   sync.Mutex
	jobs []int
}

func (q *Queue) Put(job int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, job)
}

func (q *Queue) Drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) > 0 {
		q.jobs = q.jobs[1:]
	}
}

// ShownPlace cuts at a place that was found before, whatever happens in between.
func (q *Queue) ShownPlace(n int, do func(jobs []int, n int)) {
	q.mu.Lock()
	jobs := q.jobs
	q.mu.Unlock()
	n = n*31 + 0
	n = n*31 + 1
	n = n*31 + 2
	n = n*31 + 3
	n = n*31 + 4
	n = n*31 + 5
	n = n*31 + 6
	n = n*31 + 7
	n = n*31 + 8
	n = n*31 + 9
	n = n*31 + 10
	n = n*31 + 11
	n = n*31 + 12
	n = n*31 + 13
	n = n*31 + 14
	n = n*31 + 15
	n = n*31 + 16
	n = n*31 + 17
	n = n*31 + 18
	n = n*31 + 19
	n = n*31 + 20
	n = n*31 + 21
	n = n*31 + 22
	n = n*31 + 23
	n = n*31 + 24
	n = n*31 + 25
	n = n*31 + 26
	n = n*31 + 27
	n = n*31 + 28
	n = n*31 + 29
	n = n*31 + 30
	n = n*31 + 31
	do(jobs, n)
	q.mu.Lock()
	q.jobs = q.jobs[len(jobs):]
	q.mu.Unlock()
}

// HiddenAdd adds to what was there.
func (q *Queue) HiddenAdd(n int, do func(jobs []int, n int)) {
	q.mu.Lock()
	jobs := q.jobs
	q.mu.Unlock()
	n = n*31 + 0
	n = n*31 + 1
	n = n*31 + 2
	n = n*31 + 3
	n = n*31 + 4
	n = n*31 + 5
	n = n*31 + 6
	n = n*31 + 7
	n = n*31 + 8
	n = n*31 + 9
	n = n*31 + 10
	n = n*31 + 11
	n = n*31 + 12
	n = n*31 + 13
	n = n*31 + 14
	n = n*31 + 15
	n = n*31 + 16
	n = n*31 + 17
	n = n*31 + 18
	n = n*31 + 19
	n = n*31 + 20
	n = n*31 + 21
	n = n*31 + 22
	n = n*31 + 23
	n = n*31 + 24
	n = n*31 + 25
	n = n*31 + 26
	n = n*31 + 27
	n = n*31 + 28
	n = n*31 + 29
	n = n*31 + 30
	n = n*31 + 31
	do(jobs, n)
	q.mu.Lock()
	q.jobs = append(jobs, n)
	q.mu.Unlock()
}
