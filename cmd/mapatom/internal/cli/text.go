package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Indent is what stands before the lines of a picture below a verdict.
const Indent = "    "

// Indented is a text with every line that has something on it moved right.
func Indented(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			out.WriteString(Indent)
		}
		out.WriteString(line)
	}
	return out.String()
}

// Elapsed is a duration as people read it.
func Elapsed(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

// Mebibytes is an amount of memory as people read it.
func Mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// HasColor reports whether w shows colours, and may.
func HasColor(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// IsTerminal reports whether a person is reading w.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
