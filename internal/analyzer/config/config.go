// Package config reads .mapatom.yml: what a project tells mapatom about its own
// code, so that every driver and every person says the same.
//
// The file is looked for in the working directory and upwards from there. A key
// that is not known, a word that is misspelt and an operation that makes no
// sense are errors with their line: a configuration that is silently ignored is
// worse than none. The operations of map types are written as in the tables of
// package catalog, to which they are added.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// FileName is the name of the file.
const FileName = ".mapatom.yml"

// None, in the place of a path, means that no file is read.
const None = "none"

// Config is what one file says, or the settings of a driver. The zero Config says
// nothing.
type Config struct {
	// Path is the file; empty if there is none.
	Path string
	// Environment is auto, open or package; empty if nothing is said.
	Environment string
	// Report is default or all; empty if nothing is said.
	Report string
	// Confidence is high, medium or low; empty if nothing is said.
	Confidence string
	// Budget is that of a package; 0 if nothing is said.
	Budget Budget
	// Rules are the rules that are switched off.
	Rules Rules
	// Table has the map types, and the rules for quiet and pure functions.
	// It is nil if there are none.
	Table *catalog.Catalog
	// Exclude are the findings that are not wanted.
	Exclude []Exclusion
}

// Load reads the file at the path.
func Load(path string) (*Config, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// Find reads the nearest file in dir or above it. Where there is none, it returns
// the zero Config.
func Find(dir string) (*Config, error) {
	path, err := Locate(dir)
	if err != nil || path == "" {
		return &Config{}, err
	}
	return Load(path)
}

// Locate is the path of the nearest file in dir or above it; empty if there is
// none. A file of nearly the right name is an error, since nobody would notice
// that it is not read.
func Locate(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, FileName)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return "", err
		}
		if wrong := filepath.Join(dir, ".mapatom.yaml"); exists(wrong) {
			return "", fmt.Errorf("%s: the name of the configuration is %s", wrong, FileName)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", nil
		}
		dir = up
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Over is c where it says something, and base where it does not. Lists are those
// of both.
func (c *Config) Over(base *Config) *Config {
	out := *c
	if out.Path == "" {
		out.Path = base.Path
	}
	if out.Environment == "" {
		out.Environment = base.Environment
	}
	if out.Report == "" {
		out.Report = base.Report
	}
	if out.Confidence == "" {
		out.Confidence = base.Confidence
	}
	out.Rules = base.Rules.And(c.Rules)
	switch {
	case out.Table == nil:
		out.Table = base.Table
	case base.Table != nil:
		out.Table = base.Table.Merge(out.Table)
	}
	out.Exclude = slices.Concat(base.Exclude, c.Exclude)
	return &out
}

// Name is what the configuration is called in a sentence.
func (c *Config) Name() string {
	if c.Path == "" {
		return "the settings"
	}
	return filepath.Base(c.Path)
}

// Excluded reports whether a finding is not wanted: one of the category, in the
// function with that name, "Get" or "(*Store).Get", of the file at that path.
func (c *Config) Excluded(path, function, category string) bool {
	return slices.ContainsFunc(c.Exclude, func(e Exclusion) bool { return e.covers(path, function, category) })
}
