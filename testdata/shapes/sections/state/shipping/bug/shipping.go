// Package parcels ships what is paid for.
package parcels

import (
	"fmt"
	"sync"
)

// Parcel is shipped once, if nobody takes it back.
type Parcel struct {
	mu    sync.Mutex
	state string
	carry func() error
}

func (p *Parcel) is() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

func (p *Parcel) becomes(state string) {
	p.mu.Lock()
	p.state = state
	p.mu.Unlock()
}

// Ship sends it away.
func (p *Parcel) Ship() error {
	if s := p.is(); s != "paid" {
		return fmt.Errorf("it is %s", s)
	}
	if err := p.carry(); err != nil {
		return err
	}
	p.becomes("shipped")
	return nil
}

// Return takes it back, and reports whether it was still here.
func (p *Parcel) Return() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == "shipped" {
		return false
	}
	p.state = "returned"
	return true
}

// Pay is called when the money is there.
func (p *Parcel) Pay() { p.becomes("paid") }
