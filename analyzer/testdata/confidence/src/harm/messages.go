package harm

import (
	"sync"

	"answerpb"
)

// Answers are made once for each name.
type Answers struct {
	known sync.Map
	notes sync.Map
	lines func(string) []string
}

// MediumAnswer makes a message that nobody changes: another one with the same in it is as good.
func (a *Answers) MediumAnswer(name string) *answerpb.Answer {
	if v, ok := a.known.Load(name); ok {
		return v.(*answerpb.Answer)
	}
	made := &answerpb.Answer{Name: name, Lines: a.lines(name)}
	a.known.Store(name, made)
	return made
}

// HighNote makes one in which it is counted how often it was asked for.
func (a *Answers) HighNote(name string) *answerpb.Note {
	if v, ok := a.notes.Load(name); ok {
		return v.(*answerpb.Note)
	}
	made := &answerpb.Note{Name: name}
	a.notes.Store(name, made)
	return made
}

func (a *Answers) Asked(name string) { count(a.HighNote(name)) }

var mu sync.Mutex

func count(n *answerpb.Note) {
	mu.Lock()
	defer mu.Unlock()
	n.Asked++
}
