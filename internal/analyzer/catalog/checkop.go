package catalog

import (
	"errors"
	"fmt"
)

// checkOp refuses an operation whose roles do not give its kind a meaning,
// so that users of the table need not: after it, for example, every CAS has
// an expected and a new value.
func checkOp(op *Op) error {
	switch op.Kind {
	case Plain:
		return nil
	case Unwrap:
		if !op.Type.Item {
			return errors.New("unwrap belongs to an item type")
		}
		return need(len(op.Results) > 0, "unwrap needs a result")
	case Whole:
		return checkWhole(op)
	}
	if op.Type.Item {
		return errors.New("an item type has only unwrap and plain operations")
	}
	if op.Params == nil {
		return errors.New("(...) leaves the cell open; it is for plain and whole-map operations")
	}
	if err := checkCell(op); err != nil {
		return err
	}
	if op.Callback != nil && op.Kind != Compute {
		return errors.New("only compute, range and sweep operations take a func")
	}
	if op.Split != 0 && op.Kind != Insert && (op.Kind != Compute || op.When != IfAbsent) {
		return errors.New("split is for insert and compute if-absent")
	}
	return checkKind(op)
}

// checkCell checks that the operation says which cell it is about.
func checkCell(op *Op) error {
	keys := count(op.Params, Key) + count(op.Params, Keys)
	addrs := count(op.Params, CellAddr)
	switch {
	case op.Type.Name == "" && addrs != 1:
		return errors.New("a function needs one cell parameter")
	case op.Type.Name != "" && addrs != 0:
		return errors.New("a method's cell is its receiver, not a parameter")
	case op.Type.Cell == MapCell && keys != 1:
		return errors.New("an operation of a map needs one key")
	case op.Type.Cell != MapCell && keys != 0:
		return errors.New("only an operation of a map has a key")
	}
	return nil
}

func checkKind(op *Op) error {
	switch op.Kind {
	case Store:
		return need((op.Param(Value) >= 0) != (op.Const != ""), "store needs a value, as a parameter or as a constant")
	case Insert, Replace:
		return need(op.Param(Value) >= 0, "the kind needs a value")
	case CAS:
		return need(op.Param(Old) >= 0 && op.Param(New) >= 0, "cas needs old and new")
	case CAD:
		return need(op.Param(Old) >= 0, "cad needs old")
	case Update:
		return checkUpdate(op)
	case Compute:
		return checkCallback(op)
	default:
		return nil
	}
}

func checkUpdate(op *Op) error {
	arity, ok := updateFuncs[op.FN]
	if !ok {
		return fmt.Errorf("%q is not a function that update knows; it knows %s", op.FN, words(updateFuncs))
	}
	operands := count(op.Params, Delta)
	if op.Const != "" {
		operands++
	}
	return need(operands == arity-1, fmt.Sprintf("update %s takes %d operand(s) beside the content", op.FN, arity-1))
}

// checkCallback checks that the callback decides something.
func checkCallback(op *Op) error {
	if op.Callback == nil {
		return errors.New("the kind needs a func parameter")
	}
	cb := op.Callback
	if cb.Params == nil || cb.Results == nil {
		return errors.New("the func's parameters and results must be given")
	}
	decides := count(cb.Results, New) + count(cb.Results, DeleteFlag) + count(cb.Results, Opcode)
	return need(decides > 0, "the func must return new, delete or op")
}

func checkWhole(op *Op) error {
	if op.Whole == Range {
		return need(op.Callback != nil, "range needs a func parameter")
	}
	return need(op.Callback == nil || op.Whole == Sweep, "only range and sweep take a func")
}

func need(ok bool, msg string) error {
	if !ok {
		return errors.New(msg)
	}
	return nil
}

func count(roles []Role, r Role) int {
	n := 0
	for _, x := range roles {
		if x == r {
			n++
		}
	}
	return n
}
