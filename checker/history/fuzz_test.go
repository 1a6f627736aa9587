package history

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// seed adds the examples of one format to a fuzz target.
func seed(f *testing.F, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		f.Fatal("no examples: ", pattern, err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
}

// mustBePrecise fails if an error is none of the readers', or is not one
// short line with a place.
func mustBePrecise(t *testing.T, err error) {
	t.Helper()
	var bad *Error
	if !errors.As(err, &bad) || bad.Line < 1 || bad.File != "f" || bad.Found == "" {
		t.Fatalf("not precise: %#v", err)
	}
	if text := err.Error(); strings.ContainsAny(text, "\n\r\x00") || len(text) > 1000 {
		t.Fatalf("not one short line: %q", text)
	}
}

// FuzzIntervals reads any text as interval text. What can be read can be
// written, and reads back the same, by one goroutine and by three.
func FuzzIntervals(f *testing.F) {
	seed(f, "testdata/*.log")
	f.Fuzz(func(t *testing.T, text []byte) {
		logs, err := ReadIntervals("f", text, Options{Workers: 1})
		if err != nil {
			mustBePrecise(t, err)
			return
		}
		var b bytes.Buffer
		if err := WriteIntervals(&b, logs...); err != nil {
			t.Fatal(err)
		}
		again, err := ReadIntervals("f", b.Bytes(), Options{Workers: 3})
		if err != nil {
			t.Fatal(err, b.String())
		}
		if len(again) != len(logs) {
			t.Fatalf("%d objects, and %d after writing", len(logs), len(again))
		}
		for i := range logs {
			if a, b := rowsOf(logs[i]), rowsOf(again[i]); !slices.Equal(a, b) {
				t.Fatalf("%q\n%q", a, b)
			}
			if err := logs[i].History().Check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzEvents does the same for our own format.
func FuzzEvents(f *testing.F) {
	seed(f, "testdata/*.jsonl")
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := ReadEvents("f", bytes.NewReader(text), Options{})
		if err != nil {
			mustBePrecise(t, err)
			return
		}
		var b bytes.Buffer
		if err := WriteEvents(&b, h); err != nil {
			t.Fatal(err)
		}
		again, err := ReadEvents("f", &b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sameHistory(t, h, again)
	})
}

// FuzzEDN does the same for Jepsen's histories.
func FuzzEDN(f *testing.F) {
	seed(f, "testdata/*.edn")
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := ReadEDN("f", bytes.NewReader(text), Options{})
		if err != nil {
			mustBePrecise(t, err)
			return
		}
		var b bytes.Buffer
		if err := WriteEDN(&b, h); err != nil {
			t.Fatal(err)
		}
		written := b.String()
		again, err := ReadEDN("f", &b, Options{Kind: h.Kind})
		if err != nil {
			t.Fatal(err, written)
		}
		sameHistory(t, h, again)
	})
}

func sameHistory(t *testing.T, a, b *History) {
	t.Helper()
	var x, y strings.Builder
	if a.Print(&x) != nil || b.Print(&y) != nil || x.String() != y.String() || a.Kind != b.Kind || a.Initial != b.Initial {
		t.Fatalf("%s\n%s", x.String(), y.String())
	}
	if a.Kind == Unknown {
		return
	}
	p, err := a.Logs()
	q, again := b.Logs()
	if (err == nil) != (again == nil) {
		t.Fatal(err, again)
	}
	for i := range p {
		if err := p[i].Check(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(rowsOf(p[i]), rowsOf(q[i])) {
			t.Fatalf("%q\n%q", rowsOf(p[i]), rowsOf(q[i]))
		}
	}
}

// FuzzObservations does the same for Line-Up's files, and files every history
// again.
func FuzzObservations(f *testing.F) {
	seed(f, "testdata/*.xml")
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := ReadObservations("f", bytes.NewReader(text))
		if err != nil {
			mustBePrecise(t, err)
			return
		}
		var first, second bytes.Buffer
		if err := file.Write(&first); err != nil {
			t.Fatal(err)
		}
		again, err := ReadObservations("f", bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err, first.String())
		}
		if err := again.Write(&second); err != nil {
			t.Fatal(err)
		}
		if first.String() != second.String() {
			t.Fatalf("%s\n%s", first.String(), second.String())
		}
		for _, h := range file.Histories() {
			if err := again.Add(h); err != nil {
				t.Fatal(err)
			}
			if again.sectionWith(h) == nil {
				t.Fatal("a history that was filed is not found")
			}
		}
	})
}

// FuzzInput leaves the format to be found out.
func FuzzInput(f *testing.F) {
	for _, pattern := range []string{"testdata/*.log", "testdata/*.jsonl", "testdata/*.edn", "testdata/*.xml"} {
		seed(f, pattern)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := ReadInput("f", bytes.NewReader(text), Options{Kind: Queue})
		if err != nil {
			mustBePrecise(t, err)
			return
		}
		for _, l := range in.Logs {
			if err := l.Check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
