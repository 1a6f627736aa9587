package sim

import (
	"reflect"
	"strconv"
)

// Number is the integer that a text is, of the type of like; false if it is
// none, or does not fit.
func Number(text string, like any) (any, bool) {
	t := reflect.TypeOf(like)
	if t == nil {
		return nil, false
	}
	v := reflect.New(t).Elem()
	switch {
	case v.CanInt():
		i, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v.OverflowInt(i) {
			return nil, false
		}
		v.SetInt(i)
	case v.CanUint():
		i, err := strconv.ParseUint(text, 10, 64)
		if err != nil || v.OverflowUint(i) {
			return nil, false
		}
		v.SetUint(i)
	default:
		return nil, false
	}
	return v.Interface(), true
}

func sameType(v, w any) bool { return reflect.TypeOf(v) == reflect.TypeOf(w) }
