package register

import (
	"math/big"
	"strconv"
	"strings"
)

// Type is the Go type of a value, as far as it matters to a program: what
// arithmetic does with it, whether it can be nil, and what a type switch finds
// in an interface that holds it. The zero Type says nothing; a number without
// a type is an int.
type Type struct {
	Kind TypeKind
	// Name is the type as Go writes it, e.g. "*store.Session"; empty for the
	// predeclared type that the kind is named after.
	Name string
}

// TypeKind is the underlying kind of a type.
type TypeKind uint8

const (
	// NoType is the kind of what is not known: of a value of an interface
	// type, which may be of any other, and of a type parameter.
	NoType TypeKind = iota
	Bool
	String
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	// Complex numbers are only compared.
	Complex
	// Pointer is a reference: a pointer, map, channel, slice or function. It
	// can be nil.
	Pointer
	// Aggregate is a struct or an array: never nil, and made of parts.
	Aggregate
)

// typeWords are the kinds in the text form.
var typeWords = map[TypeKind]string{
	Bool: "bool", String: "string",
	Int: "int", Int8: "int8", Int16: "int16", Int32: "int32", Int64: "int64",
	Uint: "uint", Uint8: "uint8", Uint16: "uint16", Uint32: "uint32", Uint64: "uint64", Uintptr: "uintptr",
	Float32: "float32", Float64: "float64", Complex: "complex",
	Pointer: "pointer", Aggregate: "aggregate",
}

var typeByWord = invert(typeWords)

// integerBits are the widths of the integer kinds. As most do, int, uint and
// uintptr have 64 bits.
var integerBits = [...]uint{
	Int: 64, Int8: 8, Int16: 16, Int32: 32, Int64: 64,
	Uint: 64, Uint8: 8, Uint16: 16, Uint32: 32, Uint64: 64, Uintptr: 64,
}

// IsInteger reports whether the kind is one of integers.
func (k TypeKind) IsInteger() bool { return k >= Int && k <= Uintptr }

// IntegerNamed is the integer type that Go gives this name; the zero Type if there is none.
func IntegerNamed(name string) Type {
	if k := typeByWord[name]; k.IsInteger() {
		return Type{Kind: k}
	}
	return Type{}
}

// IsUnsigned reports whether the kind is one of integers without a sign.
func (k TypeKind) IsUnsigned() bool { return k >= Uint && k <= Uintptr }

// IsFloat reports whether the kind is one of floating-point numbers.
func (k TypeKind) IsFloat() bool { return k == Float32 || k == Float64 }

// Bits is the width of an integer kind, 0 for others.
func (k TypeKind) Bits() uint {
	if int(k) >= len(integerBits) {
		return 0
	}
	return integerBits[k]
}

// NeverNil reports whether no value of the type is nil.
func (t Type) NeverNil() bool { return t.Kind != NoType && t.Kind != Pointer }

// Numeric is the kind that arithmetic has at the type: an int's if the type
// says nothing.
func (t Type) Numeric() TypeKind {
	if t.Kind == NoType {
		return Int
	}
	return t.Kind
}

// IsDefault reports whether t is the type that a constant has in an interface
// if it is not converted: a number, a string or a truth value whose text alone
// says what it is.
func (t Type) IsDefault() bool {
	return t.Name == "" && (t.Kind == Int || t.Kind == String || t.Kind == Bool)
}

// GoName is the type as Go writes it; empty if it is not known.
func (t Type) GoName() string {
	if t.Name != "" {
		return t.Name
	}
	return typeWords[t.Kind]
}

// Text is the type in the text form, empty for the zero Type.
func (t Type) Text() string {
	text := typeWords[t.Kind]
	if t.Name != "" {
		text += " " + strconv.Quote(t.Name)
	}
	return text
}

// Range gives the least and the greatest integer of the kind.
func (k TypeKind) Range() (lo, hi *big.Int) {
	bits := k.Bits()
	one := big.NewInt(1)
	if k.IsUnsigned() {
		return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)
	}
	half := new(big.Int).Lsh(one, bits-1)
	return new(big.Int).Neg(half), new(big.Int).Sub(half, one)
}

// FieldOf begins the name of the pure function that gives a field of a struct, and the name of that follows.
const FieldOf = "field:"

// StructOf begins the name of the pure function that puts a struct together, and its type follows.
const StructOf = "struct:"

// Closure begins the name of the pure function whose value is a function. The rest is its key; its
// arguments come before those of a call: a dynamic call is known by them.
const Closure = "closure:"

// ResultType is the type of what a pure function gives, one that is interpreted at a type or
// StructOf, as far as the function says it.
func ResultType(name string, at Type) Type {
	made, isStruct := strings.CutPrefix(name, StructOf)
	switch {
	case isStruct:
		return Type{Kind: Aggregate, Name: made}
	case IsTest(name):
		return Type{Kind: Bool}
	case name == "concat":
		return Type{Kind: String}
	case name == "len":
		return Type{Kind: Int}
	case name == "box", name == "choose":
		return Type{}
	case Interpreted[name] && at.Kind == NoType:
		return Type{Kind: Int}
	default:
		return at
	}
}

// TypeOf is the declared type of a local, the zero Type if it has none.
func (p *Program) TypeOf(l Local) Type {
	if l < 0 || int(l) >= len(p.Types) {
		return Type{}
	}
	return p.Types[l]
}

// Declare gives a local a type.
func (p *Program) Declare(l Local, t Type) {
	if l == None || t.Kind == NoType {
		return
	}
	for len(p.Types) < len(p.Names) {
		p.Types = append(p.Types, Type{})
	}
	p.Types[l] = t
}
