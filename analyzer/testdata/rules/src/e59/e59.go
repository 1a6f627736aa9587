// Package e59: the interface that it implements is called by one goroutine at a time.
package e59

import (
	"database/sql/driver"
	"errors"
	"sync"
)

// HiddenConn is a connection: database/sql gives it to one goroutine at a time.
type HiddenConn struct {
	mu    sync.Mutex
	stmts map[string]*statement
}

type statement struct {
	query string
	runs  int
}

func (s *statement) Close() error  { return nil }
func (s *statement) NumInput() int { return 0 }

func (s *statement) Exec([]driver.Value) (driver.Result, error) {
	s.runs++
	return nil, nil
}

func (s *statement) Query([]driver.Value) (driver.Rows, error) { return nil, errors.ErrUnsupported }

// Prepare remembers statements.
func (c *HiddenConn) Prepare(query string) (driver.Stmt, error) {
	c.mu.Lock()
	s := c.stmts[query]
	c.mu.Unlock()
	if s == nil {
		s = &statement{query: query}
		c.mu.Lock()
		c.stmts[query] = s
		c.mu.Unlock()
	}
	s.runs++
	return s, nil
}

func (c *HiddenConn) Begin() (driver.Tx, error) { return nil, errors.ErrUnsupported }

func (c *HiddenConn) Close() error { return nil }

// Pool is used by all.
type Pool struct {
	mu    sync.Mutex
	stmts map[string]*statement
}

// ShownPrepare is no method of the interface.
func (c *Pool) ShownPrepare(query string) *statement {
	c.mu.Lock()
	s := c.stmts[query]
	c.mu.Unlock()
	if s == nil {
		s = &statement{query: query}
		c.mu.Lock()
		c.stmts[query] = s // want "duplicate-instance"
		c.mu.Unlock()
	}
	s.runs++
	return s
}
