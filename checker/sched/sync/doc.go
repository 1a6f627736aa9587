// Package sync is a drop-in for sync: under a controlled execution each
// operation is a step of its thread, and a thread that would block is not
// chosen until it would not; outside of one the types do what the originals
// do. A misuse that ends the process there, as unlocking what is not locked,
// is a panic of the thread under control.
package sync
