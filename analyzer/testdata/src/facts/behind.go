package facts

import "helperlib"

// Through an interface of another package, which has one implementation there.

type Poll struct{ votes helperlib.Votes }

func NewPoll() *Poll { return &Poll{helperlib.NewBallots()} }

func (p *Poll) Vote(who, what string) bool {
	if p.votes.Has(who) {
		return false
	}
	p.votes.Cast(who, what) // want "lost-update"
	return true
}

func (p *Poll) VoteOnce(who, what string) bool { return p.votes.CastOnce(who, what) }

// Nobody knows which of two it is.
type Sheet struct{ marks helperlib.Marks }

func NewSheet(m helperlib.Marks) *Sheet { return &Sheet{m} }

func (s *Sheet) Tick(name string) bool {
	if s.marks.Marked(name) {
		return false
	}
	s.marks.Mark(name)
	return true
}
