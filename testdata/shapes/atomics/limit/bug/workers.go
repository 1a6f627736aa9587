// Package workers bounds how many jobs run.
package workers

import "sync/atomic"

// Pool runs jobs, so many at a time.
type Pool struct {
	running atomic.Int32
	max     int32
}

// TryRun runs a job if there is room for one more.
func (p *Pool) TryRun(job func()) bool {
	if p.running.Load() >= p.max {
		return false
	}
	p.running.Add(1)
	defer p.running.Add(-1)
	job()
	return true
}
