package history

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strconv"

	"github.com/mapatom/mapatom/checker/internal/recording"
)

// eventLines reads the events format as a recording that grows. Its events are in
// the order in which they happened, so that what comes before the last one is
// complete; the times are their numbers. Each thread has the part of a recorder's
// buffer.
type eventLines struct {
	lines   *lineReader
	reader  eventReader // of the header and of single events
	shards  map[string]*recordedShard
	open    map[int64]openEvent // by id
	encoded []byte
}

// An openEvent is a call that has not returned.
type openEvent struct {
	shard          *recordedShard
	number         uint64
	thread, object string
	method         string
}

// atOnce is how many lines are read before somebody may look at them.
const atOnce = 4096

// newEventLines begins a recording of events; in has their first bytes.
func newEventLines(rd *Recording, in *bufio.Reader) error {
	e := &eventLines{lines: &lineReader{src: in}, shards: map[string]*recordedShard{}, open: map[int64]openEvent{}}
	e.reader.h = &History{Kind: rd.kind}
	rd.events = e
	for !e.reader.header {
		line, err := e.lines.next()
		if err != nil && !ended(err) {
			return err
		}
		if line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF")); err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if bad := e.reader.readLine(line, e.lines.line); bad != nil {
			return bad.at(rd.file, e.lines.line)
		}
	}
	h := e.reader.h
	rd.kind, rd.first, rd.min = h.Kind, h.Initial, h.MinFirst
	return nil
}

// next reads the lines that are there, or waits for one.
func (e *eventLines) next(rd *Recording) error {
	for n := 0; n < atOnce && (n == 0 || e.lines.src.Buffered() > 0); n++ {
		line, err := e.lines.next()
		if errors.Is(err, io.EOF) {
			return rd.finish()
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if bad := e.line(rd, line); bad != nil {
			return bad.at(rd.file, e.lines.line)
		}
	}
	rd.Until = e.reader.at
	return nil
}

// line takes up an event.
func (e *eventLines) line(rd *Recording, line []byte) *Error {
	s, ev := &scanner{data: line}, event{}
	e.reader.values = e.reader.values[:0] // nobody keeps them
	switch err := s.members(func(key string) *Error { return e.reader.member(&ev, s, key) }); {
	case err != nil:
		return err
	case s.peek() != 0:
		return found(s.here()+" after the object", "one object on each line")
	case ev.kind == "":
		return found("an event without a type", `"type":"call", "return" or "stuck"`)
	case e.reader.stuck:
		return found("an event after stuck", "nothing")
	case ev.kind == "stuck" && len(e.open) == 0:
		return found("stuck where no operation is open", "a call that does not return")
	case ev.kind == "stuck":
		e.reader.stuck = true
		return nil
	case !ev.hasID:
		return found("a "+ev.kind+" without an id", "the id of its operation")
	case ev.kind == "call":
		return e.call(rd, &ev)
	}
	return e.ret(rd, &ev)
}

// call takes up a call. What has returned is forgotten, so that an id may come
// again, which reading all of a file at once does not allow.
func (e *eventLines) call(rd *Recording, ev *event) *Error {
	_, again := e.open[ev.id]
	switch {
	case !ev.hasThread:
		return found("a call without a thread", `"thread", a string or an integer`)
	case ev.method == "":
		return found("a call without a method", `"method"`)
	case ev.results != nil:
		return found("results of a call", "them with the return")
	case again:
		return found("a second call with id "+strconv.FormatInt(ev.id, 10), "an id of its own")
	}
	shard := e.shards[ev.thread]
	if shard == nil {
		shard = &recordedShard{thread: int32(rd.thread(ev.thread))}
		e.shards[ev.thread] = shard
	}
	if len(shard.open) > 0 {
		return found("a call of "+ev.method+" by thread "+quote([]byte(ev.thread))+", which has not returned from "+shard.open[0].spelling.word, "that return first")
	}
	w, err := rd.word(ev.object, ev.method)
	if err != nil {
		return err
	}
	if err := rd.call(shard, &w, e.reader.at, e.cursor(ev.args)); err != nil {
		return err
	}
	e.open[ev.id] = openEvent{shard, shard.calls, ev.thread, ev.object, ev.method}
	shard.calls++
	e.reader.at++
	return nil
}

// ret takes up a return.
func (e *eventLines) ret(rd *Recording, ev *event) *Error {
	o, open := e.open[ev.id]
	switch {
	case !open:
		return found("a return before a call with id "+strconv.FormatInt(ev.id, 10), "the call first")
	case ev.hasThread && ev.thread != o.thread:
		return found("a return by thread "+quote([]byte(ev.thread)), "thread "+quote([]byte(o.thread))+", which called")
	case ev.args != nil || ev.object != "" && ev.object != o.object || ev.method != "" && ev.method != o.method:
		return found("a return with args or of another method", `"id" and "results"`)
	}
	delete(e.open, ev.id)
	if err := rd.ret(o.shard, o.number, e.reader.at, e.cursor(ev.results)); err != nil {
		return err
	}
	e.reader.at++
	return nil
}

// cursor gives values as they stand in a block.
func (e *eventLines) cursor(values []Value) *cursor {
	b := binary.AppendUvarint(e.encoded[:0], uint64(len(values)))
	for _, v := range values {
		n, err := strconv.ParseInt(string(v), 10, 64)
		switch {
		case err == nil && strconv.FormatInt(n, 10) == string(v):
			b = binary.AppendUvarint(append(b, recording.Int), uint64(n)<<1^uint64(n>>63))
		case v == "null":
			b = append(b, recording.Null)
		case v == "false":
			b = append(b, recording.False)
		case v == "true":
			b = append(b, recording.True)
		default:
			b = append(binary.AppendUvarint(append(b, recording.JSON), uint64(len(v))), v...)
		}
	}
	e.encoded = b
	return &cursor{data: b}
}
