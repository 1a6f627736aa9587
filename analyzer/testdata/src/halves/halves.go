// Package halves proves that what depends on a whole map, or runs in a goroutine that is
// waited for, is not taken for one step. What is verified has a neighbour beside it.
package halves

import "sync"

type Table struct{ m sync.Map }

func (t *Table) Put(k string, n int) { t.m.Store(k, n) }

// Limit counts, and then stores.
//
//mapatom:atomic
func (t *Table) Limit(k string, n int) bool { // want "not-verified"
	count := 0
	t.m.Range(func(_, _ any) bool {
		count++
		return true
	})
	if count < 10 {
		t.m.Store(k, n) // want "between Range and Store"
		return true
	}
	return false
}

// Elect stores if there is nobody.
//
//mapatom:atomic
func (t *Table) Elect(k string) { // want "not-verified"
	found := false
	t.m.Range(func(_, _ any) bool {
		found = true
		return false
	})
	if !found {
		t.m.Store(k, true) // want "between Range and Store"
	}
}

// Drain looks at all, and then forgets all.
//
//mapatom:atomic
func (t *Table) Drain() (out []any) { // want "not-verified"
	t.m.Range(func(_, v any) bool {
		out = append(out, v)
		return true
	})
	t.m.Clear()
	return out
}

// Reset is one call.
//
//mapatom:atomic
func (t *Table) Reset() { t.m.Clear() }

// Waited looks in a goroutine of its own, and waits for it.
func (t *Table) Waited(k string) int {
	v, ok := t.m.Load(k)
	if !ok {
		return 0
	}
	n := v.(int)
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		t.m.Store(k, n+1) // want "lost-update"
	}()
	done.Wait()
	return n
}

// Received waits by a channel.
func (t *Table) Received(k string) int {
	v, ok := t.m.Load(k)
	if !ok {
		return 0
	}
	n := v.(int)
	done := make(chan struct{})
	go func() {
		t.m.Store(k, n+1) // want "lost-update"
		close(done)
	}()
	<-done
	return n
}

// Pair looks twice, once in a goroutine that it waits for.
func (t *Table) Pair(k string) (any, any) {
	a, _ := t.m.Load(k)
	var b any
	var done sync.WaitGroup
	done.Go(func() { b, _ = t.m.Load(k) }) // want "inconsistent-read"
	done.Wait()
	return a, b
}

// Apart does not wait: what the goroutine does is its own affair.
//
//mapatom:atomic
func (t *Table) Apart(k string) any {
	v, _ := t.m.Load(k)
	go func() { t.m.Load(k) }()
	return v
}
