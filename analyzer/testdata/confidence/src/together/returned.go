package together

import "sync"

// Desk has a channel for each name, which who takes a place is given the function to leave by.
type Desk struct {
	mu     sync.Mutex
	places map[string]chan int
}

func NewDesk() *Desk { return &Desk{places: map[string]chan int{}} }

// HighTake: another one can take the place of that name before it is left.
func (d *Desk) HighTake(name string) (leave func()) {
	d.mu.Lock()
	d.places[name] = make(chan int)
	d.mu.Unlock()
	return func() {
		d.mu.Lock()
		place, ok := d.places[name]
		d.mu.Unlock()
		if ok {
			close(place)
			d.mu.Lock()
			delete(d.places, name)
			d.mu.Unlock()
		}
	}
}

// Channels has a channel for each number, which is counted up.
type Channels struct {
	mu   sync.Mutex
	last int
	subs map[int]chan int
}

func NewChannels() *Channels { return &Channels{subs: map[int]chan int{}} }

// MediumSubscribe: only who has the function has the number.
func (h *Channels) MediumSubscribe() (cancel func()) {
	h.mu.Lock()
	h.last++
	id := h.last
	h.subs[id] = make(chan int)
	h.mu.Unlock()
	return func() {
		h.mu.Lock()
		events, ok := h.subs[id]
		h.mu.Unlock()
		if ok {
			close(events)
			h.mu.Lock()
			delete(h.subs, id)
			h.mu.Unlock()
		}
	}
}

type keeper struct{ gone func() }

// Watches has what was made for each of them.
type Watches struct {
	mu  sync.Mutex
	all map[*keeper]bool
}

func NewWatches() *Watches { return &Watches{all: map[*keeper]bool{}} }

// MediumAdd: only who has the function has the object.
func (w *Watches) MediumAdd(gone func()) (remove func()) {
	own := &keeper{gone}
	w.mu.Lock()
	w.all[own] = true
	w.mu.Unlock()
	return func() {
		w.mu.Lock()
		there := w.all[own]
		w.mu.Unlock()
		if there {
			own.gone()
			w.mu.Lock()
			delete(w.all, own)
			w.mu.Unlock()
		}
	}
}

type seat struct {
	mu    sync.Mutex
	users int
}

// Room has a lock for each name that is there as long as somebody uses it.
type Room struct {
	mu    sync.Mutex
	seats map[string]*seat
}

func NewRoom() *Room { return &Room{seats: map[string]*seat{}} }

// HighLock: another one can get the lock before it is taken away.
func (r *Room) HighLock(name string) (unlock func()) {
	r.mu.Lock()
	s, ok := r.seats[name]
	if !ok {
		s = &seat{}
		r.seats[name] = s
	}
	s.users++
	r.mu.Unlock()
	s.mu.Lock()
	return func() {
		s.mu.Unlock()
		r.mu.Lock()
		s.users--
		unused := s.users == 0
		r.mu.Unlock()
		if unused {
			r.mu.Lock()
			delete(r.seats, name)
			r.mu.Unlock()
		}
	}
}
