package history

// threadNames numbers threads in order of first appearance. Most threads
// are called by a small number, and those need no hashing.
type threadNames struct {
	small [256]int32 // index+1 of the thread with this number
	index map[string]int32
	list  []string
}

// number gives the index of a thread.
func (t *threadNames) number(name []byte) int32 {
	if n, ok := smallNumber(name); ok {
		if t.small[n] == 0 {
			t.list = append(t.list, string(name))
			t.small[n] = int32(len(t.list))
		}
		return t.small[n] - 1
	}
	if i, ok := t.index[string(name)]; ok {
		return i
	}
	if t.index == nil {
		t.index = map[string]int32{}
	}
	i := int32(len(t.list))
	t.list = append(t.list, string(name))
	t.index[string(name)] = i
	return i
}

// smallNumber reads 0 to 255 written without a leading zero, so that two
// spellings of a name are never taken for one.
func smallNumber(name []byte) (int, bool) {
	if len(name) == 0 || len(name) > 3 || name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	n := 0
	for _, c := range name {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, n < 256
}
