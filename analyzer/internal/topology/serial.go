package topology

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
)

// Serial is what an interface of another package says of some of its methods: of those of
// one object at most one runs at once. Whoever calls them keeps to it.
type Serial struct {
	// Interfaces have the paths of their packages; of several, those who call see to it together.
	// Methods are those methods; none are all.
	Interfaces, Methods []string
}

// Serial are the methods to which a function belongs by the interfaces that its type has:
// it is reached from nothing else. It is nil if there are none.
func (t *Topology) Serial(fn *ssa.Function) *Serial {
	var found *Serial
	for _, entry := range t.Entries(fn) {
		if entry.Kind == Tested {
			continue
		}
		s := serialMethod(entry.Fn)
		if s == nil || entry.Several || entry.Kind == Started || found != nil && s != found {
			return nil
		}
		found = s
	}
	return found
}

// serialMethod are the methods that a method is one of.
func serialMethod(fn *ssa.Function) *Serial {
	if fn.Signature.Recv() == nil || fn.Pkg == nil {
		return nil
	}
	for i := range serials {
		s := &serials[i]
		if s.has(fn.Name()) && slices.ContainsFunc(s.Interfaces, func(name string) bool { return isMethodOf(fn, name) }) {
			return s
		}
	}
	return nil
}

func (s *Serial) has(method string) bool {
	return len(s.Methods) == 0 || slices.Contains(s.Methods, method)
}

// isMethodOf reports whether a method is one of those that its type has for an interface.
func isMethodOf(fn *ssa.Function, name string) bool {
	i, of := interfaceOf(fn.Pkg.Pkg, name), ssaprog.Named(fn.Signature.Recv().Type())
	if i == nil || of == nil {
		return false
	}
	has := slices.ContainsFunc(slices.Collect(i.Methods()), func(m *types.Func) bool { return m.Name() == fn.Name() })
	return has && (types.Implements(of.Type(), i) || types.Implements(types.NewPointer(of.Type()), i))
}

// interfaceOf is an interface that a package can name: its package is imported, directly or by
// one that is.
func interfaceOf(pkg *types.Package, name string) *types.Interface {
	dot := strings.LastIndex(name, ".")
	of := imported(pkg, name[:dot])
	if of == nil {
		return nil
	}
	obj, ok := of.Scope().Lookup(name[dot+1:]).(*types.TypeName)
	if !ok {
		return nil
	}
	i, _ := obj.Type().Underlying().(*types.Interface)
	return i
}

// imported is an imported package, nil if it is not imported.
func imported(pkg *types.Package, path string) *types.Package {
	for _, p := range pkg.Imports() {
		if p.Path() == path {
			return p
		}
		for _, q := range p.Imports() {
			if q.Path() == path {
				return q
			}
		}
	}
	return nil
}
