package history

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const header = `{"format":"mapatom-history","version":1,"kind":"queue"}` + "\n"

// TestMalformed has one input for each way in which an input can be wrong,
// and what the user reads about it.
func TestMalformed(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	for _, tc := range []struct{ name, text, want string }{
		// Whatever it is.
		{"empty", "", `f:1: nothing, want a history`},
		{"blank", " \n\n", `f:1: nothing, want a history`},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", `f:1: binary data, want a history as text`},
		{"not UTF-8", "\xff\xfe# queue", `f:1: binary data, want a history as text`},

		// Interval text.
		{"no header", "push 1 1 2\n", `f:1: "push 1 1 2", want a header: # stack, # queue, # priorityqueue, # set, # register or # map`},
		{"misspelt header", "# stak\npush 1 1 2\n", `f:1: "# stak", want a header: # stack, # queue, # priorityqueue, # set, # register or # map`},
		{"comments alone", "# one two\n", `f:1: "# one two", want a header: # stack, # queue, # priorityqueue, # set, # register or # map`},
		{"unknown method", "# stack\npush 1 1 2\nenq 1 1 2\n", `f:3: "enq", want METHOD VALUE START END with a method of a stack: push, pop, peek`},
		{"unknown method of a process", "# stack\n1 1 2 push 1\n1 3 4 enq 1\n", `f:3: "enq", want PROCESS START END METHOD VALUE with a method of a stack: push, pop, peek`},
		{"truncated line", "# stack\npush 1 1 2\npush 1 3", `f:3: "push 1 3", want push VALUE START END`},
		{"truncated to a word", "# stack\npush 1 1 2\npush", `f:3: "push", want METHOD VALUE START END`},
		{"truncated process line", "# stack\n1 1 2 push 1\n1 2 3", `f:3: "1 2 3", want PROCESS START END METHOD VALUE`},
		{"truncated map", "# map\nstore a 3 4\n", `f:2: "store a 3 4", want store KEY VALUE START END`},
		{"two lines in one", "# stack\npush 1 1 2 push 2 3 4\n", `f:2: "push 1 1 2 push 2 3 4", want push VALUE START END`},
		{"interleaved", "# stack\npush 1 1 pupush 2 3 4\nsh", `f:2: "push 1 1 pupush 2 3 4", want push VALUE START END`},
		{"forms mixed", "# stack\npush 1 1 2\n3 1 2 push 2\n", `f:3: "3", want METHOD VALUE START END with a method of a stack: push, pop, peek`},
		{"return before call", "# stack\npush 1 5 4\n", `f:2: end 4 before start 5, want an end that is not before the start`},
		{"negative time", "# stack\npush 1 -5 4\n", `f:2: start "-5", want a whole number from 0 to 9223372036854775806`},
		{"NaN", "# stack\npush 1 5 NaN\n", `f:2: end "NaN", want a whole number from 0 to 9223372036854775806`},
		{"fraction", "# stack\npush 1 5 6.5\n", `f:2: end "6.5", want a whole number from 0 to 9223372036854775806`},
		{"time too large", "# stack\npush 1 5 9223372036854775807\n", `f:2: end "9223372036854775807", want a whole number from 0 to 9223372036854775806`},
		{"push of empty", "# stack\npush -1 5 6\n", `f:2: push of -1, want another value, since -1 says that there was nothing`},
		{"word as priority", "# priorityqueue\ninsert abc 5 6\n", `f:2: a value that is no integer, want an integer, since insert needs its order or its sum`},
		{"unknown result", "# stack\npop ? 5 6\n", `f:2: ?, want a value: only the result of an operation that did not return is unknown`},
		{"known result", "# stack\npop 3 5 -\n", `f:2: a result of an operation that did not return, want ? in its place`},
		{"answer of a pending call", "# set\ninsert 3 1 5 -\n", `f:2: an answer of an operation that did not return, want no answer`},
		{"contains alone", "# set\ncontains 3 5 6\n", `f:2: contains without an answer, want contains VALUE 0, contains VALUE 1, contains_true or contains_false`},
		{"contains_true that did not return", "# set\ncontains_true 3 5 -\n", `f:2: contains_true that did not return, want contains, since nobody has its answer`},
		{"contains_false that did not return", "# set\ncontains_false 3 5 -\n", `f:2: contains_false that did not return, want contains, since nobody has its answer`},
		{"answer of two", "# set\ninsert 3 2 5 6\n", `f:2: "insert 3 2 5 6", want insert VALUE [0|1] START END`},
		{"failed rmw", "# rmw\nread_modify_write 3 2 0 5 6\n", `f:2: read_modify_write that failed, want read_modify_write that succeeded`},
		{"no key", "# map\nload ? 1 5 -\n", `f:2: no key, want a key`},
		{"thread twice at once", "# stack\n7 1 5 push 1\n8 1 2 push 2\n7 4 6 push 3\n", `f:4: thread "7" has two operations at once, from 1 to 5 on line 2 and from 4 to 6, want one after the other`},
		{"thread after pending", "# stack\n7 1 - push 1\n7 4 6 push 3\n", `f:3: thread "7" has two operations at once, from 1 on on line 2 and from 4 to 6, want one after the other`},
		{"thread twice, rows not in order", "# stack\n7 8 9 push 1\n7 1 3 push 2\n7 2 4 push 3\n", `f:4: thread "7" has two operations at once, from 1 to 3 on line 3 and from 2 to 4, want one after the other`},
		{"binary line", "# stack\npush 1 1 2\n\x00\x01\x02\n", `f:1: binary data, want a history as text`},
		{"order of what", "# priorityqueue\n# order fifo\n", `f:2: order "fifo", want min or max, which comes first`},
		{"order too late", "# priorityqueue\ninsert 1 2 3\n# order min\n", `f:3: # order after an operation, want it before the first one`},
		{"object twice", "# stack\n# object s\n# queue\n# object s\n", `f:3: a second object "s", want another name in # object`},
		{"ten megabytes", "# stack\npush 1 1 2\npush " + long + " 3 4\n", `f:3: a line of 10485769 bytes, want METHOD VALUE START END`},
		{"ten megabytes of one word", "# stack\npush 1 1 2\n" + long, `f:3: a line of 10485760 bytes, want METHOD VALUE START END`},

		// Our own format.
		{"no events header", `{"type":"call"}`, `f:1: the name "type" in the header, want format, version, kind, order, initial or meta`},
		{"other header", `{"format":"x","version":1}`, `f:1: format ("x"), want the header {"format":"mapatom-history","version":1}`},
		{"later version", `{"format":"mapatom-history","version":2}`, `f:1: version (2), want version 1`},
		{"unknown kind", `{"format":"mapatom-history","version":1,"kind":"deque"}`, `f:1: kind ("deque"), want stack, queue, priorityqueue, set, register or map, or none`},
		{"truncated event", header + `{"type":"call","id":1,"thr`, `f:2: a string that does not end, want a closing quote`},
		{"truncated between", header + `{"type":"call","id":1`, `f:2: the end of the line, want "}" or ","`},
		{"interleaved events", header + `{"type":"call",{"type":"call","id":1}` + "\n", `f:2: "{\"type\":\"cal", want a name in quotes`},
		{"two on a line", header + `{"type":"stuck"}{"type":"stuck"}`, `f:2: stuck where no operation is open, want a call that does not return`},
		{"rest after an event", header + `{"type":"call","id":1,"thread":"A","method":"enq","args":[1]} x`, `f:2: "x" after the object, want one object on each line`},
		{"not an object", header + `[1]`, `f:2: "[1]", want a JSON object on each line`},
		{"no type", header + `{"id":1}`, `f:2: an event without a type, want "type":"call", "return" or "stuck"`},
		{"unknown type", header + `{"type":"invoke"}`, `f:2: type "invoke", want call, return or stuck`},
		{"unknown name", header + `{"type":"call","arg":[]}`, `f:2: the name "arg", want type, id, thread, object, method, args, results or meta`},
		{"no id", header + `{"type":"call","thread":"A","method":"m"}`, `f:2: a call without an id, want the id of its operation`},
		{"NaN as id", header + `{"type":"call","id":NaN}`, `f:2: "NaN}", want a JSON value`},
		{"fraction as id", header + `{"type":"call","id":1.5}`, `f:2: "1.5}", want an integer`},
		{"no thread", header + `{"type":"call","id":1,"method":"m"}`, `f:2: a call without a thread, want "thread", a string or an integer`},
		{"no method", header + `{"type":"call","id":1,"thread":"A"}`, `f:2: a call without a method, want "method"`},
		{"duplicate id", header + call(1, "A", "enq", "1") + ret(1, "") + call(1, "B", "enq", "2"), `f:4: a second call with id 1, want an id other than that of line 2`},
		{"return before its call", header + ret(1, "") + call(1, "A", "enq", "1"), `f:2: a return before a call with id 1, want the call first`},
		{"returns twice", header + call(1, "A", "enq", "1") + ret(1, "") + ret(1, ""), `f:4: a second return of the call on line 2, id 1, want one`},
		{"two open", header + call(1, "A", "enq", "1") + call(2, "A", "enq", "2"), `f:3: a call of enq by thread "A", whose call on line 2 has not returned, want that return first`},
		{"return by another", header + call(1, "A", "enq", "1") + `{"type":"return","id":1,"thread":"B"}`, `f:3: a return by thread "B", want thread "A", which called`},
		{"after stuck", header + call(1, "A", "deq", "") + `{"type":"stuck"}` + "\n" + ret(1, ""), `f:4: an event after stuck, want nothing`},
		{"unknown queue method", header + call(1, "A", "size", ""), `f:2: method "size" of a queue, want enq, deq, peek`},
		{"too many arguments", header + call(1, "A", "enq", "1,2"), `f:2: enq with two arguments, want one argument`},
		{"no result", header + call(1, "A", "deq", "") + ret(1, ""), `f:2: results () of deq, want a value, or a value and whether it was there`},
		{"full queue", header + call(1, "A", "offer", "1") + ret(1, "false"), `f:2: offer that gave false, want one that succeeded: a queue takes all values`},
		{"null in a queue", header + call(1, "A", "enq", "null") + ret(1, ""), `f:2: enq with null for a value, want another value, since null says that there is none`},
		{"ten megabytes that end in nothing", header + `{"type":"call","id":"` + long, `f:2: a string that does not end, want a closing quote`},
		{"ten megabytes of brackets", header + `{"meta":` + strings.Repeat("[", 10<<20), `f:2: a value nested more than a thousand deep, want a flat one`},
		{"binary event", header + "\x00\x01", `f:1: binary data, want a history as text`},
		{"late binary event", header + call(1, "A", "enq", `"`+strings.Repeat("y", 5000)+`"`) + "\x00\x01", `f:3: binary data, want a JSON object on each line`},

		// Jepsen.
		{"truncated EDN", `{:process 0, :type :invoke, :f :read, :va`, `f:1: the end of the file inside a form, want the rest of it`},
		{"truncated vector", "[{:process 0, :type :invoke, :f :read}\n", `f:2: the end of the file inside the history, want "]"`},
		{"interleaved EDN", "{:process 0, :type {:process 1, :type :invoke, :f :read}\n:invoke, :f :read}", `f:2: a map with a key that has no value, want a value for each key`},
		{"no process", `{:type :invoke, :f :read}`, `f:1: a map without :process, :type or :f, want a map such as {:process 0, :type :invoke, :f :read, :value nil}`},
		{"no map", "(1 2)", `f:1: a form that is no map, want a map such as {:process 0, :type :invoke, :f :read, :value nil}`},
		{"ok before invoke", "{:process 3 :type :ok :f :read}", `f:1: :ok of process 3, which has nothing open, want its :invoke first`},
		{"invoke twice", "{:process 3 :type :invoke :f :read}\n{:process 3 :type :invoke :f :read}", `f:2: process 3 invokes while its :invoke of line 1 is open, want its :ok, :fail or :info first, and another process after an :info`},
		{"invoke after info", "{:process 3 :type :invoke :f :read}\n{:process 3 :type :info :f :read}\n{:process 3 :type :invoke :f :read}", `f:3: process 3 invokes while its :invoke of line 1 is open, want its :ok, :fail or :info first, and another process after an :info`},
		{"ok of another", "{:process 3 :type :invoke :f :read}\n{:process 3 :type :ok :f :write}", `f:2: :ok of "write", want one of "read", which its process invoked`},
		{"unknown EDN type", "{:process 3 :type :start :f :read}", `f:1: the type ":start", want :invoke, :ok, :fail or :info`},
		{"cas of one", "{:process 3 :type :invoke :f :cas :value 3}", `f:1: :value of a :cas that is (3), want [from to]`},
		{"bad number", "{:process 3a :type :invoke :f :cas :value 3}", `f:1: the number "3a", want a number of EDN`},
		{"key twice", "{:process 3 :process 4}", `f:1: the key ("process") twice in one map, want each key once`},
		{"brackets", "[" + strings.Repeat("[", 10<<20), `f:1: a form nested more than a thousand deep, want a flat one`},
		{"ten megabytes of a string", `{:process 0 :f "` + long, `f:1: the end of the file inside a form, want the rest of it`},
		{"binary EDN", `{:process 0 :f ` + strings.Repeat(" ", 5000) + "\x00\xff", `f:1: binary data, want EDN`},

		// Line-Up.
		{"truncated XML", "<observationset>\n<observation>\n<thread id=", `f:3: unexpected EOF, want XML`},
		{"truncated elements", "<observationset>\n<observation>\n", `f:3: unexpected EOF, want XML`},
		{"other XML", "<html></html>", `f:1: <html>, want <observationset>`},
		{"long name", "<" + long + "/>", `f:1: <` + long[:399] + `...`},
		{"unprintable name", "<\u00ad\u2028/>", `f:1: invalid XML name: \u00ad\u2028, want XML`},
		{"text", "<observationset>\nabc</observationset>", `f:2: the text "abc", want an element`},
		{"unknown element", observed(`<foo/>`), `f:2: <foo>, want <thread>, <op> or <history>`},
		{"id twice", observed(`<op id="1" name="a"/><op id="1" name="a"/>`), `f:2: a second <op> with id "1", want another id`},
		{"thread id twice", observed(`<thread id="A"/><thread id="A"/>`), `f:2: a second thread "A", want another id`},
		{"operation twice", observed(`<thread id="A">1 1</thread>`), `f:2: operation "1" in two places, want each operation once`},
		{"no op", observed(`<thread id="A">1</thread>`), `f:2: operation "1" of a thread, and no <op> for it, want <op id="..." name="...">`},
		{"no thread for an op", observed(`<op id="1" name="a"/>`), `f:2: an <op> that no thread has, want its id in a <thread>`},
		{"no name", observed(`<op id="1"/>`), `f:2: an <op> without a name, want name="..."`},
		{"bad op text", observed(`<op id="1" name="a">200</op>`), `f:2: "200", want value="..." or result="..."`},
		{"open op text", observed(`<op id="1" name="a">value="200</op>`), `f:2: "value=\"200", want a closing quote`},
		{"blocks and returns", observed(`<thread id="A">1B</thread><op id="1" name="a">result="2"</op>`), `f:2: operation "1" that blocks and has a result, want one of the two`},
		{"bad mark", observed(oneOp + `<history>1[ 1</history>`), `f:2: "1", want i[ for the call of operation i, ]i for its return, or #`},
		{"unknown mark", observed(oneOp + `<history>1[ ]1 2[</history>`), `f:2: operation "2", want one of 1 that the threads have`},
		{"return before call XML", observed(oneOp + `<history>]1 1[</history>`), `f:2: history 1: operation 1 returns and is not open`},
		{"call twice XML", observed(oneOp + `<history>1[ ]1 1[ ]1</history>`), `f:2: history 1: operation 1 is called twice`},
		{"not called", observed(oneOp + `<history></history>`), `f:2: history 1: operation 1, a, is not called`},
		{"does not return", observed(oneOp + `<history>1[</history>`), `f:2: history 1: operation 1, a, does not return and is not said to block`},
		{"stuck for nothing", observed(oneOp + `<history>1[ ]1 #</history>`), `f:2: history 1: # is missing where an operation blocks, or stands where none does`},
		{"after #", observed(oneOp + `<history>1[ # ]1</history>`), `f:2: "]1" after #, want nothing`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in, err := ReadInput("f", strings.NewReader(tc.text), Options{})
			assert.Nil(t, in, "nothing half-read")
			var bad *Error
			require.ErrorAs(t, err, &bad)
			assert.Equal(t, tc.want, err.Error())
			assert.Less(t, len(err.Error()), 500)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

const oneOp = `<thread id="A">1</thread><op id="1" name="a"/>`

func observed(text string) string {
	return "<observationset>\n<observation>" + text + "</observation></observationset>"
}

func call(id int, thread, method, args string) string {
	return `{"type":"call","id":` + string(rune('0'+id)) + `,"thread":"` + thread + `","method":"` + method + `","args":[` + args + `]}` + "\n"
}

func ret(id int, results string) string {
	return `{"type":"return","id":` + string(rune('0'+id)) + `,"results":[` + results + `]}` + "\n"
}

// TestErrorPassesOn has a disk that fails, at once or later: its error is not
// a malformed input.
func TestErrorPassesOn(t *testing.T) {
	space := strings.Repeat(" ", 2*headSize) + "\n"
	for _, begin := range []string{
		"", "# queue\n" + space, header + space, "[" + space, "{:process " + space, "<observationset>" + space,
	} {
		in, err := ReadInput("f", io.MultiReader(strings.NewReader(begin), failing{}), Options{})
		assert.Nil(t, in)
		var bad *Error
		assert.False(t, errors.As(err, &bad), "%.20q", begin)
		assert.ErrorIs(t, err, errDisk, "%.20q", begin)
	}
}

var errDisk = errors.New("the disk is on fire")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errDisk }

// TestQuote has messages that stay short and on one line.
func TestQuote(t *testing.T) {
	assert.Equal(t, `"a\nb"`, quote([]byte("a\nb")))
	assert.Equal(t, `"`+strings.Repeat("x", 48)+`"... (49 bytes)`, quote([]byte(strings.Repeat("x", 49))))
	assert.Equal(t, `"`+strings.Repeat("x", 47)+`"... (49 bytes)`, quote([]byte(strings.Repeat("x", 47)+"\u00e9")))
}
