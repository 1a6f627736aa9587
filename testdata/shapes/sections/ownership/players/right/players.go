// Package players has the players that are connected.
package players

import (
	"bufio"
	"io"
	"sync"
)

type player struct{ conn io.ReadWriteCloser }

// Lobby has a player for each name.
type Lobby struct {
	mu      sync.RWMutex
	players map[string]*player
}

// Connect serves a player; one who connects again takes the old one's place.
func (l *Lobby) Connect(name string, conn io.ReadWriteCloser, handle func(line string)) {
	p := &player{conn}
	l.mu.Lock()
	l.players[name] = p
	l.mu.Unlock()
	go func() {
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			handle(lines.Text())
		}
		l.leave(name, p)
	}()
}

func (l *Lobby) leave(name string, p *player) {
	p.conn.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.players[name] == p {
		delete(l.players, name)
	}
}

// Tell writes to a player.
func (l *Lobby) Tell(name, text string) {
	l.mu.RLock()
	p := l.players[name]
	l.mu.RUnlock()
	if p != nil {
		io.WriteString(p.conn, text)
	}
}
