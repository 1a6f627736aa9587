// Package mailbox hands each message to one reader.
package mailbox

import "sync"

// Message is for one reader.
type Message struct{ Body []byte }

// Box has the messages that wait.
type Box struct{ waiting sync.Map }

// Put leaves a message.
func (b *Box) Put(id string, m *Message) { b.waiting.Store(id, m) }

// Take is the message, once.
func (b *Box) Take(id string) (*Message, bool) {
	v, ok := b.waiting.LoadAndDelete(id)
	if !ok {
		return nil, false
	}
	return v.(*Message), true
}
