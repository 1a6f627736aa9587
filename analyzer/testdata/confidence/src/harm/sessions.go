package harm

import (
	"net/http"
	"sync"
	"time"
)

// Logins has the sessions of devices, of which requests say which they are. Nobody changes a login.
type Logins struct {
	byDevice sync.Map
	active   sync.Map
}

type login struct {
	user string
	ends time.Time
}

// Login has a new login for the device.
func (l *Logins) Login(device, user string) *login {
	s := &login{user, time.Now().Add(time.Hour)}
	l.byDevice.Store(device, s)
	return s
}

// Touch notes when the device was used.
func (l *Logins) Touch(device string, at time.Time) { l.active.Store(device, at) }

func (l *Logins) Ends(device string) time.Time {
	if v, ok := l.byDevice.Load(device); ok {
		return v.(*login).ends
	}
	return time.Time{}
}

func (l *Logins) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	device := r.FormValue("device")
	l.Touch(device, time.Now())
	if l.Ends(device).IsZero() {
		l.Login(device, r.FormValue("user"))
	}
}

func (l *Logins) Run(every time.Duration) {
	for now := range time.Tick(every) {
		l.HighSweep(now)
		l.MediumForget(now)
	}
}

// HighSweep may take away the login that somebody has just been given.
func (l *Logins) HighSweep(now time.Time) {
	l.byDevice.Range(func(k, v any) bool {
		if v.(*login).ends.Before(now) {
			l.byDevice.Delete(k)
		}
		return true
	})
}

// MediumForget may forget when a device was used.
func (l *Logins) MediumForget(now time.Time) {
	l.active.Range(func(k, v any) bool {
		if now.Sub(v.(time.Time)) > time.Hour {
			l.active.Delete(k)
		}
		return true
	})
}

// Parlours have members, who are told when a room goes. What is gone does not come back.
type Parlours struct {
	mu    sync.Mutex
	gone  map[string]bool
	rooms map[string]chan string
}

func NewParlours() *Parlours {
	return &Parlours{gone: map[string]bool{}, rooms: map[string]chan string{}}
}

func (r *Parlours) Remove(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.rooms[name]; ok {
		close(c)
	}
	delete(r.rooms, name)
	r.gone[name] = true
}

// HighRoom makes one that is gone.
func (r *Parlours) HighRoom(name string) chan string {
	r.mu.Lock()
	gone, c := r.gone[name], r.rooms[name]
	r.mu.Unlock()
	if gone || c != nil {
		return c
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.rooms[name]; c != nil {
		return c
	}
	c = make(chan string)
	r.rooms[name] = c
	return c
}

// MediumSize only looks again.
func (r *Parlours) MediumSize(name string) int {
	r.mu.Lock()
	gone := r.gone[name]
	r.mu.Unlock()
	if gone {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.rooms[name])
}
