// Package tokens checks who may do what.
package tokens

import "sync"

// Grant is what a token allows.
type Grant struct{ Scopes map[string]bool }

// Tokens are the tokens that have not been revoked.
type Tokens struct{ grants sync.Map }

// Issue adds a token.
func (t *Tokens) Issue(token string, g *Grant) { t.grants.Store(token, g) }

// Revoke removes it.
func (t *Tokens) Revoke(token string) { t.grants.Delete(token) }

func (t *Tokens) has(token string) bool {
	_, ok := t.grants.Load(token)
	return ok
}

func (t *Tokens) grant(token string) *Grant {
	g, _ := t.grants.Load(token)
	return g.(*Grant)
}

// Allows reports whether a token has a scope.
func (t *Tokens) Allows(token, scope string) bool {
	g, ok := t.grants.Load(token)
	if !ok {
		return false
	}
	return g.(*Grant).Scopes[scope]
}
