// Package rooms keeps the rooms of a chat server.
package rooms

import "sync"

// Room is where people talk.
type Room struct {
	Name string

	mu      sync.Mutex
	members []string
}

// Join adds somebody.
func (r *Room) Join(who string) {
	r.mu.Lock()
	r.members = append(r.members, who)
	r.mu.Unlock()
}

type state struct {
	mu    sync.RWMutex
	rooms map[string]*Room
}

// Server is the chat server.
type Server struct {
	motd  string
	state *state
}

// NewServer returns a server without rooms.
func NewServer(motd string) *Server {
	return &Server{motd: motd, state: &state{rooms: make(map[string]*Room)}}
}

// Enter puts who into the room, which is opened on first use.
func (s *Server) Enter(room, who string) string {
	s.state.mu.RLock()
	r := s.state.rooms[room]
	s.state.mu.RUnlock()
	if r == nil {
		r = &Room{Name: room}
		s.state.mu.Lock()
		s.state.rooms[room] = r
		s.state.mu.Unlock()
	}
	r.Join(who)
	return s.motd
}

// Rooms returns how many there are.
func (s *Server) Rooms() int {
	s.state.mu.RLock()
	defer s.state.mu.RUnlock()
	return len(s.state.rooms)
}
