package goracle

import (
	"fmt"
	"strings"
)

func isInteger(t string) bool {
	return strings.HasPrefix(t, "int") || strings.HasPrefix(t, "uint")
}

// variableOf is a variable of a type, mostly a recent one.
func (g *generator) variableOf(typ string) (string, bool) {
	var fits []string
	for _, v := range g.scope {
		if v.typ == typ && !strings.HasPrefix(v.name, "k") {
			fits = append(fits, v.name)
		}
	}
	if len(fits) == 0 {
		return "", false
	}
	if g.chance(60) {
		return fits[len(fits)-1], true
	}
	return pick(g, fits...), true
}

// literals are constants of a type.
func (g *generator) literals(typ string) []string {
	switch {
	case typ == "string":
		return []string{`""`, `"x"`, `"y"`}
	case typ == "bool":
		return []string{"true", "false"}
	case strings.HasPrefix(typ, "uint"):
		return []string{"0", "1", "2", "3", "250"}
	default:
		return []string{"0", "1", "2", "3", "-1", "100"}
	}
}

// expression is one of a type.
func (g *generator) expression(typ string) string {
	switch {
	case typ == "any":
		return g.mixedValue()
	case typ == "*Unode":
		return g.object()
	case typ == "bool":
		return g.boolean()
	case isInteger(typ):
		return g.integer(typ)
	}
	return g.text()
}

func (g *generator) mixedValue() string {
	if v, ok := g.variableOf("any"); ok && g.chance(50) {
		return v
	}
	return pick(g, "1", "2", `"x"`, "true", fmt.Sprintf("&Unode{n: %d}", g.r.IntN(3)), "int8(1)")
}

func (g *generator) object() string {
	if v, ok := g.variableOf("*Unode"); ok && g.chance(55) {
		return v
	}
	if g.may(TypedNils, 15) {
		return "(*Unode)(nil)"
	}
	return fmt.Sprintf("&Unode{n: %d}", g.r.IntN(3))
}

func (g *generator) boolean() string {
	if v, ok := g.variableOf("bool"); ok && g.chance(50) {
		return pick(g, v, v, "!"+v)
	}
	if g.chance(35) {
		return g.comparison()
	}
	return pick(g, "true", "false")
}

func (g *generator) integer(typ string) string {
	v, ok := g.variableOf(typ)
	switch {
	case ok && g.chance(40):
		return v
	case ok && g.chance(70):
		return fmt.Sprintf("%s %s %s", v, g.operator(), pick(g, "1", "2", "3"))
	}
	return pick(g, g.literals(typ)...)
}

func (g *generator) operator() string {
	if g.may(Arithmetic, 70) {
		return pick(g, "*", "/", "%", "&", "|", "^", "<<", ">>", "&^")
	}
	return pick(g, "+", "-")
}

func (g *generator) text() string {
	v, ok := g.variableOf("string")
	switch {
	case ok && g.chance(60):
		return v
	case ok && g.chance(30):
		return v + ` + "x"`
	}
	return pick(g, g.literals("string")...)
}

// condition is what a branch depends on: mostly something that was read.
func (g *generator) condition() string {
	if g.may(Unknowns, 25) {
		if v, ok := g.variableOf(g.elem); ok && isInteger(g.elem) && g.chance(70) {
			return fmt.Sprintf("%ss.ask(int(%s))", pick(g, "", "!"), v)
		}
		return fmt.Sprintf("%ss.ask(%d)", pick(g, "", "!"), g.r.IntN(2))
	}
	if g.chance(45) {
		if v, ok := g.variableOf("bool"); ok {
			return pick(g, v, "!"+v)
		}
	}
	return g.comparison()
}

// comparison compares something that was read.
func (g *generator) comparison() string {
	typ := g.elem
	if g.elem == "any" || g.chance(15) {
		if v, ok := g.variableOf("any"); ok {
			return g.compareAny(v)
		}
	}
	v, ok := g.variableOf(typ)
	if !ok {
		if b, ok := g.variableOf("bool"); ok {
			return b
		}
		return pick(g, "true", "false")
	}
	switch {
	case typ == "bool":
		return fmt.Sprintf("%s == %s", v, pick(g, "true", "false"))
	case typ == "*Unode":
		return g.comparePointer(v)
	case typ == "string":
		return fmt.Sprintf("%s %s %s", v, pick(g, "==", "!=", "<", ">"), pick(g, g.literals(typ)...))
	}
	left := v
	if g.chance(35) {
		left = fmt.Sprintf("%s%s%s", v, g.operator(), pick(g, "1", "2", "3"))
	}
	right := pick(g, g.literals(typ)...)
	if w, ok := g.variableOf(typ); ok && w != v && g.chance(40) {
		right = w
	}
	return fmt.Sprintf("%s %s %s", left, pick(g, "==", "!=", "<", ">", "<=", ">="), right)
}

func (g *generator) compareAny(v string) string {
	if w, ok := g.variableOf("any"); ok && w != v && g.chance(50) {
		return fmt.Sprintf("%s %s %s", v, pick(g, "==", "!="), w)
	}
	value := "1"
	if g.elem != "any" && !strings.HasPrefix(g.elem, "*") {
		value = fmt.Sprintf("%s(%s)", g.elem, pick(g, g.literals(g.elem)...))
	}
	return fmt.Sprintf("%s %s %s", v, pick(g, "==", "!="), pick(g, "nil", "any("+value+")"))
}

func (g *generator) comparePointer(v string) string {
	if w, ok := g.variableOf("*Unode"); ok && w != v && g.chance(40) {
		return fmt.Sprintf("%s %s %s", v, pick(g, "==", "!="), w)
	}
	if g.chance(40) {
		return fmt.Sprintf("%s != nil && %s.n %s %d", v, v, pick(g, "==", ">"), g.r.IntN(2))
	}
	return fmt.Sprintf("%s %s nil", v, pick(g, "==", "!="))
}
