package harm

import (
	"math/big"
	"net/http"
	"sync"
)

// numbers keeps one for each key: of two that are equal nobody can tell which one he has.
type numbers[K comparable, V any] struct{ made sync.Map }

func (n *numbers[K, V]) MediumMade(k K) *V {
	if v, ok := n.made.Load(k); ok {
		return v.(*V)
	}
	v := new(V)
	n.made.Store(k, v)
	return v
}

// tables keeps one for each key, and somebody comes there.
type tables[K comparable, V any] struct{ made sync.Map }

func (t *tables[K, V]) HighMade(k K) *V {
	if v, ok := t.made.Load(k); ok {
		return v.(*V)
	}
	v := new(V)
	t.made.Store(k, v)
	return v
}

// House has rooms with numbers.
type House struct {
	rooms tables[string, room]
	at    numbers[string, big.Int]
}

func (h *House) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.rooms.HighMade(r.Host).Come(h.at.MediumMade(r.Host).String())
}
