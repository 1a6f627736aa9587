package harm

import (
	"net/http"
	"sync/atomic"
)

// publisher keeps what has been received.
type publisher interface{ Publish(name string) error }

// Assemblies come in parts, of which the last one publishes the whole.
type Assemblies struct {
	missing atomic.Int32
	to      publisher
}

func (u *Assemblies) ServeHTTP(_ http.ResponseWriter, r *http.Request) { _ = u.HighPart(r.Host) }

// HighPart is the last one for all who look after the last.
func (u *Assemblies) HighPart(name string) error {
	u.missing.Add(-1)
	if u.missing.Load() > 0 {
		return nil
	}
	return u.to.Publish(name)
}

// Limits let in as many as there are at most, or one more.
type Limits struct {
	running atomic.Int32
	most    int32
	to      publisher
}

func (l *Limits) ServeHTTP(_ http.ResponseWriter, r *http.Request) { _ = l.MediumRun(r.Host) }

// MediumRun asks whether there are too many, not whether it is the last.
func (l *Limits) MediumRun(name string) error {
	l.running.Add(1)
	if l.running.Load() > 100 {
		return nil
	}
	return l.to.Publish(name)
}
