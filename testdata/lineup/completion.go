package lineup

import (
	"errors"
	"sync/atomic"
)

var (
	// ErrCanceled is the result of a task that was canceled.
	ErrCanceled = errors.New("canceled")
	// ErrFailed is that of one that failed.
	ErrFailed = errors.New("failed")
	// ErrCompleted says that a task has its result already.
	ErrCompleted = errors.New("completed already")
)

// outcome is how a task ended.
type outcome struct {
	value int
	err   error
}

// TaskCompletionSource is a promise: it gets a result once, and those who
// Wait get that.
type TaskCompletionSource struct {
	result atomic.Pointer[outcome]
	done   chan struct{}
}

func NewTaskCompletionSource() *TaskCompletionSource {
	return &TaskCompletionSource{done: make(chan struct{})}
}

// complete is the only way to a result: the first to swap it in wins.
func (s *TaskCompletionSource) complete(o outcome) bool {
	if !s.result.CompareAndSwap(nil, &o) {
		return false
	}
	close(s.done)
	return true
}

func (s *TaskCompletionSource) TrySetResult(v int) bool { return s.complete(outcome{value: v}) }
func (s *TaskCompletionSource) TrySetCanceled() bool    { return s.complete(outcome{err: ErrCanceled}) }
func (s *TaskCompletionSource) TrySetException() bool   { return s.complete(outcome{err: ErrFailed}) }

func (s *TaskCompletionSource) SetResult(v int) error { return must(s.TrySetResult(v)) }
func (s *TaskCompletionSource) SetCanceled() error    { return must(s.TrySetCanceled()) }
func (s *TaskCompletionSource) SetException() error   { return must(s.TrySetException()) }

func must(ok bool) error {
	if !ok {
		return ErrCompleted
	}
	return nil
}

// Wait blocks until there is a result.
func (s *TaskCompletionSource) Wait() (int, error) {
	<-s.done
	o := s.result.Load()
	return o.value, o.err
}

// TryResult is Wait that does not block.
func (s *TaskCompletionSource) TryResult() (v int, ok bool) {
	if o := s.result.Load(); o != nil && o.err == nil {
		return o.value, true
	}
	return 0, false
}

// Exception is why there is no value, if that is so.
func (s *TaskCompletionSource) Exception() error {
	if o := s.result.Load(); o != nil {
		return o.err
	}
	return nil
}

// TaskCompletionSourcePre looks whether there is a result and sets one in two
// steps (root cause F): two can both be told that theirs is it. The second
// closes the channel again, which panics.
//
//	TrySetResult(10) | TrySetResult(20)
type TaskCompletionSourcePre struct{ TaskCompletionSource }

func NewTaskCompletionSourcePre() *TaskCompletionSourcePre {
	return &TaskCompletionSourcePre{TaskCompletionSource{done: make(chan struct{})}}
}

func (s *TaskCompletionSourcePre) complete(o outcome) bool {
	if s.result.Load() != nil {
		return false
	}
	s.result.Store(&o)
	close(s.done)
	return true
}

func (s *TaskCompletionSourcePre) TrySetResult(v int) bool { return s.complete(outcome{value: v}) }
func (s *TaskCompletionSourcePre) TrySetCanceled() bool {
	return s.complete(outcome{err: ErrCanceled})
}
func (s *TaskCompletionSourcePre) TrySetException() bool { return s.complete(outcome{err: ErrFailed}) }

func (s *TaskCompletionSourcePre) SetResult(v int) error { return must(s.TrySetResult(v)) }
func (s *TaskCompletionSourcePre) SetCanceled() error    { return must(s.TrySetCanceled()) }
func (s *TaskCompletionSourcePre) SetException() error   { return must(s.TrySetException()) }

// TaskCompletionSourceBeta reserves the result before it is there (root cause
// G): who comes second is told that there is one, and then does not find it.
//
//	TrySetResult(10) | TrySetResult(20) TryResult()
type TaskCompletionSourceBeta struct {
	TaskCompletionSource
	reserved atomic.Bool
}

func NewTaskCompletionSourceBeta() *TaskCompletionSourceBeta {
	return &TaskCompletionSourceBeta{TaskCompletionSource: TaskCompletionSource{done: make(chan struct{})}}
}

func (s *TaskCompletionSourceBeta) complete(o outcome) bool {
	if !s.reserved.CompareAndSwap(false, true) {
		return false
	}
	s.result.Store(&o)
	close(s.done)
	return true
}

func (s *TaskCompletionSourceBeta) TrySetResult(v int) bool { return s.complete(outcome{value: v}) }
func (s *TaskCompletionSourceBeta) TrySetCanceled() bool {
	return s.complete(outcome{err: ErrCanceled})
}
func (s *TaskCompletionSourceBeta) TrySetException() bool { return s.complete(outcome{err: ErrFailed}) }

func (s *TaskCompletionSourceBeta) SetResult(v int) error { return must(s.TrySetResult(v)) }
func (s *TaskCompletionSourceBeta) SetCanceled() error    { return must(s.TrySetCanceled()) }
func (s *TaskCompletionSourceBeta) SetException() error   { return must(s.TrySetException()) }
