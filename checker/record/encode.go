package record

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"reflect"
	"strconv"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/internal/recording"
)

// header is the beginning of the file: what makes it a recording, and a line
// of JSON with what holds for all of it.
func header(o Options) []byte {
	line := fmt.Sprintf(`{"format":"mapatom-recording","version":%d`, recording.Version)
	if o.Kind != history.Unknown {
		line += fmt.Sprintf(`,"kind":%q`, o.Kind)
	}
	if o.MinFirst {
		line += `,"order":"min"`
	}
	if o.Initial != nil {
		line += `,"initial":` + string(asJSON(nil, reflect.ValueOf(o.Initial), 0))
	}
	return []byte(recording.Magic + line + "}\n")
}

// frameHead is the length of what stands before the payload of a frame: its
// kind, and the length of the payload in four bytes.
const frameHead = 5

// fresh takes a buffer and begins a block in it.
func (s *shard) fresh() {
	s.buffer = s.recorder.spare.Get().(*[]byte)
	s.begin()
}

// begin begins a block in a buffer that has no events. The times in it count
// from the last one, which stands at its head.
func (s *shard) begin() {
	b := append((*s.buffer)[:0], recording.Block, 0, 0, 0, 0)
	b = appendUint(b, s.number)
	b = appendText(b, s.name)
	b = appendUint(b, s.calls)
	b = appendUint(b, uint64(s.last))
	s.events, s.words, s.start = b, s.words[:0], len(b)
}

// finish fills in the length of a frame and appends its checksum.
func finish(b []byte) []byte {
	binary.LittleEndian.PutUint32(b[1:], uint32(len(b)-frameHead))
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// mark is a frame that says that all events before a time are written.
func mark(kind byte, time int64) []byte {
	return finish(appendUint([]byte{kind, 0, 0, 0, 0}, uint64(time)))
}

func appendUint(b []byte, x uint64) []byte {
	if x < 0x80 {
		return append(b, byte(x))
	}
	return binary.AppendUvarint(b, x)
}

func appendText(b []byte, text string) []byte {
	return append(appendUint(b, uint64(len(text))), text...)
}

// appendValues appends how many values there are, and each. No value may
// escape, or every call would allocate: so no method of a value is called, and
// an error is known by its address.
func appendValues(b []byte, values []any) []byte {
	b = appendUint(b, uint64(len(values)))
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			b = append(b, recording.Null)
		case int:
			b = appendInt(b, int64(v))
		case string:
			b = appendText(append(b, recording.Text), v)
		case bool:
			b = appendBool(b, v)
		case int64:
			b = appendInt(b, v)
		default:
			b = appendOther(b, reflect.ValueOf(v))
		}
	}
	return b
}

func appendInt(b []byte, x int64) []byte {
	return appendUint(append(b, recording.Int), uint64(x)<<1^uint64(x>>63))
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, recording.True)
	}
	return append(b, recording.False)
}

// appendOther appends a value of any type.
func appendOther(b []byte, v reflect.Value) []byte {
	switch {
	case v.CanInt():
		return appendInt(b, v.Int())
	case v.CanUint() && v.Uint() < 1<<63:
		return appendInt(b, int64(v.Uint()))
	}
	switch v.Kind() {
	case reflect.Bool:
		return appendBool(b, v.Bool())
	case reflect.String:
		return appendText(append(b, recording.Text), v.String())
	}
	text := asJSON(nil, v, 0)
	if string(text) == "null" {
		return append(b, recording.Null)
	}
	b = appendUint(append(b, recording.JSON), uint64(len(text)))
	return append(b, text...)
}

// deepest bounds how far a value is looked into.
const deepest = 8

// asJSON appends a value as JSON. What has an identity, as a pointer or a map
// has, is its type and its address; the rest is its contents.
func asJSON(b []byte, v reflect.Value, depth int) []byte {
	switch {
	case !v.IsValid():
		return append(b, "null"...)
	case v.CanInt():
		return strconv.AppendInt(b, v.Int(), 10)
	case v.CanUint():
		return strconv.AppendUint(b, v.Uint(), 10)
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.String:
		return append(b, history.String(v.String())...)
	case reflect.Float32, reflect.Float64:
		return appendFloat(b, v.Float())
	case reflect.Complex64, reflect.Complex128:
		return append(b, history.String(strconv.FormatComplex(v.Complex(), 'g', -1, 128))...)
	case reflect.Interface:
		return asJSON(b, v.Elem(), depth)
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if v.IsNil() {
			return append(b, "null"...)
		}
		return append(b, history.String(v.Type().String()+" 0x"+strconv.FormatUint(uint64(uintptr(v.UnsafePointer())), 16))...)
	}
	if depth == deepest {
		return append(b, history.String(v.Type().String()+" too deep")...)
	}
	if v.Kind() == reflect.Struct {
		return structJSON(b, v, depth)
	}
	b = append(b, '[')
	for i := range v.Len() { // an array or a slice
		if i > 0 {
			b = append(b, ',')
		}
		b = asJSON(b, v.Index(i), depth+1)
	}
	return append(b, ']')
}

func structJSON(b []byte, v reflect.Value, depth int) []byte {
	b = append(b, '{')
	for i := range v.NumField() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, history.String(v.Type().Field(i).Name)...)
		b = asJSON(append(b, ':'), v.Field(i), depth+1)
	}
	return append(b, '}')
}

// appendFloat appends a number; what JSON has none for is a string.
func appendFloat(b []byte, x float64) []byte {
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if x != x || x-x != 0 {
		return append(b, history.String(text)...)
	}
	return append(b, text...)
}

// pointedAt is what a pointer points at.
func pointedAt(at any) any {
	switch at := at.(type) {
	case *int:
		return *at
	case *bool:
		return *at
	case *string:
		return *at
	case *any:
		return *at
	}
	v := reflect.ValueOf(at)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return at
	}
	return v.Elem().Interface()
}
