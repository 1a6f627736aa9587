// Package e28: a work queue has it run once at a time for each object.
package e28

import (
	"context"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type Claim struct{ UID string }

type instance struct {
	mu    sync.Mutex
	state int
}

func (i *instance) update(*Claim) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.state++
}

type Launcher struct{ made, seen sync.Map }

// Reconcile is given a claim by one worker at a time.
func (l *Launcher) Reconcile(_ context.Context, c *Claim) (reconcile.Result, error) {
	l.hidden(c)
	l.shown(c)
	return reconcile.Result{}, nil
}

func (l *Launcher) hidden(c *Claim) *instance {
	if v, ok := l.made.Load(c.UID); ok {
		return v.(*instance)
	}
	i := &instance{}
	l.made.Store(c.UID, i)
	i.update(c)
	return i
}

// shown is called for each event as well, which are not queued.
func (l *Launcher) shown(c *Claim) *instance {
	if v, ok := l.seen.Load(c.UID); ok {
		return v.(*instance)
	}
	i := &instance{}
	l.seen.Store(c.UID, i) // want "duplicate-instance|lost-update"
	i.update(c)
	return i
}

// OnEvent is called when a claim has changed.
func (l *Launcher) OnEvent(c *Claim) { l.shown(c) }
