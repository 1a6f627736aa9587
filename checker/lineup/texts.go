package lineup

// Texts gives what each of several calls of one execution returned, as text
// that can be compared: pointers are named by where they first come up.
func Texts(calls [][]any) []string {
	p, n := &printer{numbers: numbers{}}, names{}
	out := make([]string, len(calls))
	for i, results := range calls {
		text, refs := p.reply(results)
		out[i] = n.text(reply{string(text), refs})
	}
	return out
}
