package harm

import (
	"net/http"
	"sync"
)

type receipt struct {
	id     string
	amount int64
}

// Payments remembers what was paid, by value.
type Payments struct {
	mu     sync.Mutex
	paid   map[string]receipt
	charge func(amount int64) string
}

func NewPayments(charge func(int64) string) *Payments {
	return &Payments{paid: map[string]receipt{}, charge: charge}
}

func (p *Payments) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	p.HighPay(r.Host, r.ContentLength)
}

func (p *Payments) lookup(key string) (receipt, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, ok := p.paid[key]
	return r, ok
}

// HighPay replaces what another caller has paid with the same key.
func (p *Payments) HighPay(key string, amount int64) receipt {
	if r, ok := p.lookup(key); ok {
		return r
	}
	r := receipt{p.charge(amount), amount}
	p.mu.Lock()
	p.paid[key] = r
	p.mu.Unlock()
	return r
}

type order struct {
	pending bool
	receipt receipt
}

// Orders are claimed before they are paid. What is put there without a claim is somebody else's mistake.
type Orders struct {
	mu     sync.Mutex
	of     map[string]order
	charge func(amount int64) string
}

func NewOrders(charge func(int64) string) *Orders {
	return &Orders{of: map[string]order{}, charge: charge}
}

func (o *Orders) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	o.MediumPay(r.Host, r.ContentLength)
	o.Put(r.URL.Path, receipt{"", r.ContentLength})
}

func (o *Orders) claim(key string) (receipt, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	of, ok := o.of[key]
	if !ok {
		o.of[key] = order{pending: true}
	}
	return of.receipt, !ok
}

// Put replaces whatever there is.
func (o *Orders) Put(key string, r receipt) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.of[key] = order{receipt: r}
}

func (o *Orders) MediumPay(key string, amount int64) receipt {
	if r, claimed := o.claim(key); !claimed {
		return r
	}
	r := receipt{o.charge(amount), amount}
	o.Put(key, r)
	return r
}
