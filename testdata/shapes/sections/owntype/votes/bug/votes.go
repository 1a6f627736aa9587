// Package votes votes in polls, through a store of another package.
package votes

import (
	"errors"

	"github.com/mapatom/mapatom/testdata/shapes/sections/owntype/votes/kv"
)

// ErrVoted is returned to who votes again.
var ErrVoted = errors.New("already voted")

// Poll counts votes.
type Poll struct {
	votes kv.Store
}

// NewPoll returns a poll in memory.
func NewPoll() *Poll { return &Poll{votes: kv.NewMemory()} }

// Vote casts the vote of somebody.
func (p *Poll) Vote(who, what string) error {
	if p.votes.Has(who) {
		return ErrVoted
	}
	p.votes.Set(who, what)
	return nil
}

// Of returns the vote of somebody.
func (p *Poll) Of(who string) string { return p.votes.Get(who) }
