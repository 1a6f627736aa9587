package reduce

import (
	"fmt"
	"strconv"
)

// Fold evaluates an interpreted function. ok is false where its arguments
// decide nothing: the result is then that of an uninterpreted function.
func Fold(name string, args []Value) (v Value, ok bool, err error) {
	want := 2
	switch name {
	case "not":
		want = 1
	case "choose":
		want = 3
	}
	if len(args) != want {
		return "", false, fmt.Errorf("%w: %s of %d operands", errBadProgram, name, len(args))
	}
	switch name {
	case "eq":
		return truth(args[0] == args[1]), true, nil
	case "not", "choose":
		if args[0] != LitTrue && args[0] != LitFalse {
			return "", false, fmt.Errorf("%s on %s, which is neither true nor false", name, args[0])
		}
		yes := args[0] == LitTrue
		if name == "not" {
			return truth(!yes), true, nil
		}
		if yes {
			return args[1], true, nil
		}
		return args[2], true, nil
	}
	x, okX := integer(args[0])
	y, okY := integer(args[1])
	if !okX || !okY {
		return "", false, nil
	}
	v, ok = foldIntegers(name, x, y)
	return v, ok, nil
}

// foldIntegers is the part of Fold on integers. A result that does not fit
// is left open, because the type that would say how it wraps is not known.
func foldIntegers(name string, x, y int64) (Value, bool) {
	var z int64
	switch name {
	case "lt":
		return truth(x < y), true
	case "le":
		return truth(x <= y), true
	case "add":
		if z = x + y; (z > x) != (y > 0) {
			return "", false
		}
	case "sub":
		if z = x - y; (z < x) != (y > 0) {
			return "", false
		}
	case "and":
		z = x & y
	case "or":
		z = x | y
	case "xor":
		z = x ^ y
	default:
		return "", false
	}
	return Value(strconv.FormatInt(z, 10)), true
}

// integer reads a literal in canonical form, so that equal numbers have
// equal texts.
func integer(v Value) (int64, bool) {
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == string(v)
}

func truth(b bool) Value {
	if b {
		return LitTrue
	}
	return LitFalse
}
