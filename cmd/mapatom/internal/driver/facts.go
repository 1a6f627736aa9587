package driver

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"
)

// factSet has the Facts of one package for others. It is not changed any more.
type factSet struct {
	byName map[factName]analysis.Fact
}

// factName is an object of the package, or "" for the package itself, and the
// type of a Fact about it.
type factName struct {
	object objectpath.Path
	kind   reflect.Type
}

var noFacts = &factSet{}

// find copies a Fact to where one of its type is wanted.
func (s *factSet) find(object objectpath.Path, to analysis.Fact) bool {
	f, ok := s.byName[factName{object, reflect.TypeOf(to)}]
	if ok {
		reflect.ValueOf(to).Elem().Set(reflect.ValueOf(f).Elem())
	}
	return ok
}

// ownFacts are those that a package is exporting.
type ownFacts struct {
	pkg    *types.Package
	byType map[ownName]analysis.Fact
}

type ownName struct {
	object types.Object // nil for the package
	kind   reflect.Type
}

func newOwnFacts(pkg *types.Package) *ownFacts {
	return &ownFacts{pkg: pkg, byType: map[ownName]analysis.Fact{}}
}

func (o *ownFacts) exportObject(obj types.Object, f analysis.Fact) {
	o.byType[ownName{obj, reflect.TypeOf(f)}] = f
}

func (o *ownFacts) exportPackage(f analysis.Fact) { o.byType[ownName{nil, reflect.TypeOf(f)}] = f }

func (o *ownFacts) find(obj types.Object, to analysis.Fact) bool {
	f, ok := o.byType[ownName{obj, reflect.TypeOf(to)}]
	if ok {
		reflect.ValueOf(to).Elem().Set(reflect.ValueOf(f).Elem())
	}
	return ok
}

// allObjects are the Facts about the package's own objects.
func (o *ownFacts) allObjects() []analysis.ObjectFact {
	var all []analysis.ObjectFact
	for name, f := range o.byType {
		if name.object != nil {
			all = append(all, analysis.ObjectFact{Object: name.object, Fact: f})
		}
	}
	return all
}

// finish is what other packages can name.
func (o *ownFacts) finish() *factSet {
	if len(o.byType) == 0 {
		return noFacts
	}
	s := &factSet{byName: map[factName]analysis.Fact{}}
	var paths objectpath.Encoder
	for name, f := range o.byType {
		var path objectpath.Path
		if name.object != nil {
			var err error
			if path, err = paths.For(name.object); err != nil {
				continue
			}
		}
		s.byName[factName{path, name.kind}] = f
	}
	return s
}

// importObjectFact implements analysis.Pass.
func (p *pass) importObjectFact(obj types.Object, to analysis.Fact) bool {
	if obj.Pkg() == p.u.types {
		return p.own.find(obj, to)
	}
	v := p.r.of[obj.Pkg()]
	if v == nil || len(v.facts.byName) == 0 {
		return false
	}
	path, err := objectpath.For(obj)
	return err == nil && v.facts.find(path, to)
}

// importPackageFact implements analysis.Pass.
func (p *pass) importPackageFact(pkg *types.Package, to analysis.Fact) bool {
	if pkg == p.u.types {
		return p.own.find(nil, to)
	}
	v := p.r.of[pkg]
	return v != nil && v.facts.find("", to)
}

// allPackageFacts has those of the package and of all that it imports, directly
// or not, in an order that does not change.
func (p *pass) allPackageFacts() []analysis.PackageFact {
	var all []analysis.PackageFact
	for name, f := range p.own.byType {
		if name.object == nil {
			all = append(all, analysis.PackageFact{Package: p.u.types, Fact: f})
		}
	}
	for _, v := range p.r.closure(p.u.imports) {
		for name, f := range v.facts.byName {
			if name.object == "" {
				all = append(all, analysis.PackageFact{Package: v.types, Fact: f})
			}
		}
	}
	slices.SortFunc(all, func(x, y analysis.PackageFact) int {
		return cmp.Or(cmp.Compare(x.Package.Path(), y.Package.Path()),
			cmp.Compare(reflect.TypeOf(x.Fact).String(), reflect.TypeOf(y.Fact).String()))
	})
	return all
}

// register has Facts of these types written and read.
func register(types []analysis.Fact) {
	for _, f := range types {
		gob.Register(f)
	}
}

// savedFact is a Fact in its encoded form.
type savedFact struct {
	Object objectpath.Path
	Fact   analysis.Fact
}

func encodeFacts(s *factSet) ([]byte, error) {
	var all []savedFact
	for name, f := range s.byName {
		all = append(all, savedFact{name.object, f})
	}
	slices.SortFunc(all, func(x, y savedFact) int {
		return cmp.Or(cmp.Compare(x.Object, y.Object),
			cmp.Compare(reflect.TypeOf(x.Fact).String(), reflect.TypeOf(y.Fact).String()))
	})
	var out bytes.Buffer
	if len(all) > 0 {
		if err := gob.NewEncoder(&out).Encode(all); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func decodeFacts(text []byte) (*factSet, error) {
	if len(text) == 0 {
		return noFacts, nil
	}
	var all []savedFact
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&all); err != nil {
		return nil, err
	}
	s := &factSet{byName: map[factName]analysis.Fact{}}
	for _, f := range all {
		s.byName[factName{f.Object, reflect.TypeOf(f.Fact)}] = f.Fact
	}
	return s, nil
}
