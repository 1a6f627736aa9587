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
)

func main() {
	if isVetTool(os.Args[1:]) {
		runVetTool(os.Args[1:])
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
