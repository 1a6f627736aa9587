// Package e43: the entry is an answer that is waited for.
package e43

import (
	"crypto/rand"
	"sync"
)

type waiter struct {
	peer string
	done func(string)
}

type Client struct {
	waiting, named sync.Map
	send           func(id, question string)
}

// Ask asks under a key of random bytes.
func (c *Client) Ask(question string, done func(string)) {
	id := make([]byte, 16)
	rand.Read(id)
	c.waiting.Store(string(id), waiter{peer: question, done: done})
	c.send(string(id), question)
}

// Hidden is told an answer.
func (c *Client) Hidden(id, answer string) {
	if v, ok := c.waiting.Load(id); ok {
		v.(waiter).done(answer)
		c.waiting.Delete(id)
	}
}

// On has a function called once, under a name that others use as well.
func (c *Client) On(name string, done func(string)) {
	c.named.Store(name, waiter{peer: name, done: done})
}

// Shown is told that something has happened.
func (c *Client) Shown(name, what string) {
	if v, ok := c.named.Load(name); ok {
		v.(waiter).done(what)
		c.named.Delete(name)
	}
}
