package main

import "fmt"

// class is a type of testdata/lineup.
type class struct {
	name   string
	causes []cause
	paper  *figures // the row of Table 2, nil if there is none
}

// cause is a root cause of failures.
type cause struct {
	letter string
	paper  string // the smallest failing test of the paper: threads, calls
	test   string // one that shows it here
	// corrected is the class that has the same operations without it; "" if
	// the cause is intended.
	corrected string
}

// classes are in the order of Table 2. Three are not in it: it has no
// corrected version of them.
var classes = []class{
	{"Lazy", nil, &figures{60, 68, 0.07, 0.07, 0, 9.7, 0, 2}},
	{"ManualResetEventPre", []cause{
		{"A", "2x3", "Wait() | Set() Reset() Set()", "ManualResetEvent"},
	}, &figures{828, 1680, 3.31, 8.36, 7, 12.9, 19.9, 2}},
	{"ManualResetEvent", nil, &figures{76, 133, 0.07, 0.07, 0, 170.5, 0, 2}},
	{"Semaphore", nil, &figures{1511, 1680, 3.91, 7.31, 0, 18.1, 0, 1}},
	{"CountdownEvent", nil, &figures{410, 1680, 1.20, 4.95, 0, 6.3, 0, 2}},
	{"Dictionary", nil, &figures{1678, 1680, 7.02, 10.94, 0, 6.8, 0, 1}},
	{"QueuePre", []cause{
		{"B", "2x2", "Enqueue(10) TryDequeue() | Enqueue(20) TryDequeue()", "Queue"},
	}, &figures{1680, 1680, 6.00, 6.33, 57, 33.8, 5.7, 2}},
	{"Queue", nil, &figures{1680, 1680, 6.37, 6.77, 0, 33.7, 0, 2}},
	{"LinkedListPre", []cause{
		{"C", "2x2", "AddFirst(10) RemoveFirst() | RemoveLast()", "LinkedList"},
	}, &figures{1674, 1680, 8.54, 12.36, 20, 5.8, 2.0, 1}},
	{"LinkedList", nil, nil},
	{"Stack", nil, &figures{1680, 1680, 3.49, 3.68, 0, 1.3, 0, 2}},
	{"BlockingCollectionPre", []cause{
		{"D", "2x2", "Take() | Add(10)", "BlockingCollection"},
		{"K", "2x2", "CompleteAdding() IsAddingCompleted()", "BlockingCollection"},
	}, &figures{850, 1680, 4.09, 17.84, 87, 109.6, 47.4, 2}},
	{"BlockingCollectionBeta", []cause{
		{"H", "2x2", "TryAdd(10) Count() | TryTake()", "BlockingCollection"},
		{"I", "3x2", "TryAdd(10) TryTake() | TryTake()", "BlockingCollection"},
		{"K", "", "CompleteAdding() IsAddingCompleted()", "BlockingCollection"},
	}, &figures{259, 501, 0.07, 0.07, 57, 205.3, 68.7, 2}},
	{"BlockingCollection", nil, nil},
	{"BagPre", []cause{
		{"E", "2x2", "Add(10) TryTake() | Add(10) Count()", "Bag"},
		{"J", "", "Add(10) TryTake() | Add(20) TryTake()", ""},
	}, &figures{1680, 1680, 4.18, 4.52, 25, 1.7, 0.4, 1}},
	{"Bag", []cause{
		{"J", "2x2", "Add(10) TryTake() | Add(20) TryTake()", ""},
	}, &figures{1680, 1680, 4.05, 4.43, 13, 0.6, 3.2, 2}},
	{"TaskCompletionSourcePre", []cause{
		{"F", "2x2", "TrySetResult(10) | TrySetResult(20)", "TaskCompletionSource"},
	}, &figures{1432, 1680, 7.30, 20.26, 35, 32.9, 9.4, 2}},
	{"TaskCompletionSourceBeta", []cause{
		{"G", "2x2", "TrySetResult(10) | TrySetResult(20) TryResult()", "TaskCompletionSource"},
	}, &figures{1209, 1680, 5.98, 11.95, 47, 53.3, 3.7, 2}},
	{"TaskCompletionSource", nil, nil},
	{"CancellationTokenSource", nil, &figures{1680, 1680, 4.49, 5.74, 0, 9.6, 0, 2}},
	{"Barrier", []cause{
		{"L", "2x2", "SignalAndWait() | SignalAndWait()", ""},
	}, &figures{1166, 1680, 4.10, 7.02, 78, 7.0, 1.5, 2}},
}

func names() []string {
	var all []string
	for _, cl := range classes {
		all = append(all, cl.name)
	}
	return all
}

// figures are those that Table 2 has of a class, of 100 random 3x3 tests.
// Times are in minutes.
type figures struct {
	average, most   float64 // serial histories
	serial, longest float64 // phase 1
	failed          int     // tests
	pass, fail      float64 // phase 2, of a test that passes and of one that fails
	preemptions     int     // the bound
}

func (f *figures) failing() string {
	if f.most == 0 {
		return ""
	}
	return fmt.Sprintf("%d of 100", f.failed)
}

func (f *figures) histories() string {
	if f.most == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f (%.0f)", f.average, f.most)
}

func (f *figures) phase1() string {
	if f.most == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f (%.2f) min", f.serial, f.longest)
}

func (f *figures) bound() string {
	if f.most == 0 {
		return ""
	}
	return fmt.Sprint(f.preemptions)
}

func minutes(m float64) string {
	if m == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f min", m)
}
