package evidence

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/analyzer/internal/topology"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What comes back from a request is what somebody else has to say, and not made of what the
// request was made with:
//
//	etag := s.etag()                      // under the lock
//	res, err := s.api.Fetch(ctx, etag)
//	s.setEtag(res.Etag)                   // under the lock
//
// Of two that ask at once the last one to be answered stays, as it does of two that ask in turn.

// answersRequest is why it is no harm that a value was made with an old one: all that comes of
// that in it has come back from a request.
func (e *Weigher) answersRequest(v *violation) string {
	if !v.by[byOld] {
		return ""
	}
	asked := false
	for _, looks := range v.g.Accesses {
		found := v.followsFrom(looks)
		passOn(v.Prog, found, func(in *register.Instr) bool {
			request := e.isRequest(in)
			asked = asked || request && uses(in, found)
			return !request && !in.IsBase()
		})
		if slices.ContainsFunc(v.g.Accesses, func(b *register.Access) bool {
			return b != looks && b.Cell == looks.Cell && b.Writes && (v.stores(b, found) || v.fills(b, found))
		}) {
			return "" // it is computed
		}
	}
	return when(asked, "what is stored is the answer to a request that was made with the old value")
}

// stores reports whether an access stores one of some values.
func (v *violation) stores(a *register.Access, some map[register.Local]bool) bool {
	return !v.storesNone(a, some)
}

// isRequest reports whether an instruction is a call that asks somebody else: it can fail, and takes
// as long as a context lets it.
func (e *Weigher) isRequest(in *register.Instr) bool {
	if in.Op != register.Unknown {
		return false
	}
	call := e.callAt(in.Pos)
	return call != nil && canFail(call) && slices.ContainsFunc(call.Args, func(arg ssa.Value) bool { return topology.IsContext(arg.Type()) })
}

// canFail reports whether a call gives an error as well.
func canFail(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	return results.Len() > 1 && ssaprog.IsError(results.At(results.Len()-1).Type())
}
