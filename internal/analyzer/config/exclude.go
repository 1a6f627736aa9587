package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Exclusion is a set of findings: those to which all of its lists apply. A list
// that is empty applies to all.
type Exclusion struct {
	// Dir is what Files are relative to.
	Dir string
	// Line is where it begins in the file; 0 if it is not known.
	Line int
	// Files are patterns of path.Match, in which ** stands for any number of
	// directories. One that matches a directory covers everything in it.
	Files []string
	// Functions are names with * for any part: "Get", "(*Store).*".
	Functions []string
	// Categories are those of findings.
	Categories []string
}

func (e *Exclusion) covers(file, function, category string) bool {
	return e.hasFile(file) &&
		(len(e.Functions) == 0 || slices.ContainsFunc(e.Functions, func(p string) bool { return matchFunction(p, function) })) &&
		(len(e.Categories) == 0 || slices.Contains(e.Categories, category))
}

func (e *Exclusion) hasFile(file string) bool {
	if len(e.Files) == 0 {
		return true
	}
	rel, err := filepath.Rel(e.Dir, file)
	if err != nil {
		return false
	}
	segments := strings.Split(filepath.ToSlash(rel), "/")
	return slices.ContainsFunc(e.Files, func(pattern string) bool {
		return matchPath(strings.Split(strings.Trim(pattern, "/"), "/"), segments)
	})
}

// matchPath reports whether the pattern matches the path, or a directory that it
// is in.
func matchPath(pattern, segments []string) bool {
	switch {
	case len(pattern) == 0:
		return true
	case pattern[0] == "**":
		return matchPath(pattern[1:], segments) || len(segments) > 0 && matchPath(pattern, segments[1:])
	case len(segments) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], segments[0])
	return err == nil && ok && matchPath(pattern[1:], segments[1:])
}

// matchFunction matches a name in which only * is special, since names have
// brackets of their own: "(*Store).Get" names a method as well as any that ends
// alike, which is what its author means.
func matchFunction(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	rest := name[len(parts[0]):]
	for i, part := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(rest, part)
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return rest == ""
}

// Stale are the patterns of files in exclusions that match no file or folder: whoever
// moved what they were for has findings that nobody expects, or one that nobody sees. Each
// is a text of the form "path:line: what is wrong". Folders are read only for patterns
// that are not plain paths.
func (c *Config) Stale() []string {
	var out []string
	for i := range c.Exclude {
		e := &c.Exclude[i]
		for _, pattern := range e.Files {
			if !e.exists(pattern) {
				out = append(out, fmt.Sprintf("%s:%d: exclude: no file matches %q", c.Path, e.Line, pattern))
			}
		}
	}
	return out
}

var errFound = errors.New("found")

// exists reports whether there is a file or folder that the pattern matches.
func (e *Exclusion) exists(pattern string) bool {
	if !strings.ContainsAny(pattern, `*?[\`) {
		_, err := os.Stat(filepath.Join(e.Dir, filepath.FromSlash(pattern)))
		return err == nil
	}
	segments := strings.Split(strings.Trim(pattern, "/"), "/")
	return errors.Is(filepath.WalkDir(e.Dir, func(path string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(e.Dir, path)
		switch {
		case err != nil || relErr != nil:
			return nil // what cannot be read matches nothing
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case rel != "." && matchPath(segments, strings.Split(filepath.ToSlash(rel), "/")):
			return errFound
		}
		return nil
	}), errFound)
}
