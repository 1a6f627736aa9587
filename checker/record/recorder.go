package record

import (
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/internal/recording"
)

// Options say what is recorded and how.
type Options struct {
	// Kind is the kind of the objects. With history.Unknown the reader has to
	// be told.
	Kind history.Kind
	// MinFirst says of a priority queue that its smallest value comes first.
	MinFirst bool
	// Initial is the value of every register before the first write; nil is
	// none.
	Initial any
	// Flush is how often buffers are written that are not full; 0 means twenty
	// times a second. A negative one leaves it to Flush and Close.
	Flush time.Duration
}

// A Recorder records the operations of one or more objects. All its methods
// may be called by many goroutines at once.
type Recorder struct {
	began  time.Time
	shards []*shard // that Begin uses, by processor
	near   sync.Pool
	next   atomic.Uint32
	queue  chan frame
	done   chan struct{} // closed when everything is written
	stop   chan struct{} // closed when the ticker is to end
	ticked chan struct{} // closed when it has

	mu     sync.Mutex
	all    []*shard // with those of threads
	closed bool

	// flushing is held by who flushes, so that nobody does once it has ended.
	flushing sync.Mutex
	ended    bool
	manual   bool         // only Flush and Close flush
	full     atomic.Int32 // buffers that were handed over full since the last flush
	failed   atomic.Pointer[error]
	spare    sync.Pool // of *[]byte
}

// A frame is what the writer is given: some bytes of the file, and who waits for
// them to be written.
type frame struct {
	data    []byte
	buffer  *[]byte // to be used again
	written chan struct{}
}

const (
	// bufferSize is how much a shard holds before it is written.
	bufferSize = 16 << 10
	// queued bounds the buffers that wait for the writer; then recording
	// waits.
	queued = 64
	// fullBuffers is after how many full buffers there is a flush: the reader
	// has to hold what comes between two.
	fullBuffers = 8
	// waitBuffers is how many more may be full before recording waits for the
	// flush.
	waitBuffers = 16
	// flushEvery is the time between two flushes if nothing else is said.
	flushEvery = 50 * time.Millisecond
)

// New begins a recording. The writer is not closed by the recorder.
func New(w io.Writer, o Options) *Recorder {
	r := &Recorder{
		began: time.Now(),
		queue: make(chan frame, queued), done: make(chan struct{}), stop: make(chan struct{}), ticked: make(chan struct{}), manual: o.Flush < 0,
	}
	r.spare.New = func() any {
		b := make([]byte, 0, bufferSize)
		return &b
	}
	for range runtime.GOMAXPROCS(0) {
		r.shards = append(r.shards, r.newShard())
	}
	r.near.New = func() any { return r.shards[int(r.next.Add(1))%len(r.shards)] }
	go r.write(w)
	r.queue <- frame{data: header(o)}
	if o.Flush == 0 {
		o.Flush = flushEvery
	}
	go r.tick(o.Flush)
	return r
}

// now is the time since the recording began, in nanoseconds of the monotonic
// clock.
func (r *Recorder) now() int64 { return int64(time.Since(r.began)) }

// newShard makes a buffer that events go to.
func (r *Recorder) newShard() *shard {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &shard{recorder: r, number: uint64(len(r.all))}
	s.fresh()
	r.all = append(r.all, s)
	return s
}

// Begin records that an operation is called: its method, in any spelling that
// docs/history-format.md lists for the kind, and its arguments, the key of a
// map first. It is to be called right before the operation.
func (r *Recorder) Begin(method string, args ...any) Call {
	return r.begin("", method, args)
}

func (r *Recorder) begin(object, method string, args []any) Call {
	s := r.near.Get().(*shard)
	c := s.call(object, method, args)
	r.near.Put(s)
	return c
}

// Object is one of several objects of a recording.
type Object struct {
	recorder *Recorder
	name     string
}

// Object gives a recorder for one of several objects, which names it.
func (r *Recorder) Object(name string) Object { return Object{r, name} }

// Begin is as that of the recorder.
func (o Object) Begin(method string, args ...any) Call {
	return o.recorder.begin(o.name, method, args)
}

// A Thread records for one goroutine, which has a name in the history and a
// buffer of its own. That is a little faster.
type Thread struct {
	shard  *shard
	object string
}

// Thread gives a recorder for the goroutine that calls it. Threads are as many
// as there are goroutines, not operations: their buffers stay.
func (r *Recorder) Thread(name string) Thread {
	s := r.newShard()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.name = name
	s.begin()
	return Thread{shard: s}
}

// Object gives the thread's recorder for one of several objects.
func (t Thread) Object(name string) Thread { return Thread{t.shard, name} }

// Begin is as that of the recorder.
func (t Thread) Begin(method string, args ...any) Call {
	return t.shard.call(t.object, method, args)
}

// A Call is an operation that was called and has not returned.
type Call struct {
	shard  *shard
	number uint64
}

// End records that the operation has returned, and what it gave. It is to be
// called right after the operation, once. An operation that is never ended is
// pending: it may have taken effect or not.
func (c Call) End(results ...any) { c.shard.ret(c.number, results) }

// Cancel takes the call back, as if it had never been recorded: of an operation
// that was refused without effect, such as a Put into a queue that is full.
func (c Call) Cancel() { c.shard.cancel(c.number) }

// EndAt is End for results that are not there yet, as in
//
//	defer h.Begin("Load", key).EndAt(&v, &ok)
//
// Each argument is a pointer to a result.
func (c Call) EndAt(results ...any) {
	var room [4]any
	values := room[:0]
	for _, at := range results {
		values = append(values, pointedAt(at))
	}
	c.End(values...)
}

// Flush writes out what was recorded up to now.
func (r *Recorder) Flush() error {
	written := make(chan struct{})
	r.flushing.Lock()
	ended := r.ended
	if !ended {
		r.flush(written)
	}
	r.flushing.Unlock()
	if !ended {
		<-written
	}
	return r.err()
}

// flushFull flushes if many buffers were full. It is done by who filled the last
// of them: a goroutine that only waits for this gets no processor where all are
// busy, and the reader has to hold what comes until then. For the same reason
// goroutines that go on recording beside a flush wait for it in the end.
func (r *Recorder) flushFull() {
	n := r.full.Load()
	if r.manual || n < fullBuffers {
		return
	}
	if !r.flushing.TryLock() {
		if n < waitBuffers {
			return
		}
		r.flushing.Lock()
	}
	defer r.flushing.Unlock()
	if !r.ended && r.full.Load() >= fullBuffers {
		r.flush(nil)
	}
}

// flush hands over every buffer, and then a mark: all events before its time
// are in the file before it. The lock flushing is held.
func (r *Recorder) flush(written chan struct{}) {
	r.full.Store(0)
	now := r.now()
	r.mu.Lock()
	all := r.all
	r.mu.Unlock()
	for _, s := range all {
		s.mu.Lock()
		s.handOver()
		s.last = max(s.last, now)
		s.begin()
		s.mu.Unlock()
	}
	r.queue <- frame{data: mark(recording.Mark, now), written: written}
}

func (r *Recorder) tick(every time.Duration) {
	defer close(r.ticked)
	if every < 0 {
		<-r.stop
		return
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-r.stop:
			return
		case <-ticker.C:
		}
		r.flushing.Lock()
		r.flush(nil)
		r.flushing.Unlock()
	}
}

// Close writes out everything and ends the recording. Operations that have not
// returned stay pending. What is recorded afterwards is lost.
func (r *Recorder) Close() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return r.err()
	}
	r.closed = true
	r.mu.Unlock()
	close(r.stop)
	<-r.ticked
	r.flushing.Lock()
	defer r.flushing.Unlock()
	r.flush(nil)
	r.ended = true
	for _, s := range r.all {
		s.mu.Lock()
		s.ended = true
		s.mu.Unlock()
	}
	r.queue <- frame{data: mark(recording.End, r.now())}
	close(r.queue)
	<-r.done
	return r.err()
}

// write is the one goroutine that writes. After an error it takes what comes
// and drops it: the program that is recorded goes on.
func (r *Recorder) write(w io.Writer) {
	defer close(r.done)
	for f := range r.queue {
		if r.failed.Load() == nil {
			if _, err := w.Write(f.data); err != nil {
				err = errors.Join(errors.New("record: the recording is cut off"), err)
				r.failed.Store(&err)
			}
		}
		if f.buffer != nil {
			r.spare.Put(f.buffer)
		}
		if f.written != nil {
			close(f.written)
		}
	}
}

func (r *Recorder) err() error {
	if err := r.failed.Load(); err != nil {
		return *err
	}
	return nil
}
