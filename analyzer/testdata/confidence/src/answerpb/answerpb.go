// Package answerpb has messages as protocol buffers are generated: data, and beside it what
// those need who write and read it.
package answerpb

import "sync"

type Answer struct {
	state messageState
	Name  string
	Lines []string
	Asked int
}

type Note struct {
	state messageState
	Name  string
	Asked int
}

type messageState struct {
	mu   sync.Mutex
	size *int
}

func (a *Answer) Reset()        { *a = Answer{} }
func (a *Answer) ProtoMessage() {}

func (n *Note) Reset()        { *n = Note{} }
func (n *Note) ProtoMessage() {}
