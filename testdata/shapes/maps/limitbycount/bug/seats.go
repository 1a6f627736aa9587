// Package seats lets so many players into a game.
package seats

import "sync"

// Game has its players.
type Game struct {
	players sync.Map
	seats   int
}

// Sit adds a player if there is a seat.
func (g *Game) Sit(name string, hand chan int) bool {
	taken := 0
	g.players.Range(func(any, any) bool {
		taken++
		return true
	})
	if taken >= g.seats {
		return false
	}
	g.players.Store(name, hand)
	return true
}
