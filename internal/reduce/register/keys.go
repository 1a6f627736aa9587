package register

import (
	"strconv"
	"strings"
)

// DifferentKeys reports whether the keys of two cells are certainly not equal: two literals,
// values of two types, or texts that begin differently.
func DifferentKeys(a, b *Cell) bool {
	literals := a.Key.IsLit() && b.Key.IsLit() && a.Key.Lit != b.Key.Lit
	return literals || a.KeyType != "" && b.KeyType != "" && a.KeyType != b.KeyType || beginDifferently(a, b)
}

// beginDifferently reports whether the keys of two cells are texts that cannot be equal: what is known of one is
// not how what is known of the other one begins, unless that is all of it.
func beginDifferently(a, b *Cell) bool {
	x, all := knownStart(a)
	y, whole := knownStart(b)
	if x == "" || y == "" {
		return false
	}
	return x != y && (all || !strings.HasPrefix(y, x)) && (whole || !strings.HasPrefix(x, y))
}

// knownStart is what the key of a cell begins with, and whether that is all of it; empty if it is not known.
func knownStart(c *Cell) (start string, all bool) {
	if text, err := strconv.Unquote(c.Key.Lit); c.Key.IsLit() && err == nil {
		return text, true
	}
	return c.KeyStart, false
}

// startOf is what a text begins with that is put together in a program, from parts or by a format; empty
// if that is not known.
func (n *Numbering) startOf(o Operand) string {
	for range n.p.Names {
		in, _ := n.Def(o)
		if in == nil || in.Name != "concat" && in.Name != "fmt.Sprintf" {
			return ""
		}
		first := n.Source(in.Args[0])
		if text, err := strconv.Unquote(first.Lit); first.IsLit() && err == nil {
			if in.Name == "fmt.Sprintf" {
				text, _, _ = strings.Cut(text, "%")
			}
			return text
		}
		if in.Name != "concat" {
			return ""
		}
		o = first
	}
	return ""
}
