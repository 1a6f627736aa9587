package topology

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// ReadsOn reports whether a method goes on where the last call of it has stopped, as its
// users know it: the methods of package io that read, write or seek. Two goroutines that
// take turns at that would get pieces each, so that there is one at a time; what is atomic
// is for those who watch how far it has come.
func ReadsOn(fn *ssa.Function) bool {
	sig := fn.Signature
	if sig.Recv() == nil {
		return false
	}
	switch fn.Name() {
	case "Read", "Write":
		return sig.Params().Len() == 1 && sig.Results().Len() == 2 && isBytes(sig.Params().At(0).Type())
	case "Seek":
		return sig.Params().Len() == 2 && sig.Results().Len() == 2
	case "ReadByte", "ReadRune":
		return sig.Params().Len() == 0
	}
	return false
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Byte])
}
