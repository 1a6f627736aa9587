package history

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// ReadIntervals reads interval text, one operation a line:
//
//	# queue
//	enq 1 0 4
//	deq 1 2 7
//
// or with PROCESS START END METHOD VALUE. A further header begins another
// object. data is not kept.
func ReadIntervals(name string, data []byte, opts Options) ([]*Log, error) {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	rd := intervalReader{file: name, data: data, workers: opts.workers()}
	if err := rd.split(opts.Kind); err != nil {
		return nil, err
	}
	rd.each(func(c *chunk) { c.lines = countLines(c.data) })
	rd.place()
	rd.each((*chunk).parse)
	for _, c := range rd.chunks {
		if c.err != nil {
			c.err.File = name
			return nil, c.err
		}
	}
	logs := make([]*Log, len(rd.sections))
	for i, s := range rd.sections {
		logs[i] = s.finish()
		if row, err := logs[i].twoOpen(); err != nil {
			return nil, err.at(name, logs[i].LineOf(row))
		}
	}
	return logs, nil
}

// chunkSize is how much one goroutine parses at a time: large enough that
// handing out chunks costs nothing, small enough to stay in the cache.
const chunkSize = 256 << 10

// An intervalReader reads one file. First it cuts the text into sections, one
// an object, and those into chunks of whole lines. Counting the lines of a
// chunk is much faster than parsing them, and tells where its rows will
// stand: then all chunks are parsed at once, straight into the columns.
type intervalReader struct {
	file     string
	data     []byte
	workers  int
	sections []*section
	chunks   []*chunk
}

// A section is the part of the text that is about one object.
type section struct {
	log    Log
	words  *wordTable
	chunks []*chunk
	names  names
	start  int // offset of its header
	body   int // offset of its first row
	head   int // lines between the two
	// perProcess says that lines have the form PROCESS START END METHOD
	// VALUE. The first line decides for the section.
	perProcess bool
}

// A chunk is some whole lines of a section.
type chunk struct {
	section   *section
	data      []byte
	firstLine int // of the file, from 1
	firstRow  int // of the section's columns
	lines     int
	rows      int
	// lineOf has the line of each row, once one line was not a row.
	lineOf     []int32
	usesSecond bool
	names      names
	threads    threadNames
	err        *Error
}

// each runs f on all chunks, with as many goroutines as there are workers.
func (rd *intervalReader) each(f func(*chunk)) {
	if rd.workers == 1 || len(rd.chunks) == 1 {
		for _, c := range rd.chunks {
			f(c)
		}
		return
	}
	// Chunks are handed out one by one, so that a goroutine that is held up
	// does not hold up the others' share.
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(rd.workers, len(rd.chunks)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(rd.chunks); i = int(next.Add(1)) - 1 {
				f(rd.chunks[i])
			}
		})
	}
	wg.Wait()
}

// countLines counts lines, a last one without its end included.
func countLines(data []byte) int {
	n := bytes.Count(data, []byte{'\n'})
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// place gives every chunk its lines and its rows, and every section columns
// that are large enough. Lines are in the order of the file, so that the
// chunks of one section follow each other.
func (rd *intervalReader) place() {
	line := 1
	for _, s := range rd.sections {
		row := 0
		line += s.head
		for _, c := range s.chunks {
			c.firstLine, c.firstRow = line, row
			line += c.lines
			row += c.lines
		}
		s.allocate(row)
	}
}

// allocate makes the columns. Second is dropped in the end if nothing used
// it: memory that was never written costs nothing.
func (s *section) allocate(n int) {
	l := &s.log
	l.Method = make([]Method, n)
	l.Value, l.Call, l.Return = make([]int64, n), make([]int64, n), make([]int64, n)
	if l.Kind == Map {
		l.Key = make([]int64, n)
	}
	if l.Kind == Map || l.Kind == Register {
		l.Second = make([]int64, n)
	}
	if s.perProcess {
		l.Thread = make([]int32, n)
	}
}
