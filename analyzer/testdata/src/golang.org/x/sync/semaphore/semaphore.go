// Package semaphore stands in for golang.org/x/sync/semaphore.
package semaphore

import "context"

type Weighted struct{}

func NewWeighted(n int64) *Weighted

func (s *Weighted) Acquire(ctx context.Context, n int64) error
func (s *Weighted) TryAcquire(n int64) bool
func (s *Weighted) Release(n int64)
