// Package sessions is a cache of sessions in shards.
package sessions

import (
	"hash/fnv"
	"sync"
)

const shardCount = 32

// Session is somebody who is logged in.
type Session struct {
	User string

	mu   sync.Mutex
	cart []string
}

// AddToCart puts an item into the cart.
func (s *Session) AddToCart(item string) {
	s.mu.Lock()
	s.cart = append(s.cart, item)
	s.mu.Unlock()
}

type shard struct {
	mu sync.RWMutex
	m  map[string]*Session
}

// Sessions are the sessions by their token.
type Sessions struct {
	shards [shardCount]*shard
}

// New returns no sessions.
func New() *Sessions {
	s := &Sessions{}
	for i := range s.shards {
		s.shards[i] = &shard{m: make(map[string]*Session)}
	}
	return s
}

func (s *Sessions) shard(token string) *shard {
	h := fnv.New32a()
	h.Write([]byte(token))
	return s.shards[h.Sum32()%shardCount]
}

// Open returns the session of a token.
func (s *Sessions) Open(token, user string) *Session {
	sh := s.shard(token)
	sh.mu.RLock()
	sess, ok := sh.m[token]
	sh.mu.RUnlock()
	if !ok {
		sess = &Session{User: user}
		sh.mu.Lock()
		sh.m[token] = sess
		sh.mu.Unlock()
	}
	return sess
}

// Close removes the session of a token.
func (s *Sessions) Close(token string) {
	sh := s.shard(token)
	sh.mu.Lock()
	delete(sh.m, token)
	sh.mu.Unlock()
}
