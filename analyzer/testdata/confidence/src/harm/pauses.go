package harm

import "sync"

// Pauses waits between two tries with what it has made for that.
type Pauses struct {
	mu    sync.Mutex
	on    map[string]bool
	fails func(string) bool
	pause func(int) func()
	wait  func()
}

func (p *Pauses) isOn(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.on[name]
}

// MediumTry makes its pause when it first needs one.
func (p *Pauses) MediumTry(name string) {
	if p.isOn(name) {
		return
	}
	var wait func()
	for i := 0; p.fails(name); i++ {
		if wait == nil {
			wait = p.pause(i)
		} else {
			wait()
		}
	}
	p.mu.Lock()
	p.on[name] = true
	p.mu.Unlock()
}

type GivenPauses struct {
	mu    sync.Mutex
	on    map[string]bool
	fails func(string) bool
	pause func(int) func()
	wait  func()
}

func (p *GivenPauses) isOn(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.on[name]
}

// HighTry may call one that it was given.
func (p *GivenPauses) HighTry(name string) {
	if p.isOn(name) {
		return
	}
	var wait func()
	if p.wait != nil {
		wait = p.wait
	}
	for i := 0; p.fails(name); i++ {
		if wait == nil {
			wait = p.pause(i)
		} else {
			wait()
		}
	}
	p.mu.Lock()
	p.on[name] = true
	p.mu.Unlock()
}
