package register

import "fmt"

// types checks what is declared about locals.
func (c *checker) types() {
	if len(c.p.Types) > len(c.p.Names) {
		c.fail("there are more types than locals")
	}
	for _, t := range c.p.Types {
		c.typ(t)
	}
	for _, cell := range c.p.Cells {
		c.typ(cell.Type)
	}
}

func (c *checker) typ(t Type) {
	if _, ok := typeWords[t.Kind]; !ok && t != (Type{}) {
		c.fail("there is no such type")
	}
}

// worksAt says which types an interpreted function works at.
var worksAt = map[string]func(k TypeKind) bool{
	"add": isNumber, "sub": isNumber, "mul": isNumber, "quo": isNumber, "neg": isNumber,
	"rem": isInteger, "shl": isInteger, "shr": isInteger, "and": isInteger, "or": isInteger,
	"xor": isInteger, "andnot": isInteger, "compl": isInteger,
	"lt":      func(k TypeKind) bool { return isNumber(k) || k == String },
	"le":      func(k TypeKind) bool { return isNumber(k) || k == String },
	"feq":     func(k TypeKind) bool { return k.IsFloat() || k == Complex },
	"convert": func(k TypeKind) bool { return isNumber(k) && k != NoType },
	"box":     func(k TypeKind) bool { return k != NoType },
	"unbox":   func(k TypeKind) bool { return k != NoType },
	"is":      func(k TypeKind) bool { return k != NoType },
}

// isNumber reports whether k is a kind of numbers that there is arithmetic on:
// a number without a type is an int.
func isNumber(k TypeKind) bool { return isInteger(k) || k.IsFloat() }

func isInteger(k TypeKind) bool { return k == NoType || k.IsInteger() }

// typed checks the type of an instruction against those of its operands.
func (c *checker) typed(in *Instr) {
	c.typ(in.Type)
	works := worksAt[in.Name]
	if in.Op != Pure || works == nil {
		if in.Type != (Type{}) {
			c.fail("it works at no type")
		}
		return
	}
	if !works(in.Type.Kind) {
		c.fail("%s does not work at a type of kind %q", in.Name, typeWords[in.Type.Kind])
		return
	}
	for _, o := range in.Args[:min(len(in.Args), operandsOf(in.Name))] {
		if why := misfit(in.Type, o); why != "" && in.Type.Kind != NoType {
			c.fail("%s", why)
		}
		have, want := c.p.TypeOf(o.Local).Kind, in.Type.Kind
		if isNumber(have) && isNumber(want) && have != want && have != NoType && want != NoType {
			c.fail("%s is of kind %s, not %s", c.p.Names[o.Local], typeWords[have], typeWords[want])
		}
	}
}

// operandsOf is how many of the arguments are of the type that the function
// works at.
func operandsOf(name string) int {
	switch name {
	case "convert", "unbox", "is":
		return 0
	case "shl", "shr":
		return 1
	default:
		return 2
	}
}

// misfit says why a literal is no value of a type, "" if it may be one.
func misfit(t Type, o Operand) string {
	if !o.IsLit() {
		return ""
	}
	n, isNum := number(Value(o.Lit))
	switch {
	case t.Kind.IsInteger() && isNum:
		if !n.IsInt() || wrap(t.Kind, n.Num()) != Value(o.Lit) {
			return fmt.Sprintf("%s is no value of type %s", o.Lit, t.GoName())
		}
	case t.Kind == Bool && o.Lit != LitTrue && o.Lit != LitFalse:
		return fmt.Sprintf("%s is no truth value", o.Lit)
	case (t.Kind == Pointer || t.Kind == String) && isNum:
		return fmt.Sprintf("%s is no value of type %s", o.Lit, t.GoName())
	}
	return ""
}
