package instrument

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// keptBinaries bounds how many test binaries are kept for later runs.
const keptBinaries = 16

// TestBinary gives the instrumented test binary of the one package that the
// configuration is about, and notes on what could not be instrumented. It is
// built once for each key, which stands for everything that goes into it, and
// kept in the user's cache directory.
func TestBinary(ctx context.Context, c Config, key string) (file string, notes []string, err error) {
	cache, err := cacheDir()
	if err != nil {
		return "", nil, err
	}
	dir := filepath.Join(cache, "tests")
	file = filepath.Join(dir, key+".test")
	beside := strings.TrimSuffix(file, ".test") + ".txt"
	if text, err := os.ReadFile(beside); err == nil {
		now := time.Now()
		if os.Chtimes(file, now, now) == nil {
			return file, strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' }), nil
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", nil, err
	}
	if notes, err = buildInto(ctx, c, dir, file); err != nil {
		return "", nil, err
	}
	if err := os.WriteFile(beside, []byte(strings.Join(notes, "\n")), 0o666); err != nil {
		return "", nil, err
	}
	return file, notes, prune(dir)
}

// buildInto builds the binary and puts it in its place at once, so that
// another process never sees a part of it.
func buildInto(ctx context.Context, c Config, dir, file string) (notes []string, err error) {
	c.Tests = true
	s, err := Start(ctx, c)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if len(s.loaded.targets) != 1 {
		return nil, fmt.Errorf("%s: found %d packages, want one", strings.Join(c.Patterns, " "), len(s.loaded.targets))
	}
	b, err := s.Build(ctx, s.loaded.targets[0])
	if err != nil {
		return nil, err
	}
	for _, p := range s.Packages {
		if !p.Instrumented {
			notes = append(notes, fmt.Sprintf("%s runs as it is: %s", p.Path, p.Reason))
		}
		for _, left := range p.Left {
			notes = append(notes, fmt.Sprintf("%s: %s: it is left as it is", p.Path, left))
		}
	}
	data, err := os.ReadFile(b.file)
	if err != nil {
		return nil, err
	}
	to, err := os.CreateTemp(dir, "*.tmp")
	if err != nil {
		return nil, err
	}
	defer os.Remove(to.Name())
	_, err = to.Write(data)
	if err = cmp.Or(err, to.Chmod(0o777), to.Close()); err != nil {
		return nil, err
	}
	return notes, os.Rename(to.Name(), file)
}

// prune removes all but the binaries that were used last.
func prune(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.test"))
	if err != nil || len(files) <= keptBinaries {
		return err
	}
	used := map[string]time.Time{}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			used[file] = info.ModTime()
		}
	}
	slices.SortFunc(files, func(a, b string) int { return used[b].Compare(used[a]) })
	for _, file := range files[keptBinaries:] {
		os.Remove(strings.TrimSuffix(file, ".test") + ".txt")
		os.Remove(file)
	}
	return nil
}
