// Command bench compares the checkers of this repository with Porcupine, on
// generated histories of the shape of Porcupine's own test logs and on
// larger ones, and prints a table. It is a module of its own, so that nobody
// else needs Porcupine. Its tests hold the answers against each other.
//
//	go test ./...        # agreement
//	go run .             # the table of docs/performance.md
//	go test -bench . -benchmem
package main
