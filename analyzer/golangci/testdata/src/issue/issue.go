// Package issue has a finding, one at a comment that a finding points to, and a comment
// that is wrong.
package issue

import "sync"

var sessions sync.Map

func Open(id string) any {
	if s, ok := sessions.Load(id); ok {
		return s
	}
	s := &[]string{}
	sessions.Store(id, s) // want `^.* \(MA\d{4} [a-z-]+\) \[10: Load finds absent \| other goroutine: Open\(id\), finds nothing \| 14: Store\(.*\) overwrites [^|]*\]$`
	return s
}

// Count is said to be one step.
//
//mapatom:atomic
func Count(m *sync.Map) (n int) { // want `\(MA2002 not-verified\) \[20: the function is marked as atomic here\]$`
	m.Range(func(k, v any) bool {
		n++
		return true
	})
	return n
}

//mapatom:ignore MA1004 why // want `is not needed: there is no such finding \(MA2001 directive\)$`
