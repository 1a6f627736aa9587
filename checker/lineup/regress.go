package lineup

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatom/mapatom/checker/sched"
)

// A Case is a test with a schedule under which it has failed. It is what
// -mapatom.replay takes, in one line, and what a file in testdata/lineup keeps.
type testCase struct {
	Test     Test
	Schedule string // "" runs all of the test
}

// between stands between a test and its schedule. No schedule has it in it.
const between = " @ "

// String is the case in one line, as parseCase reads it.
func (c testCase) String() string {
	if c.Schedule == "" {
		return c.Test.String()
	}
	return c.Test.String() + between + c.Schedule
}

// parseCase reads a test, and a schedule if there is one:
//
//	Add(200) | TryTake() @ A2 B A
func parseCase(text string) (testCase, error) {
	words, schedule, found := text, "", false
	if at := strings.LastIndex(text, between); at >= 0 {
		words, schedule, found = text[:at], strings.TrimSpace(text[at+len(between):]), true
	}
	m, err := ParseTest(words)
	if err != nil && found {
		// The mark may stand in an argument of a case without a schedule.
		if whole, wholeErr := ParseTest(text); wholeErr == nil {
			return testCase{Test: whole}, nil
		}
	}
	if err != nil {
		return testCase{}, err
	}
	if found {
		s, err := sched.Parse(schedule)
		if err != nil {
			return testCase{}, err
		}
		schedule = s.String()
	}
	return testCase{m, schedule}, nil
}

// regressHead is the first line of a file that keeps a failure.
const regressHead = "mapatom lineup 1"

// regressDir is where the failures of a test are kept, in the package's
// directory.
func regressDir(test string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, test)
	return filepath.Join("testdata", "lineup", name)
}

// keep writes a failing case to a file of its own, with the report as a
// comment, and gives the file's name. The same case has the same file.
func keep(test string, c testCase, report string) (string, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\n%s\n\n", regressHead, c)
	for line := range strings.Lines(report) {
		fmt.Fprintf(&out, "%s\n", strings.TrimRight("# "+strings.TrimRight(line, "\n"), " "))
	}
	dir := regressDir(test)
	file := filepath.Join(dir, fmt.Sprintf("%.8x", sha256.Sum256([]byte(c.Test.String()))))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	temp, err := os.CreateTemp(dir, ".*")
	if err != nil {
		return "", err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(out.Bytes())
	if err = errors.Join(err, temp.Chmod(0o666), temp.Close()); err != nil {
		return "", err
	}
	return file, os.Rename(temp.Name(), file)
}

// kept reads the cases that a test has failed with before, in the order of
// their files' names.
func kept(test string) ([]testCase, error) {
	dir := regressDir(test)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []testCase
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		file := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		c, err := parseKept(string(data))
		if err != nil {
			return nil, fmt.Errorf("%s%w", file, err)
		}
		all = append(all, c)
	}
	return all, nil
}

// parseKept reads a file that keep has written. The error begins with the
// line.
func parseKept(text string) (testCase, error) {
	lines := strings.Split(text, "\n")
	if strings.TrimSpace(lines[0]) != regressHead {
		return testCase{}, fmt.Errorf(":1: found %.40q, want %q", lines[0], regressHead)
	}
	at := slices.IndexFunc(lines[1:], func(line string) bool {
		return strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#")
	})
	if at < 0 {
		return testCase{}, fmt.Errorf(":%d: found no test, want one such as Add(200) | TryTake()", len(lines))
	}
	c, err := parseCase(strings.TrimSpace(lines[at+1]))
	if err != nil {
		return testCase{}, fmt.Errorf(":%d: %w", at+2, err)
	}
	return c, nil
}

// rerunFirst gives the cases that are to be run before any others: the one
// that -mapatom.replay names, and then no others, or those that were kept.
func rerunFirst(t *testing.T) (cases []testCase, only bool) {
	t.Helper()
	if *replayFlag != "" {
		c, err := parseCase(*replayFlag)
		if err != nil {
			t.Fatalf("-mapatom.replay: %v", err)
		}
		return []testCase{c}, true
	}
	cases, err := kept(t.Name())
	if err != nil {
		t.Fatal(err)
	}
	return cases, false
}
