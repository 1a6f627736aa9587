// Package watchers tells subscribers of changes.
package watchers

import "sync"

// Hub has the subscribers by topic.
type Hub struct {
	subs sync.Map
}

// Subscribe adds a channel to a topic.
func (h *Hub) Subscribe(topic string, c chan string) {
	var list []chan string
	if v, ok := h.subs.Load(topic); ok {
		list = v.([]chan string)
	}
	h.subs.Store(topic, append(list[:len(list):len(list)], c))
}

// Send tells the subscribers of a topic.
func (h *Hub) Send(topic, message string) {
	v, ok := h.subs.Load(topic)
	if !ok {
		return
	}
	for _, c := range v.([]chan string) {
		c <- message
	}
}
