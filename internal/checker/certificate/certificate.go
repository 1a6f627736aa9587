// Package certificate checks linearizations. It trusts nobody, and shares
// no code with those that find them.
package certificate

import (
	"fmt"

	"github.com/mapatom/mapatom/checker/history"
)

// Validate reports whether order, which names rows, is a linearization of
// the log: every operation that returned is in it once, every other one at
// most once, none is after one that was called after its return, and a plain
// sequential object gives each the result that it had. It takes linear time,
// and for priority queues O(log n) an operation.
func Validate(l *history.Log, order []int32) error {
	if err := checkRows(l, order); err != nil {
		return err
	}
	if err := checkTimes(l, order); err != nil {
		return err
	}
	o := newObject(l)
	for _, row := range order {
		if found := o.step(int(row)); found != "" {
			return fmt.Errorf("operation %d, %s: %s", row+1, say(l, int(row)), found)
		}
	}
	return nil
}

// checkRows checks that the right operations are there.
func checkRows(l *history.Log, order []int32) error {
	seen := make([]bool, l.Len())
	for _, row := range order {
		if row < 0 || int(row) >= l.Len() {
			return fmt.Errorf("there is no operation %d in a log of %d", row+1, l.Len())
		}
		if seen[row] {
			return fmt.Errorf("operation %d, %s, takes effect twice", row+1, say(l, int(row)))
		}
		seen[row] = true
	}
	for row, end := range l.Return {
		if end != history.Pending && !seen[row] {
			return fmt.Errorf("operation %d, %s, returned but never takes effect", row+1, say(l, row))
		}
	}
	return nil
}

// checkTimes checks that each operation can take effect in its interval: the
// earliest moment for it is the last call up to it in the order.
func checkTimes(l *history.Log, order []int32) error {
	last := int32(-1) // operation of the last call
	for _, row := range order {
		if last >= 0 && l.Return[row] < l.Call[last] {
			return fmt.Errorf("operation %d, %s, takes effect before operation %d, %s, but was called after that returned",
				last+1, say(l, int(last)), row+1, say(l, int(row)))
		}
		if last < 0 || l.Call[row] > l.Call[last] {
			last = row
		}
	}
	return nil
}

// say describes a row.
func say(l *history.Log, row int) string {
	text := l.Method[row].String()
	if l.Key != nil {
		text += " of " + string(l.NameOf(l.Key[row]))
	}
	if v := l.Value[row]; v != history.Absent {
		text += " " + string(l.NameOf(v))
	}
	if l.Second != nil && l.Second[row] != history.Absent {
		text += ", " + string(l.NameOf(l.Second[row]))
	}
	return text
}
