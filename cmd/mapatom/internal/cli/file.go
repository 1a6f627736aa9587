package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"

	"github.com/mapatom/mapatom/checker/history"
)

// WriteFile writes a file that appears when it is complete.
func (a *App) WriteFile(path string, write func(io.Writer) error) error {
	const advice = "Check that the directory exists and can be written to."
	f, err := NewOutFile(path)
	if err != nil {
		return Cannot(advice, "%v", err)
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return Cannot(advice, "%s: %v", path, err)
	}
	if err := f.Commit(); err != nil {
		return Cannot(advice, "%v", err)
	}
	return nil
}

// OutFile is a file that appears under its name when it is complete.
type OutFile struct {
	*bufio.Writer
	file *os.File
	path string
	temp string // "" if the path is a device or a pipe, which is written directly
}

// NewOutFile begins a file.
func NewOutFile(path string) (*OutFile, error) {
	info, err := os.Stat(path)
	mode := fs.FileMode(0o666)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &OutFile{bufio.NewWriter(f), f, path, ""}, nil
	case err == nil:
		mode = info.Mode().Perm()
	}
	for {
		temp := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, About(path, err)
		}
		return &OutFile{bufio.NewWriter(f), f, path, temp}, nil
	}
}

// Commit gives the file its name.
func (o *OutFile) Commit() error {
	err := errors.Join(o.Flush(), o.file.Close())
	if err != nil || o.temp == "" {
		return err
	}
	if err = os.Rename(o.temp, o.path); err == nil {
		o.temp = ""
	}
	return err
}

// Discard removes what was not committed.
func (o *OutFile) Discard() {
	o.file.Close()
	if o.temp != "" {
		os.Remove(o.temp)
	}
}

// About makes an error of the system say which file it is about, once.
func About(name string, err error) error {
	var malformed *history.Error
	if errors.As(err, &malformed) {
		return malformed
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
