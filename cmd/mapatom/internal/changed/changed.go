// Package changed asks git which lines are not as they were at a revision.
package changed

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Lines are the lines that have changed, by the path of their file.
type Lines struct {
	files map[string][]span
}

// span is lines from first to last, counted from 1.
type span struct{ first, last int }

// Since are the lines of the working tree of the repository that dir is in that the
// revision did not have: those of files that git does not know of are among them, and
// those of files that it is to ignore are not. A revision that ends in "..." stands for
// the commit at which it and HEAD parted, as for git diff.
func Since(ctx context.Context, dir, revision string) (*Lines, error) {
	g := git{ctx, dir}
	top, err := g.line("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	base, err := g.base(revision)
	if err != nil {
		return nil, err
	}
	// Prefixes, colours and such are the user's to configure; here they are fixed.
	diff, err := g.run("-c", "core.quotePath=false", "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames",
		"--src-prefix=a/", "--dst-prefix=b/", "--unified=0", "--diff-filter=d", base, "--")
	if err != nil {
		return nil, err
	}
	l, err := parse(top, diff)
	if err != nil {
		return nil, err
	}
	added, err := g.run("ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", top)
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(string(added), "\x00") {
		if name != "" {
			l.add(filepath.Join(top, filepath.FromSlash(name)), span{1, everyLine})
		}
	}
	return l, nil
}

const everyLine = int(^uint(0) >> 1)

// Has reports whether a line of those from first to last of a file has changed.
func (l *Lines) Has(file string, first, last int) bool {
	for _, s := range l.files[canonical(file)] {
		if first <= s.last && s.first <= last {
			return true
		}
	}
	return false
}

func (l *Lines) add(file string, s span) {
	file = canonical(file)
	l.files[file] = append(l.files[file], s)
}

// canonical is a path without links in it, since git says where a repository is, and the
// go command how one got there.
func canonical(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// git runs git in a folder.
type git struct {
	ctx context.Context
	dir string
}

// base is the commit that a revision stands for.
func (g git) base(revision string) (string, error) {
	name, fork := strings.CutSuffix(revision, "...")
	commit, err := g.line("rev-parse", "--verify", "--end-of-options", name+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("there is no revision %q: %w", revision, err)
	}
	if !fork {
		return commit, nil
	}
	return g.line("merge-base", commit, "HEAD")
}

// line is what git prints, if that is a line.
func (g git) line(args ...string) (string, error) {
	out, err := g.run(args...)
	return strings.TrimRight(string(out), "\r\n"), err
}

func (g git) run(args ...string) ([]byte, error) {
	cmd := exec.CommandContext(g.ctx, "git", args...)
	cmd.Dir = g.dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		return nil, fmt.Errorf("git %s: %s", args[0], said)
	}
	return out.Bytes(), err
}

// parse reads a diff without context. Lines that begin like a heading are told from one
// by counting those of each hunk.
func parse(top string, diff []byte) (*Lines, error) {
	l := &Lines{files: map[string][]span{}}
	file, left := "", 0
	in := bufio.NewReader(bytes.NewReader(diff))
	for {
		line, err := in.ReadString('\n')
		if line == "" && err != nil {
			return l, nil
		}
		line = strings.TrimRight(line, "\n")
		switch {
		case left > 0:
			if !strings.HasPrefix(line, `\`) { // "\ No newline at end of file"
				left--
			}
		case strings.HasPrefix(line, "+++ "):
			name, err := unquote(strings.TrimSuffix(line[len("+++ "):], "\t"))
			if err != nil {
				return nil, fmt.Errorf("read the diff: %q: %w", line, err)
			}
			file = filepath.Join(top, filepath.FromSlash(strings.TrimPrefix(name, "b/")))
		case strings.HasPrefix(line, "@@ "):
			removed, added, err := hunk(line)
			if err != nil {
				return nil, fmt.Errorf("read the diff: %q: %w", line, err)
			}
			left = removed.length() + added.length()
			if added.length() > 0 {
				l.add(file, added)
			}
		}
	}
}

func (s span) length() int { return s.last - s.first + 1 }

// unquote is the name of a file, which git puts into quotes if it has special letters.
func unquote(name string) (string, error) {
	if strings.HasPrefix(name, `"`) {
		return strconv.Unquote(name)
	}
	return name, nil
}

// hunk reads "@@ -1,2 +3 @@": what was removed, and what was added.
func hunk(line string) (removed, added span, err error) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[1], "-") || !strings.HasPrefix(fields[2], "+") {
		return span{}, span{}, errors.New("not a hunk")
	}
	if removed, err = parseSpan(fields[1][1:]); err != nil {
		return span{}, span{}, err
	}
	added, err = parseSpan(fields[2][1:])
	return removed, added, err
}

// parseSpan reads "3,2", or "3" for one line.
func parseSpan(text string) (span, error) {
	from, count, counted := strings.Cut(text, ",")
	first, err := strconv.Atoi(from)
	if err != nil {
		return span{}, err
	}
	n := 1
	if counted {
		if n, err = strconv.Atoi(count); err != nil {
			return span{}, err
		}
	}
	return span{first, first + n - 1}, nil
}
