package history

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/checker/internal/recording"
)

// A Recording is a history that is read while it is written, from a file or a
// pipe: what package record writes, or the events format. Next reads on to where it is known that
// nothing earlier is missing.
type Recording struct {
	// Tables are the objects so far, in the order of their first calls.
	Tables []*Table
	// Until is the time up to which the recording is complete: every event
	// before it has been read.
	Until int64
	// Truncated says that the recording was not closed: the program was
	// killed, and what it did last is missing.
	Truncated bool

	file   string
	in     *bufio.Reader
	events *eventLines // nil for what package record writes
	at     int64       // bytes that were read
	kind   Kind
	first  Value // of registers
	min    bool
	byName map[string]*Table
	shards map[uint64]*recordedShard
	frame  []byte
	values []recordedValue
	// read are the calls and returns so far, and latest is the time of the last.
	read    int64
	latest  int64
	line    int32 // of the last call: its number, as far as that goes
	calls   int64
	threads []string
	spare   []*openCall
}

// A Table is the log of one object of a Recording as it grows. A consumer may
// take rows out with Keep.
type Table struct {
	Log          Log
	names        names
	texts        map[string]int64 // of strings as they stand in the recording
	open         []*openCall      // that have not returned
	nullIsAbsent bool
	nullStored   bool   // null was put in as a value
	nullGiven    string // the method that gave null where nothing was, if one did
	second       bool   // a result came with a second one that says whether there was one
	columnSecond bool
	threads      *[]string // of the recording

	view     Log // the last one
	viewRows []int32
	most     int // rows that there were of late, at least
}

// An openCall is an operation that has not returned.
type openCall struct {
	number   uint64 // in its shard
	table    *Table
	row      int32
	spelling *spelling
	args     [2]recordedValue
}

// A recordedShard is what is known of one of the recorder's buffers.
type recordedShard struct {
	thread int32 // -1 if it has no name
	calls  uint64
	open   []*openCall
}

// A recordedValue is a value as a number of its table, and how it was written.
type recordedValue struct {
	number int64
	tag    byte
}

// maxFrame bounds a frame: a recorder writes one of 16 KB, or with one value
// that is larger.
const maxFrame = 256 << 20

// NewRecording reads the beginning of a recording. The kind of the options is
// used if it does not say what its objects are, and so is the format if it is that
// of events; else the first byte tells.
func NewRecording(name string, r io.Reader, opts Options) (*Recording, error) {
	rd := &Recording{file: name, in: bufio.NewReaderSize(r, 1<<20), kind: opts.Kind, byName: map[string]*Table{}, shards: map[uint64]*recordedShard{}}
	if first, err := rd.in.Peek(1); opts.Format == Events || err == nil && first[0] == '{' {
		if err := newEventLines(rd, rd.in); err != nil {
			return nil, err
		}
		return rd.begun()
	}
	magic := make([]byte, len(recording.Magic))
	if n, err := io.ReadFull(rd.in, magic); err != nil && !ended(err) {
		return nil, err
	} else if string(magic[:n]) != recording.Magic {
		return nil, found("no recording", "one that package record has written").at(name, 0)
	}
	line, err := rd.in.ReadSlice('\n')
	if err != nil && !ended(err) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	rd.at = int64(len(magic) + len(line))
	if bad := rd.header(line); bad != nil {
		return nil, bad.at(name, 0)
	}
	return rd.begun()
}

// begun gives the recording after its header.
func (rd *Recording) begun() (*Recording, error) {
	if rd.kind == Unknown {
		return nil, found("a recording that does not say of what kind its objects are", "a kind in record.Options, or -object").at(rd.file, 0)
	}
	return rd, nil
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// header reads the line of JSON.
func (rd *Recording) header(line []byte) *Error {
	s := &scanner{data: line}
	format, version := Value(""), Value("")
	err := s.members(func(key string) *Error {
		v, err := s.value()
		switch {
		case err != nil:
			return err
		case key == "format":
			format = v
		case key == "version":
			version = v
		case key == "initial":
			rd.first = v
		case key == "order" && (v == `"min"` || v == `"max"`):
			rd.min = v == `"min"`
		case key == "kind":
			for k := Stack; k <= Map; k++ {
				if v == String(k.String()) {
					rd.kind = k
					return nil
				}
			}
			return found("kind "+or(v, ""), "stack, queue, priorityqueue, set, register or map")
		default:
			return found("the name "+quote([]byte(key))+" in the header", "format, version, kind, order or initial")
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case format != `"mapatom-recording"`:
		return found("format "+or(format, "missing"), `"mapatom-recording"`)
	case version != Value(strconv.Itoa(recording.Version)):
		return found("version "+or(version, "missing"), "version "+strconv.Itoa(recording.Version))
	}
	return nil
}

// Next reads frames up to the next mark, or the lines that are there. It gives io.EOF at the end, when Until
// is after everything.
func (rd *Recording) Next() error {
	if rd.events != nil {
		return rd.events.next(rd)
	}
	for {
		kind, payload, err := rd.next()
		if ended(err) {
			rd.Truncated = true
			return rd.finish()
		}
		if err != nil {
			return err
		}
		switch kind {
		case recording.Block:
			if bad := rd.block(payload); bad != nil {
				return fmt.Errorf("%w (the block that ends at byte %d)", bad.at(rd.file, 0), rd.at)
			}
		case recording.Mark:
			if at, n := binary.Uvarint(payload); n > 0 && int64(at) > rd.Until {
				rd.Until = int64(at)
				return nil
			}
		default:
			return rd.finish()
		}
	}
}

// finish is the end: nothing is to come.
func (rd *Recording) finish() error {
	rd.Until = Pending
	return io.EOF
}

// next reads a frame. One that is cut off is the end.
func (rd *Recording) next() (kind byte, payload []byte, err error) {
	const head = 5
	rd.frame = slices.Grow(rd.frame[:0], head)[:head]
	if _, err := io.ReadFull(rd.in, rd.frame); err != nil {
		return 0, nil, err
	}
	kind = rd.frame[0]
	size := int(binary.LittleEndian.Uint32(rd.frame[1:]))
	if kind != recording.Block && kind != recording.Mark && kind != recording.End || size > maxFrame {
		return 0, nil, found(fmt.Sprintf("at byte %d %s", rd.at, quote(rd.frame)), "the beginning of a block").at(rd.file, 0)
	}
	// A length is believed only as far as there are bytes.
	for need := head + size + 4; len(rd.frame) < need; {
		n := len(rd.frame)
		part := min(need-n, 1<<20)
		rd.frame = slices.Grow(rd.frame, part)[:n+part]
		if _, err := io.ReadFull(rd.in, rd.frame[n:]); err != nil {
			return 0, nil, err
		}
	}
	rd.at += int64(len(rd.frame))
	body := rd.frame[:head+size]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(rd.frame[head+size:]) {
		return 0, nil, found(fmt.Sprintf("a block that ends at byte %d and is not what was written", rd.at), "its checksum").at(rd.file, 0)
	}
	return kind, body[head:], nil
}

// A cursor reads the payload of a block.
type cursor struct {
	data []byte
	bad  bool
}

func (c *cursor) uint() uint64 {
	if len(c.data) > 0 && c.data[0] < 0x80 {
		x := uint64(c.data[0])
		c.data = c.data[1:]
		return x
	}
	x, n := binary.Uvarint(c.data)
	if n <= 0 {
		c.bad, c.data = true, nil
		return 0
	}
	c.data = c.data[n:]
	return x
}

func (c *cursor) byte() byte {
	if len(c.data) == 0 {
		c.bad = true
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return b
}

func (c *cursor) text() []byte {
	n := c.uint()
	if n > uint64(len(c.data)) {
		c.bad, c.data = true, nil
		return nil
	}
	text := c.data[:n]
	c.data = c.data[n:]
	return text
}

// A recordedWord is a method of an object.
type recordedWord struct {
	table    *Table
	spelling *spelling
	method   string
}

// block reads the events of one block.
func (rd *Recording) block(payload []byte) *Error {
	c := &cursor{data: payload}
	number := c.uint()
	name := c.text()
	first, now := c.uint(), int64(c.uint())
	if c.bad {
		return found("a block that is cut off", "its shard, thread, count and time")
	}
	s := rd.shards[number]
	if s == nil {
		s = &recordedShard{thread: -1}
		rd.shards[number] = s
	}
	if len(name) > 0 && s.thread < 0 {
		s.thread = int32(rd.thread(string(name)))
	}
	if first != s.calls {
		return found(fmt.Sprintf("call %d of shard %d", first, number), fmt.Sprintf("call %d: a block is missing", s.calls))
	}
	var words []recordedWord
	for len(c.data) > 0 {
		event := c.byte()
		if event == recording.Word {
			w, err := rd.word(string(c.text()), string(c.text()))
			if err != nil {
				return err
			}
			words = append(words, w)
			continue
		}
		which := c.uint()
		if event == recording.Cancel {
			if !s.cancel(s.calls - which) {
				return found("the end of an operation that is not open", "one that was called")
			}
			continue
		}
		now += int64(c.uint())
		if now < 0 || now == Pending {
			return found("a time below zero", "the time since the recording began")
		}
		var err *Error
		switch {
		case event == recording.Call && which < uint64(len(words)):
			err = rd.call(s, &words[which], now, c)
			s.calls++
		case event == recording.Return:
			err = rd.ret(s, s.calls-which, now, c)
		default:
			err = found(fmt.Sprintf("event %d", event), "a call, a return or a word")
		}
		if err != nil {
			return err
		}
		if c.bad {
			return found("an event that is cut off", "all of it")
		}
	}
	return nil
}

// thread gives the number of a thread.
func (rd *Recording) thread(name string) int {
	if i := slices.Index(rd.threads, name); i >= 0 {
		return i
	}
	rd.threads = append(rd.threads, name)
	return len(rd.threads) - 1
}

// word looks up a method of an object.
func (rd *Recording) word(object, method string) (recordedWord, *Error) {
	t := rd.byName[object]
	if t == nil {
		t = &Table{texts: map[string]int64{}, nullIsAbsent: rd.kind == Register}
		t.Log = Log{Kind: rd.kind, Object: object, Initial: Absent, MinFirst: rd.min}
		t.threads = &rd.threads
		if rd.kind == Register && rd.first != "" && rd.first != "null" {
			t.Log.Initial = t.names.number(rd.first)
		}
		rd.byName[object] = t
		rd.Tables = append(rd.Tables, t)
	}
	s := dictionary[rd.kind][plainWord(method)]
	if s == nil {
		return recordedWord{}, found("method "+quote([]byte(method))+" of a "+rd.kind.String(), wordsOf(rd.kind))
	}
	return recordedWord{t, s, method}, nil
}

// list reads values.
func (rd *Recording) list(t *Table, c *cursor) ([]recordedValue, *Error) {
	n := c.uint()
	if n > uint64(len(c.data)) {
		c.bad = true
		return nil, nil
	}
	rd.values = rd.values[:0]
	for range n {
		v := recordedValue{tag: c.byte()}
		switch v.tag {
		case recording.Null, recording.False, recording.True:
		case recording.Int:
			x := c.uint()
			v.number = int64(x>>1) ^ -int64(x&1)
			if v.number < lowestNumber {
				v.number = t.names.name(Value(strconv.FormatInt(v.number, 10)))
			}
		case recording.Text:
			text := c.text()
			number, known := t.texts[string(text)]
			if !known {
				number = t.names.name(String(string(text)))
				t.texts[string(text)] = number
			}
			v.number = number
		case recording.JSON:
			text, err := canonical(c.text())
			if err != nil && !c.bad {
				return nil, err
			}
			if !c.bad {
				v.number = t.names.number(text)
			}
		default:
			return nil, found(fmt.Sprintf("value %d", v.tag), "null, false, true, a number, a string or JSON")
		}
		rd.values = append(rd.values, v)
	}
	return rd.values, nil
}

// plain gives the number of a value that may be any.
func (t *Table) plain(v recordedValue) int64 {
	switch v.tag {
	case recording.Null:
		return t.names.name("null")
	case recording.False:
		return t.names.name("false")
	case recording.True:
		return t.names.name("true")
	}
	return v.number
}

// call takes up a call as a row that is pending.
func (rd *Recording) call(s *recordedShard, w *recordedWord, now int64, c *cursor) *Error {
	t := w.table
	args, err := rd.list(t, c)
	if err != nil || c.bad {
		return err
	}
	l := &t.Log
	o := rd.openCall()
	*o = openCall{number: s.calls, table: t, row: int32(l.Len()), spelling: w.spelling}
	if l.Kind == Map {
		if len(args) == 0 {
			return found(w.method+" without a key", "a key as its first argument")
		}
		l.Key = append(l.Key, t.plain(args[0]))
		args = args[1:]
	}
	if takes := w.spelling.takes(); len(args) != takes {
		return found(w.method+" with "+count(len(args), "argument"), count(takes, "argument"))
	}
	copy(o.args[:], args)
	r, err := t.row(o, nil, true)
	if err != nil {
		return err
	}
	rd.note(now)
	rd.calls++
	rd.line = int32(min(rd.calls, math.MaxInt32))
	if rd.events != nil {
		rd.line = int32(min(rd.events.lines.line, math.MaxInt32))
	}
	l.Method = append(l.Method, r.method)
	l.Value = append(l.Value, r.value)
	l.Second = append(l.Second, r.second)
	l.Call = append(l.Call, now)
	l.Return = append(l.Return, Pending)
	l.Thread = append(l.Thread, s.thread)
	l.Line = append(l.Line, rd.line)
	t.columnSecond = t.columnSecond || r.method.hasSecond()
	t.open = append(t.open, o)
	s.open = append(s.open, o)
	return nil
}

// openCall gives one that is not in use.
func (rd *Recording) openCall() *openCall {
	n := len(rd.spare)
	if n == 0 {
		return new(openCall)
	}
	o := rd.spare[n-1]
	rd.spare = rd.spare[:n-1]
	return o
}

// take removes an operation from those that are open.
func (s *recordedShard) take(number uint64) *openCall {
	for i := len(s.open) - 1; i >= 0; i-- {
		if o := s.open[i]; o.number == number {
			last := len(s.open) - 1
			s.open[i] = s.open[last]
			s.open = s.open[:last]
			t := o.table
			at := slices.Index(t.open, o)
			last = len(t.open) - 1
			t.open[at] = t.open[last]
			t.open = t.open[:last]
			return o
		}
	}
	return nil
}

// cancel has a call never have been: its row stays, as one that nobody looks
// at.
func (s *recordedShard) cancel(number uint64) bool {
	o := s.take(number)
	if o == nil {
		return false
	}
	o.table.Log.Return[o.row] = cancelled
	return true
}

// cancelled is the return of a row that is to be dropped.
const cancelled = -1

// ret completes a row.
func (rd *Recording) ret(s *recordedShard, number uint64, now int64, c *cursor) *Error {
	o := s.take(number)
	if o == nil {
		return found("the return of an operation that is not open", "one that was called")
	}
	t := o.table
	results, err := rd.list(t, c)
	if err != nil || c.bad {
		return err
	}
	r, err := t.row(o, results, false)
	if err != nil {
		return err
	}
	rd.note(now)
	l := &t.Log
	if now < l.Call[o.row] {
		return found("a return before its call", "a later time")
	}
	l.Method[o.row], l.Value[o.row], l.Second[o.row], l.Return[o.row] = r.method, r.value, r.second, now
	t.columnSecond = t.columnSecond || r.method.hasSecond()
	rd.spare = append(rd.spare, o)
	return nil
}

// row makes the row of a call and its results, as logBuilder.add does of an
// Operation.
func (t *Table) row(o *openCall, results []recordedValue, pending bool) (row, *Error) {
	s := o.spelling
	var room [3]int64
	values, answer := room[:0], unsaid
	for i := range s.takes() {
		switch arg := o.args[i]; {
		case arg.tag == recording.Null && t.nullIsAbsent:
			values = append(values, Absent)
		case arg.tag == recording.Null:
			t.nullStored = true
			values = append(values, t.plain(arg))
			if t.nullGiven != "" { // in a block of another shard, perhaps after this
				return row{}, nullIsBoth(t.nullGiven)
			}
		default:
			values = append(values, t.plain(arg))
		}
	}
	optional := s.shape == shapeErase || s.shape == shapePut
	switch {
	case pending && s.gives():
		values = append(values, Unknowable)
	case pending:
	case s.shape.answers():
		if len(results) != 1 || results[0].tag != recording.True && results[0].tag != recording.False {
			return row{}, t.unfit(o, results, "true or false")
		}
		answer = no
		if results[0].tag == recording.True {
			answer = yes
		}
	case s.shape.resultAt() >= 0:
		switch {
		case len(results) == 0 && optional:
		case len(results) == 2 && results[1].tag == recording.True:
			t.second = true
			values = append(values, t.plain(results[0]))
		case len(results) == 2 && results[1].tag == recording.False:
			t.second = true
			values = append(values, Absent)
		case len(results) != 1 || s.shape == shapeErase && (results[0].tag == recording.True || results[0].tag == recording.False):
			return row{}, t.unfit(o, results, "a value, or a value and whether it was there")
		case results[0].tag != recording.Null:
			values = append(values, t.plain(results[0]))
		case t.nullStored && !t.nullIsAbsent:
			return row{}, nullIsBoth(s.word)
		default:
			if results[0].tag == recording.Null && !t.nullIsAbsent {
				t.nullGiven = s.word
			}
			values = append(values, Absent)
		}
	case len(results) == 1 && results[0].tag == recording.False:
		return row{}, found(s.word+" that gave false", "one that succeeded, or Call.Cancel in the place of Call.End")
	}
	if err := s.complain(&t.Log, values, answer, pending); err != nil {
		return row{}, err
	}
	return s.fill(values, answer), nil
}

// nullIsBoth is the error of a null that a method gave, which is a value or the
// absence of one.
func nullIsBoth(method string) *Error {
	return found(method+" that gave null, which was stored as a value as well", "a second result that says whether there was a value")
}

// unfit is the error of results that the method cannot give.
func (t *Table) unfit(o *openCall, results []recordedValue, want string) *Error {
	words := make([]Value, len(results))
	for i, v := range results {
		words[i] = t.Log.nameIn(&t.names, t.plain(v))
	}
	return found("results "+list(words)+" of "+o.spelling.word, want)
}

// nameIn is NameOf with names that the log does not have yet.
func (l *Log) nameIn(n *names, v int64) Value {
	with := Log{Names: n.list}
	return with.NameOf(v)
}

// View is the table as a log that can be checked: rows that were cancelled are
// out of it, and what happened after a time is not in it. rows are the table's
// rows of the log's. Both are there until the next View.
func (t *Table) View(until int64) (l *Log, rows []int32) {
	t.Log.Names = t.names.list
	rows = slices.Grow(t.viewRows[:0], t.Log.Len())
	for row, call := range t.Log.Call {
		if call < until && t.Log.Return[row] != cancelled {
			rows = append(rows, int32(row))
		}
	}
	t.viewRows = rows
	slices.SortStableFunc(rows, func(a, b int32) int {
		switch x, y := t.Log.Call[a], t.Log.Call[b]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	t.Log.Threads = *t.threads
	l = &t.view
	t.Log.selectInto(l, rows)
	if !t.columnSecond {
		l.Second = nil
	}
	for i := range rows {
		if l.Return[i] != Pending && l.Return[i] >= until {
			l.Return[i] = Pending
			l.Method[i] = l.Method[i].Called()
			l.hide(i)
		}
	}
	if slices.Contains(l.Thread, -1) {
		l.Thread, l.Threads = nil, nil
	}
	return l, rows
}

// hide makes the result of a row unknown.
func (l *Log) hide(i int) {
	switch l.Method[i] {
	case Remove, Peek, Read:
		l.Value[i] = Unknowable
	case Swap, FetchAdd, GetOrPut:
		l.Second[i] = Unknowable
	}
}

// readRecording reads all of a recording.
func (in *Input) readRecording(r io.Reader, opts Options) error {
	rd, err := NewRecording(in.Name, r, opts)
	if err != nil {
		return err
	}
	for err == nil {
		err = rd.Next()
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	in.Truncated = rd.Truncated
	for _, t := range rd.Tables {
		l, _ := t.View(Pending)
		in.Logs = append(in.Logs, l)
	}
	if len(in.Logs) == 0 {
		in.Logs = []*Log{{Kind: rd.kind, Initial: Absent, MinFirst: rd.min}}
	}
	return nil
}

// isRecording reports whether an input begins as a recording does.
func isRecording(head []byte) bool { return bytes.HasPrefix(head, []byte(recording.Magic)) }

// Drop takes rows out, which are ascending and of operations that have returned.
func (t *Table) Drop(rows []int32) {
	l := &t.Log
	for i, end := range l.Return {
		if end == cancelled {
			rows = append(rows, int32(i))
		}
	}
	slices.Sort(rows)
	for _, o := range t.open {
		before, _ := slices.BinarySearch(rows, o.row)
		o.row -= int32(before)
	}
	n, next := 0, 0
	for row := range l.Method {
		if next < len(rows) && int(rows[next]) == row {
			next++
			continue
		}
		l.Method[n], l.Value[n], l.Second[n] = l.Method[row], l.Value[row], l.Second[row]
		l.Call[n], l.Return[n], l.Thread[n], l.Line[n] = l.Call[row], l.Return[row], l.Thread[row], l.Line[row]
		if l.Kind == Map {
			l.Key[n] = l.Key[row]
		}
		n++
	}
	t.cut(n)
	// Names of values that nobody has any more would be all that an endless
	// history leaves behind.
	if len(t.names.list) > 1<<12 && len(t.names.list) > 4*n {
		t.rename()
	}
}

// cut shortens the columns, and gives back memory of which little is used.
func (t *Table) cut(n int) {
	const least = 1 << 16
	l := &t.Log
	// What there was will mostly be there again: where an operation is open for long,
	// every few looks. Memory that is given back each time has to be made again.
	t.most = max(l.Len(), t.most-t.most/8)
	room := cap(l.Value)
	if room > least && room > 2*t.most {
		room, t.view, t.viewRows = t.most+t.most/4, Log{}, nil
	}
	l.Method, l.Value, l.Second = shorter(l.Method, n, room), shorter(l.Value, n, room), shorter(l.Second, n, room)
	l.Call, l.Return = shorter(l.Call, n, room), shorter(l.Return, n, room)
	l.Thread, l.Line = shorter(l.Thread, n, room), shorter(l.Line, n, room)
	if l.Kind == Map {
		l.Key = shorter(l.Key, n, room)
	}
}

// shorter gives the first elements of a column, in memory for so many if it has
// more.
func shorter[T any](column []T, n, room int) []T {
	if cap(column) <= room {
		return column[:n]
	}
	return append(make([]T, 0, room), column[:n]...)
}

// rename numbers the names that are still in use anew.
func (t *Table) rename() {
	l := &t.Log
	old := t.names.list
	t.names, t.texts = names{}, map[string]int64{}
	renamed := map[int64]int64{}
	number := func(v int64) int64 {
		if !l.isName(v) {
			return v
		}
		to, known := renamed[v]
		if !known {
			to = t.names.name(old[v-FirstName])
			renamed[v] = to
		}
		return to
	}
	l.Initial = number(l.Initial)
	for i := range l.Method {
		l.Value[i], l.Second[i] = number(l.Value[i]), number(l.Second[i])
		if l.Kind == Map {
			l.Key[i] = number(l.Key[i])
		}
	}
	for _, o := range t.open {
		for i := range o.args {
			if o.args[i].tag == recording.Int || o.args[i].tag == recording.Text || o.args[i].tag == recording.JSON {
				o.args[i].number = number(o.args[i].number)
			}
		}
	}
}

// Replace makes a row say that the object was given a value at an instant.
func (t *Table) Replace(row int32, m Method, value, at int64) {
	l := &t.Log
	l.Method[row], l.Value[row], l.Second[row] = m, value, Absent
	l.Call[row], l.Return[row] = at, at
}

// Kind is the kind of the objects.
func (rd *Recording) Kind() Kind { return rd.kind }

// Read is how many calls and returns were read, and the time of the latest: Until may
// be before that.
func (rd *Recording) Read() (events, latest int64) { return rd.read, rd.latest }

// note counts an event.
func (rd *Recording) note(now int64) {
	rd.read++
	rd.latest = max(rd.latest, now)
}

// Operations is how many calls were read.
func (rd *Recording) Operations() int64 { return rd.calls }
