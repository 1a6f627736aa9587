package history

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
)

// longestText bounds a line of events and a value of EDN. Values of ten
// megabytes occur; what is longer than this is no history.
const longestText = 256 << 20

// A lineReader gives an input line by line, each valid until the next.
type lineReader struct {
	src  *bufio.Reader
	long []byte // a line that does not fit src
	line int
}

// newLineReader has a buffer that holds nearly every line, so that lines are
// not copied.
func newLineReader(r io.Reader) *lineReader {
	return &lineReader{src: bufio.NewReaderSize(r, 256<<10)}
}

// next gives the next line without its end, and io.EOF after the last.
func (r *lineReader) next() ([]byte, error) {
	r.line++
	text, err := r.src.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		text, err = r.rest(text)
	}
	if len(text) == 0 || err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return bytes.TrimRight(text, "\r\n"), nil
}

// rest collects a line that is longer than the buffer.
func (r *lineReader) rest(text []byte) ([]byte, error) {
	r.long = append(r.long[:0], text...)
	for len(r.long) <= longestText {
		text, err := r.src.ReadSlice('\n')
		r.long = append(r.long, text...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return r.long, err
		}
	}
	return nil, found("a line of more than "+strconv.Itoa(longestText)+" bytes", "a shorter one")
}
