// Command histories records what goroutines do with concurrent objects that
// programs use, for mapatom monitor:
//
//	go run . -object=xsync.Map -n=1000000 | mapatom monitor -stream -
//
// docs/monitor.md has what comes of it; docs/bench/stream.sh measures with it what a
// history without end takes.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/record"
)

// A subject is an object, and what one goroutine does with it.
type subject struct {
	name string
	kind history.Kind
	make func(load) func(*worker)
}

// A load is how much is done.
type load struct {
	keys    int
	workers int
}

// A worker is a goroutine that calls an object.
type worker struct {
	record.Thread
	*rand.Rand
	number int
	next   int64 // value to put in that nobody has put in before
	puts   bool  // containers: it puts in, others take out
}

// fresh is a value that is put in once.
func (w *worker) fresh() int64 {
	w.next++
	return w.next<<8 | int64(w.number)
}

func main() {
	names := make([]string, len(subjects))
	for i, s := range subjects {
		names[i] = s.name
	}
	object := flag.String("object", "sync.Map", "which `object`: "+strings.Join(names, ", "))
	n := flag.Int("n", 1_000_000, "how many operations")
	workers := flag.Int("goroutines", 8, "how many goroutines")
	keys := flag.Int("keys", 1000, "how many keys of a map")
	pace := flag.Int("rate", 0, "at most this many operations a `second`; 0 is as many as can be")
	flag.Parse()
	i := slices.Index(names, *object)
	if i < 0 {
		fmt.Fprintf(os.Stderr, "histories: found object %q, want one of %s\n", *object, strings.Join(names, ", "))
		os.Exit(2)
	}
	if err := run(subjects[i], load{*keys, *workers}, *n, *pace); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run records n operations to the standard output.
func run(s subject, l load, n, pace int) error {
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	o := record.Options{Kind: s.kind}
	if s.kind == history.Register {
		o.Initial = 0 // as a number is in Go
	}
	h := record.New(out, o)
	began := time.Now()
	do := s.make(l)
	var all sync.WaitGroup
	for g := range l.workers {
		w := &worker{h.Thread(fmt.Sprint(g + 1)), rand.New(rand.NewPCG(1, uint64(g))), g, 0, g%2 == 0}
		share := n / l.workers
		all.Go(func() {
			for i := range share {
				do(w)
				if pace > 0 && i%64 == 63 {
					due := time.Duration(i+1) * time.Second * time.Duration(l.workers) / time.Duration(pace)
					time.Sleep(due - time.Since(began))
				}
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	err := h.Close()
	fmt.Fprintf(os.Stderr, "%s: %d operations by %d goroutines in %s\n", s.name, n, l.workers, took.Round(time.Millisecond))
	return err
}
