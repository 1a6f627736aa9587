package monitor

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
)

// forget drops what the rules of Stream allow, of a history that is
// linearizable up to a time, and gives the number of operations that stay. If
// these are too many, that is a finding.
func (s *Stream) forget(l *history.Log, rows []int32, until int64) (*Finding, int) {
	var gone, largest []int32
	if hasKeys(l.Kind) {
		p := allOneKey(l)
		if keys := keysOf(l); keys != nil {
			p = split(keys)
		}
		for part := range p.len() {
			ops := p.of(part)
			if len(ops) == 0 {
				continue
			}
			before := len(gone)
			gone = append(gone, s.forgetKey(l, rows, ops, until)...)
			if left := len(ops) - (len(gone) - before); left > len(largest) {
				largest = ops
			}
		}
	} else {
		gone = forgetContainer(l, until)
	}
	s.source.Drop(chosen(rows, gone))
	kept := l.Len() - len(gone)
	if kept <= s.options.Limit {
		return nil, kept
	}
	f := &Finding{Verdict: search.Unknown, Reason: fmt.Sprintf("there was no moment in %d operations at which the state was certain", kept)}
	if !hasKeys(l.Kind) {
		s.gone = true
		return f, kept
	}
	f.Key = keyAt(l, int(largest[0]))
	f.Reason = fmt.Sprintf("there was no moment in %d operations at which the value was certain", len(largest))
	l, rows = s.source.View(until)
	s.lose(l, rows, f.Key)
	return f, kept
}

func allOneKey(l *history.Log) *parts {
	return &parts{start: []int32{0, int32(l.Len())}, rows: allRows(l)}
}

// forgetKey gives what can be forgotten of the operations of a key, which are in
// order of call.
func (s *Stream) forgetKey(l *history.Log, rows, ops []int32, until int64) []int32 {
	key := keyAt(l, int(ops[0]))
	q := quietMoment(l, ops, until)
	if q.at == 0 {
		if s.lost[key] {
			return nil
		}
		return forgetValues(l, ops, until)
	}
	delete(s.lost, key)
	gone := slices.Clone(ops[:q.at])
	if q.value != initialOf(l) {
		gone = slices.DeleteFunc(gone, func(i int32) bool { return i == q.last })
		m, value := history.Write, q.value
		if l.Kind == history.Set {
			m, value = history.Add, l.Value[q.last]
		}
		s.show(l, q.last, m)
		s.source.Replace(rows[q.last], m, value, q.time)
	}
	for _, i := range gone {
		if l.Line != nil {
			delete(s.shown, l.Line[i])
		}
	}
	return gone
}

// show remembers what an operation was before F1 replaces it.
func (s *Stream) show(l *history.Log, i int32, m history.Method) {
	if l.Line == nil {
		return
	}
	if _, known := s.shown[l.Line[i]]; !known && l.Method[i] != m {
		s.shown[l.Line[i]] = l.Method[i]
	}
}

// initialOf is the value that a key has of itself. For a set, Absent stands
// for an element that is not there.
func initialOf(l *history.Log) int64 {
	if l.Kind == history.Register {
		return l.Initial
	}
	return history.Absent
}

// A quiet is a moment at which nothing is open and the value is certain.
type quiet struct {
	at    int   // operations before it; 0 if there is no such moment
	time  int64 // when the last of them returned
	last  int32 // the operation that tells the value
	value int64
}

// quietMoment is the last one of a key.
func quietMoment(l *history.Log, ops []int32, until int64) (best quiet) {
	known := quiet{last: -1} // the last segment's
	begin, end := 0, int64(-1)
	for n := 0; n <= len(ops); n++ {
		next := until
		if n < len(ops) {
			next = l.Call[ops[n]]
		}
		if n > 0 && end < next && begin < n {
			if known = certain(l, ops[begin:n], known); known.last >= 0 {
				known.at, known.time = n, end
				best = known
			}
			begin = n
		}
		if n < len(ops) {
			end = max(end, l.Return[ops[n]])
		}
	}
	return best
}

// certain tells the value after a segment, all of whose operations have
// returned before any other is called. It is that of the operation called last
// of those that tell one, if all others that may have changed it had returned
// by then. last is -1 if it is not certain.
func certain(l *history.Log, segment []int32, before quiet) quiet {
	last, value, changed := int32(-1), int64(0), false
	for _, i := range segment {
		v, tells, changes := effect(l, i)
		changed = changed || changes
		if tells && (last < 0 || l.Call[i] > l.Call[last]) {
			last, value = i, v
		}
	}
	if last < 0 && !changed {
		return before
	}
	for _, i := range segment {
		if _, _, changes := effect(l, i); last >= 0 && changes && i != last && l.Return[i] >= l.Call[last] {
			last = -1
		}
	}
	return quiet{last: last, value: value}
}

// effect says of an operation which value it leaves, if that is known, and
// whether it can have changed it.
func effect(l *history.Log, i int32) (value int64, tells, changes bool) {
	v := l.Value[i]
	if l.Return[i] == history.Pending {
		return 0, false, l.Method[i] != history.Read && l.Method[i] != history.ContainsTrue
	}
	switch l.Method[i] {
	case history.Write:
		return v, true, true
	case history.Read:
		return v, true, false
	case history.CAS:
		return l.Second[i], true, true
	case history.Swap:
		return v, true, true
	case history.FetchAdd:
		before := l.Second[i]
		return before + v, before > history.FirstName && l.NameOf(before) != "null", true
	case history.GetOrPut:
		if found := l.Second[i]; found != history.Absent {
			return found, true, false
		}
		return v, true, true
	case history.Add:
		return present, true, true
	case history.Take:
		return history.Absent, true, true
	case history.AddFailed, history.ContainsTrue:
		return present, true, false
	case history.TakeFailed, history.ContainsFalse:
		return history.Absent, true, false
	}
	return 0, false, false // a failed compare-and-swap
}

// present stands for an element that is in a set.
const present = 1

// firstOpen is when the first operation was called that has not returned.
func firstOpen(l *history.Log, ops []int32, until int64) int64 {
	first := until
	for _, i := range ops {
		if l.Return[i] == history.Pending {
			first = min(first, l.Call[i])
		}
	}
	return first
}

// A zone is what F3 knows of a value.
type zone struct {
	first, last int64 // the first return, the last call
	open        bool  // one of its operations has not returned
	dead        bool
}

// forgetValues is F3: it gives what can be forgotten.
func forgetValues(l *history.Log, ops []int32, until int64) []int32 {
	zones, ok := zonesOf(l, ops)
	if !ok {
		return nil
	}
	open := firstOpen(l, ops, until)
	// Of the values that something has returned about before that, the two with
	// the last calls.
	var best, next int64 = -1, -1
	for _, z := range zones {
		if z.first >= open {
			continue
		}
		if z.last > best {
			best, next = z.last, best
		} else {
			next = max(next, z.last)
		}
	}
	// Live values have zones that can grow, up to any time.
	live := int64(history.Pending)
	for _, z := range zones {
		other := best
		if z.last == best {
			other = next
		}
		z.dead = z.first < open && other > z.first && !z.open
		if !z.dead {
			live = min(live, z.first)
		}
	}
	return slices.DeleteFunc(slices.Clone(ops), func(i int32) bool {
		if l.Return[i] == history.Pending {
			return true
		}
		z := zones[l.Value[i]]
		return !z.dead || z.last > live
	})
}

// zonesOf gives the zones of the values of a key. It fails where the rule does
// not hold: where there are other operations than writes and reads, and where
// a value is written twice, be it the initial one.
func zonesOf(l *history.Log, ops []int32) (map[int64]*zone, bool) {
	zones := map[int64]*zone{}
	written := map[int64]bool{initialOf(l): true}
	for _, i := range ops {
		v := l.Value[i]
		switch l.Method[i] {
		case history.Write:
			if written[v] {
				return nil, false
			}
			written[v] = true
		case history.Read:
			if l.Return[i] == history.Pending {
				continue
			}
		default:
			return nil, false
		}
		z := zones[v]
		if z == nil {
			z = &zone{first: history.Pending, last: -1}
			zones[v] = z
		}
		z.first, z.last = min(z.first, l.Return[i]), max(z.last, l.Call[i])
		z.open = z.open || l.Return[i] == history.Pending
	}
	return zones, true
}

// forgetContainer is F2, and then F4.
func forgetContainer(l *history.Log, until int64) []int32 {
	in, end, empty := 0, int64(-1), 0
	for n := 0; n <= l.Len(); n++ {
		next := until
		if n < l.Len() {
			next = l.Call[n]
		}
		if n > 0 && end < next && in == 0 {
			empty = n
		}
		if n == l.Len() {
			break
		}
		end = max(end, l.Return[n])
		switch l.Method[n] {
		case history.Insert:
			in++
		case history.Remove:
			in--
		}
	}
	ops := allRows(l)
	gone, rest := ops[:empty:empty], ops[empty:]
	if l.Kind == history.Stack {
		return gone
	}
	return append(gone, forgetDone(l, rest, until)...)
}

// forgetDone is F4: it looks for the last moment at which nothing but puts was
// open and what had come out had been put in by calls that had returned.
func forgetDone(l *history.Log, ops []int32, until int64) []int32 {
	puts := map[int64]int64{} // when the put of a value returned
	for _, i := range ops {
		if l.Method[i] == history.Insert {
			puts[l.Value[i]] = max(puts[l.Value[i]], l.Return[i])
		}
	}
	moment, end, late := int64(-1), int64(-1), int64(-1)
	for n := 0; n <= len(ops); n++ {
		next := until
		if n < len(ops) {
			next = l.Call[ops[n]]
			if l.Method[ops[n]] == history.Insert {
				continue
			}
		}
		if n > 0 && end < next && late < next {
			moment = next
		}
		if n < len(ops) {
			end = max(end, l.Return[ops[n]])
			late = max(late, puts[l.Value[ops[n]]])
		}
	}
	// Values that were put in once and came out once.
	const put, out, never = 1, 10, 1000
	done := map[int64]int{}
	for _, i := range ops {
		switch m := l.Method[i]; {
		case l.Return[i] >= moment:
			done[l.Value[i]] += never
		case m == history.Insert:
			done[l.Value[i]] += put
		case m == history.Remove:
			done[l.Value[i]] += out
		}
	}
	var gone []int32
	for _, i := range ops {
		nothing := l.Method[i] == history.RemoveEmpty || l.Method[i] == history.PeekEmpty
		if nothing && l.Return[i] < moment || !nothing && done[l.Value[i]] == put+out {
			gone = append(gone, i)
		}
	}
	return gone
}
