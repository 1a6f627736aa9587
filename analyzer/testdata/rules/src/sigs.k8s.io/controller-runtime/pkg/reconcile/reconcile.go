// Package reconcile stands for the one of controller-runtime.
package reconcile

type Result struct{ Requeue bool }
