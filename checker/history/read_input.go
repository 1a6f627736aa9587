package history

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"unicode/utf8"
)

// ReadInput reads an input of any format. name is for messages. All of it is
// checked before anything is given back.
func ReadInput(name string, r io.Reader, opts Options) (*Input, error) {
	head, r, err := peekHead(r)
	if err != nil {
		return nil, err
	}
	in := &Input{Name: name, Format: opts.Format}
	if in.Format == Detect {
		var bad *Error
		if in.Format, bad = detect(head); bad != nil {
			return nil, bad.at(name, 1)
		}
	}
	switch in.Format {
	case Intervals:
		err = in.readIntervals(r, opts)
	case Recorded:
		err = in.readRecording(r, opts)
	case Observations:
		in.Observations, err = ReadObservations(name, r)
	case Events:
		in.History, err = ReadEvents(name, r, opts)
	default:
		in.History, err = ReadEDN(name, r, opts)
	}
	if err == nil && in.History != nil && in.History.Kind != Unknown {
		in.Logs, err = in.History.Logs()
		var bad *Error
		if errors.As(err, &bad) {
			err = bad.at(name, bad.Line)
		}
	}
	if err != nil {
		return nil, err
	}
	return in, nil
}

// readIntervals reads the rest of r as interval text.
func (in *Input) readIntervals(r io.Reader, opts Options) error {
	data, err := readAll(r, opts.workers())
	if err != nil {
		return err
	}
	in.Logs, err = ReadIntervals(in.Name, data, opts)
	return err
}

// headSize is how much of an input detect sees.
const headSize = 4096

// peekHead gives the first bytes of an input, and a reader that still has
// them. A file stays one, since its size is known and it need not be copied
// through a buffer.
func peekHead(r io.Reader) ([]byte, io.Reader, error) {
	if f, ok := r.(*os.File); ok {
		head := make([]byte, headSize)
		at, err := f.Seek(0, io.SeekCurrent)
		if err == nil {
			n, err := f.ReadAt(head, at)
			if err == nil || errors.Is(err, io.EOF) {
				return head[:n], r, nil
			}
		}
	}
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	return head, b, nil
}

// detect tells the format from the first bytes of an input.
func detect(head []byte) (Format, *Error) {
	if isRecording(head) {
		return Recorded, nil
	}
	head = bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF"))
	if !isText(head) {
		return Detect, found("binary data", "a history as text")
	}
	text := bytes.TrimLeft(head, " \t\r\n,")
	if len(text) == 0 {
		return Detect, found("nothing", "a history")
	}
	switch text[0] {
	case '<':
		return Observations, nil
	case ';', '[', '(':
		return EDN, nil
	case '{':
		if next := bytes.TrimLeft(text[1:], " \t\r\n,"); len(next) > 0 && next[0] != '"' {
			return EDN, nil
		}
		return Events, nil
	// A tag has its name at once after the number sign, and a bracket
	// behind it. A header has neither.
	case '#':
		line := text[:endOfLine(text, 0)]
		if bytes.IndexByte(line, '{') > 0 && bytes.IndexAny(line, " \t") != 1 {
			return EDN, nil // #jepsen.history.Op{...}
		}
	}
	return Intervals, nil
}

// isText reports whether the bytes may be the beginning of UTF-8 text.
func isText(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	for cut := 0; cut < utf8.UTFMax && cut < len(head); cut++ {
		if utf8.Valid(head[:len(head)-cut]) {
			return true
		}
	}
	return len(head) == 0 || utf8.Valid(head)
}

// readAll reads what is left of r. A file is read in as many parts at once as
// there are workers: most of the time goes into giving out memory for it,
// which the kernel does for each part by itself.
func readAll(r io.Reader, workers int) ([]byte, error) {
	f, ok := r.(*os.File)
	if !ok {
		return io.ReadAll(r)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return io.ReadAll(r)
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil || info.Size() <= at {
		return io.ReadAll(r)
	}
	data := make([]byte, info.Size()-at)
	if !readParts(f, at, data, workers) {
		return io.ReadAll(r) // it has become shorter: take it as it comes
	}
	return data, nil
}

// readParts fills data with what the file has from an offset on, and reports
// whether there was enough.
func readParts(f *os.File, at int64, data []byte, workers int) bool {
	const least = 1 << 20 // less is not worth a goroutine
	part := max(len(data)/workers+1, least)
	failed := make([]bool, len(data)/part+1)
	var wg sync.WaitGroup
	for i := range failed {
		wg.Go(func() {
			piece := data[i*part : min((i+1)*part, len(data))]
			n, _ := f.ReadAt(piece, at+int64(i*part))
			failed[i] = n < len(piece)
		})
	}
	wg.Wait()
	for _, bad := range failed {
		if bad {
			return false
		}
	}
	return true
}
