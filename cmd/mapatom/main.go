// Mapatom finds sequences of calls on concurrent maps and atomics that are
// meant to be atomic and are not, and shows the interleaving that proves it.
//
// Usage:
//
//	mapatom [flags] [packages]
//	mapatom extensions [flags] [packages]
//	mapatom reduce [flags] [packages]
//	go vet -vettool=$(which mapatom) [packages]
//
// See the README for what a verdict means, and docs/limits.md for what it
// does not say.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/vettool"
)

func main() {
	if vettool.Is(os.Args[1:]) {
		vettool.Run(os.Args[1:])
	}
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// endings are the signals that ask for the end: what is running is ended, and
// what was written for it is removed. A hangup that is ignored (nohup) stays so.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}
