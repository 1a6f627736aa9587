// Package codes keeps login codes for a minute.
package codes

import (
	"sync"
	"time"
)

type code struct{ digits string }

// Codes are by user.
type Codes struct{ codes sync.Map }

// Send makes a new code for a user; the old one is no longer good.
func (c *Codes) Send(user, digits string) {
	sent := &code{digits}
	c.codes.Store(user, sent)
	time.AfterFunc(time.Minute, func() {
		c.codes.CompareAndDelete(user, sent)
	})
}

// Check reports whether the digits are the user's.
func (c *Codes) Check(user, digits string) bool {
	v, ok := c.codes.Load(user)
	return ok && v.(*code).digits == digits
}
