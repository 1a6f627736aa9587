// Package client has things that ask others: its types and signatures, no bodies.
package client

import (
	"sync"
	"time"
)

type Client struct {
	mu    sync.Mutex
	limit time.Duration
}

func New() *Client

func (c *Client) SetLimit(limit time.Duration)
func (c *Client) Ask(question string) string

type Conn struct{ mu sync.Mutex }

func Dial(addr string) *Conn

func (c *Conn) Ask(question string) string
func (c *Conn) Close() error

type Book struct{ mu sync.Mutex }

func NewBook() *Book

func (b *Book) Add(line string)
func (b *Book) Lines() []string
