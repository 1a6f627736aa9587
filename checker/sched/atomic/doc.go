// Package atomic is a drop-in for sync/atomic: under a controlled execution
// each operation is a step of its thread, outside of one it is the original.
package atomic
