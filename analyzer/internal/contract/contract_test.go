package contract

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRead(t *testing.T) {
	tests := []struct {
		doc  string
		want Kind
	}{
		{"Lock should be held.", LockHeld},
		{"Lock should be held", LockHeld},
		{"Lock should be held upon entry.", LockHeld},
		{"Lock assume held.", LockHeld},
		{"f does this.\nLock is assumed held.", LockHeld},
		{"Lock held on entry", LockHeld},
		{"Assumes lock is held.", LockHeld},
		{"Assume lock is held on entry", LockHeld},
		{"The caller must hold s.mu.", LockHeld},
		{"It counts. Callers must hold the lock, and may not release it.", LockHeld},
		{"f is called with c.mu held.", LockHeld},
		{"Called with the lock held.", LockHeld},
		{"Must be invoked under the gcbMu lock", LockHeld},
		{"f must be called while holding mu.", LockHeld},
		{"f must only be called when the lock is held.", LockHeld},
		{"f requires the mutex to be held.", LockHeld},
		{"This method expects that s.mu is locked.", LockHeld},
		{"Precondition: s.mu must be held.", LockHeld},
		{"f does not take the lock: callers must hold the lock.", LockHeld},
		{"The lock is held by the caller.", LockHeld},

		{"f does not need the lock to be held.", None},
		{"The lock must not be held.", None},
		{"f must not be called with the lock held.", None},
		{"f is called without the lock held.", None},
		{"The lock is not held.", None},
		{"f reports whether the lock is held.", None},
		{"If the lock must be held, f takes it.", None},
		{"The read lock must be held.", None},
		{"The caller must hold the RLock.", None},
		{"f calls yield, which is called with the lock held.", None},
		{"f blocks until the lock is acquired by the caller.", None},
		{"f unlocks the door.", None},
		{"step is only guaranteed to be called under lock if f was told so.", None},
		{"They are never called concurrently.", None},
		{"This should not be a problem.", None},

		{"f must not be called concurrently.", OneAtATime},
		{"It must not be called\nconcurrently.", OneAtATime},
		{"f is not safe for concurrent use.", OneAtATime},
		{"f is not goroutine-safe", OneAtATime},
		{"Not thread safe.", OneAtATime},
		{"f should not be called from multiple goroutines.", OneAtATime},
		{"f is not safe to call concurrently.", OneAtATime},
		{"Only one goroutine may call f.", OneAtATime},
		{"f must be called from a single goroutine.", OneAtATime},
		{"Only called from one goroutine.", OneAtATime},
		{"f can't be called in parallel.", OneAtATime},
		{"This should not be called in parallel to other data writes.", Alone},

		{"f is safe for concurrent use.", Concurrent},
		{"f is safe to call concurrently with other methods.", Concurrent},
		{"f may be called from multiple goroutines.", Concurrent},
		{"f need not be called from a single goroutine.", None},
		{"The result is not safe for concurrent use.", None},
		{"f returns a reader that must not be used concurrently.", None},
		{"f makes sure that no two calls run at the same time.", None},
	}
	for _, tt := range tests {
		got, sentence := Read(tt.doc, "f")
		assert.Equal(t, tt.want, got, "%s: %q", tt.doc, sentence)
	}
}

func TestByName(t *testing.T) {
	for name, want := range map[string]bool{
		"removeLocked": true, "ResetIdleTimerLocked": true,
		"Locked": false, "isLocked": false, "IsLocked": false, "wasLocked": false, "removeIfLocked": false,
		"removeRLocked": false, "unlocked": false, "removeUnlocked": false,
	} {
		assert.Equal(t, want, ByName(name), name)
	}
}
