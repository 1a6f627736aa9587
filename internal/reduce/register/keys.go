package register

// DifferentKeys reports whether the keys of two cells are certainly not equal: two literals,
// or values of two types.
func DifferentKeys(a, b *Cell) bool {
	literals := a.Key.IsLit() && b.Key.IsLit() && a.Key.Lit != b.Key.Lit
	return literals || a.KeyType != "" && b.KeyType != "" && a.KeyType != b.KeyType
}
