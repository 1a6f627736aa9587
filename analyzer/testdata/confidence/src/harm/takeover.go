package harm

import "sync"

// Seat is where a player sits.
type Seat struct {
	Player string

	mu    sync.Mutex
	moves []string
}

func (s *Seat) Move(to string) {
	s.mu.Lock()
	s.moves = append(s.moves, to)
	s.mu.Unlock()
}

// Hall has a seat for each player.
type Hall struct{ seats sync.Map }

// Play has a player at a new seat until it is over; who has another one by then has left this one.
func (h *Hall) Play(player string, play func(*Seat)) {
	s := &Seat{Player: player}
	h.seats.Store(player, s)
	defer h.highLeave(s)
	play(s)
}

func (h *Hall) highLeave(s *Seat) {
	if cur, ok := h.seats.Load(s.Player); ok && cur == s {
		h.seats.Delete(s.Player)
	}
}

func (h *Hall) Seat(player string) *Seat {
	s, _ := h.seats.Load(player)
	return s.(*Seat)
}
