package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/internal/checker/instrument"
	"github.com/mapatom/mapatom/internal/checker/subject"
	"github.com/mapatom/mapatom/internal/load"
)

// corpus is testdata/lineup, instrumented and built with a test for each
// class: what mapatom lineup does, for all of them in one go.
type corpus struct {
	session *instrument.Session
	binary  *instrument.Binary
}

const pattern = "./testdata/lineup"

// build builds the corpus, found from a directory of this module.
func build(ctx context.Context, dir string, memory bool, names ...string) (*corpus, error) {
	pkgs, err := load.Packages(ctx, load.Types, load.Where{Dir: dir}, pattern)
	if err != nil {
		return nil, err
	}
	s, err := instrument.Start(ctx, instrument.Config{Dir: dir, Patterns: []string{pattern}, Memory: memory})
	if err != nil {
		return nil, err
	}
	c := &corpus{session: s}
	for _, name := range names {
		if err := c.add(pkgs[0], name); err != nil {
			s.Close()
			return nil, err
		}
	}
	if c.binary, err = s.Build(ctx, pkgs[0].PkgPath); err != nil {
		s.Close()
		return nil, err
	}
	return c, nil
}

// models are the explicit specifications, by the class that they are of.
var models = map[string]string{"Counter2": "Counter"}

// add adds the test of a class.
func (c *corpus) add(p *packages.Package, name string) error {
	h, err := subject.New(p.Types, name, subject.Place{Path: p.PkgPath, Name: p.Name, Scope: p.Types.Scope()}, subject.Options{}, nil)
	if err != nil {
		return err
	}
	if model := models[name]; model != "" {
		if err := h.Against(p.Types, model); err != nil {
			return err
		}
	}
	source, err := h.Source("Test"+name, true)
	if err != nil {
		return err
	}
	return c.session.Add(p.PkgPath, "mapatom_"+name+"_test.go", source)
}

// ask has the process of a class do what is asked.
func (c *corpus) ask(ctx context.Context, name string, q lineup.Request) ([]lineup.Reply, error) {
	request, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := c.binary.Run(ctx, instrument.Limits{}, &out, io.Discard, "-test.run=^Test"+name+"$", "--", string(request)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var replies []lineup.Reply
	err = lineup.Replies(&out, io.Discard, func(r lineup.Reply) error {
		if r.Error != "" {
			return fmt.Errorf("%s: %s", name, r.Error)
		}
		replies = append(replies, r)
		return nil
	})
	return replies, err
}

// check checks tests of a class.
func (c *corpus) check(ctx context.Context, name string, q lineup.Request) ([]*lineup.Result, error) {
	replies, err := c.ask(ctx, name, q)
	var all []*lineup.Result
	for _, r := range replies {
		if r.Result != nil {
			all = append(all, r.Result)
		}
	}
	return all, err
}

// finding is what came of the test for a root cause.
type finding struct {
	failed, minimal *lineup.Result
	corrected       *lineup.Result // nil if there is no such class
}

// find checks the test of a cause in its class, and in the corrected one.
func (c *corpus) find(ctx context.Context, name string, ca cause) (*finding, error) {
	m, err := lineup.ParseTest(ca.test)
	if err != nil {
		return nil, err
	}
	q := lineup.Request{Tests: []lineup.Test{m}, TestTimeout: time.Minute}
	replies, err := c.ask(ctx, name, q)
	if err != nil {
		return nil, err
	}
	f := &finding{}
	for _, r := range replies {
		switch {
		case r.Result != nil:
			f.failed = r.Result
		case r.Minimal != nil:
			f.minimal = r.Minimal
		}
	}
	if ca.corrected == "" {
		return f, nil
	}
	all, err := c.check(ctx, ca.corrected, q)
	if err == nil {
		f.corrected = all[0]
	}
	return f, err
}
