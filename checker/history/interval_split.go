package history

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

const headerWanted = "a header: # stack, # queue, # priorityqueue, # set, # register or # map"

// A directive is a line that begins with '#'. Readers that know none of them
// but the header take the others for comments.
type directive struct {
	start, end int // of the line, its end included
	words      []string
}

// headerOf gives the kind that a header names, and what registers of the
// kind begin with. The second names are those of PolyLin and Fptlin.
func (d *directive) headerOf() (k Kind, initial int64, ok bool) {
	if len(d.words) != 1 {
		return Unknown, 0, false
	}
	switch d.words[0] {
	case "pqueue":
		return PriorityQueue, Absent, true
	case "rmw":
		return Register, 0, true
	}
	k, err := ParseKind(d.words[0])
	return k, Absent, err == nil
}

// directives finds them by their first byte, which is rare, and not line by
// line.
func directives(data []byte) []*directive {
	var all []*directive
	for at := 0; ; {
		i := bytes.IndexByte(data[at:], '#')
		if i < 0 {
			return all
		}
		i += at
		start := bytes.LastIndexByte(data[at:i], '\n') + 1 + at
		end := endOfLine(data, i)
		if len(trim(data[start:i])) == 0 {
			d := &directive{start: start, end: end}
			for _, word := range words(data[i+1 : end]) {
				d.words = append(d.words, string(word))
			}
			all = append(all, d)
		}
		at = end
	}
}

// endOfLine gives the offset after the line that i is on.
func endOfLine(data []byte, i int) int {
	if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(data)
}

// firstRow gives the offset of the first line that is neither empty nor a
// directive; len(data) if there is none.
func firstRow(data []byte) int {
	at := 0
	for at < len(data) {
		end := endOfLine(data, at)
		if line := trim(data[at:end]); len(line) > 0 && line[0] != '#' {
			break
		}
		at = end
	}
	return at
}

// split finds the sections and cuts them into chunks. fallback is the kind
// of what has no header.
func (rd *intervalReader) split(fallback Kind) error {
	all := directives(rd.data)
	var headers []*directive
	for _, d := range all {
		if _, _, ok := d.headerOf(); ok {
			headers = append(headers, d)
		}
	}
	first := len(rd.data)
	if len(headers) > 0 {
		first = headers[0].start
	}
	before := firstRow(rd.data[:first])
	switch {
	case fallback != Unknown && (before < first || len(headers) == 0):
		rd.begin(0, first, fallback, Absent)
	case before < first || len(headers) == 0:
		return rd.noHeader(all, before)
	default:
		first = 0 // comments before the first header belong to it
	}
	// Text before the first header was taken up above, if it has rows.
	for i, h := range headers {
		start, end := h.start, len(rd.data)
		if i == 0 {
			start = first
		}
		if i+1 < len(headers) {
			end = headers[i+1].start
		}
		kind, initial, _ := h.headerOf()
		rd.begin(start, end, kind, initial)
	}
	return rd.direct(all)
}

// begin adds a section for the text from start to end.
func (rd *intervalReader) begin(start, end int, k Kind, initial int64) {
	s := &section{start: start, words: wordTables[k]}
	s.log.Kind, s.log.Initial = k, initial
	body := rd.data[start:end]
	row := firstRow(body)
	s.body, s.head = start+row, countLines(body[:row])
	rd.sections = append(rd.sections, s)
	// Chunks end with a line. A line longer than a chunk makes a long chunk.
	for body = body[row:]; len(body) > 0; {
		cut := len(body)
		if cut > chunkSize {
			cut = endOfLine(body, chunkSize-1)
		}
		c := &chunk{section: s, data: body[:cut]}
		s.chunks = append(s.chunks, c)
		rd.chunks = append(rd.chunks, c)
		body = body[cut:]
	}
	if len(s.chunks) > 0 {
		s.perProcess = s.startsWithProcess()
	}
}

// startsWithProcess reports whether the first line of the section begins
// with a process and not with a method. A first line that has neither is
// complained of later, as a line of the shorter form.
func (s *section) startsWithProcess() bool {
	fields := words(s.chunks[0].data[:endOfLine(s.chunks[0].data, 0)])
	return s.find(fields[0]) == nil && len(fields) > 3 && s.find(fields[3]) != nil
}

// noHeader says that the kind of the operations is not known. The first
// directive is what was meant to tell, if there is one before the row.
func (rd *intervalReader) noHeader(all []*directive, row int) error {
	at, what := row, "nothing"
	if row < len(rd.data) {
		what = quote(bytes.TrimRight(rd.data[row:endOfLine(rd.data, row)], "\r\n"))
	}
	if len(all) > 0 && all[0].start < row {
		at = all[0].start
		what = quote(trim(rd.data[at:all[0].end]))
	}
	return found(what, headerWanted).at(rd.file, rd.lineAt(at))
}

// lineAt gives the line of an offset. It counts from the beginning, which only
// messages do.
func (rd *intervalReader) lineAt(offset int) int {
	return bytes.Count(rd.data[:offset], []byte{'\n'}) + 1
}

// direct carries out the directives that are no headers, and names the
// objects that have none where there are several.
func (rd *intervalReader) direct(all []*directive) error {
	objects := map[string]bool{}
	at := -1
	for _, d := range all {
		for at+1 < len(rd.sections) && rd.sections[at+1].start <= d.start {
			at++
		}
		s := rd.sections[max(at, 0)]
		if err := s.direct(d); err != nil {
			return err.at(rd.file, rd.lineAt(d.start))
		}
	}
	for i, s := range rd.sections {
		if s.log.Object == "" && len(rd.sections) > 1 {
			s.log.Object = strconv.Itoa(i + 1)
		}
		if objects[s.log.Object] {
			what := "a second object " + quote([]byte(s.log.Object))
			return found(what, "another name in # object").at(rd.file, rd.lineAt(s.start))
		}
		objects[s.log.Object] = true
	}
	return nil
}

// direct carries out one directive; a line that is none is a comment.
func (s *section) direct(d *directive) *Error {
	if len(d.words) != 2 {
		return nil
	}
	word, arg := d.words[0], d.words[1]
	isPart := word == "object" || word == "order" && s.log.Kind == PriorityQueue ||
		word == "initial" && s.log.Kind == Register
	if isPart && !utf8.ValidString(arg) {
		return found("binary data", "a line of text")
	}
	if isPart && d.start >= s.body {
		return found("# "+word+" after an operation", "it before the first one")
	}
	switch {
	case !isPart:
		return nil
	case word == "object":
		s.log.Object = arg
	case word == "order" && arg != "min" && arg != "max":
		return found("order "+quote([]byte(arg)), "min or max, which comes first")
	case word == "order":
		s.log.MinFirst = arg == "min"
	default:
		s.log.Initial = s.initial(arg)
	}
	return nil
}
