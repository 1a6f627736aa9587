package main

// A benchCase is one line of the table.
type benchCase struct {
	name  string
	shape shape
	// count is how many histories of the shape are checked; the time is for
	// all of them.
	count int
	// hopeless says that Porcupine runs out of memory, and is left out.
	hopeless bool
	// own gives histories that are not generated.
	own func() ([][]call, error)
}

func etcdLogs() ([][]call, error) { return ownLogs("jepsen/*.log", parseEtcd) }
func textLogs() ([][]call, error) { return ownLogs("kv/*.txt", parseText) }

var cases = []benchCase{
	{name: "Porcupine's logs of etcd", own: etcdLogs},
	{name: "Porcupine's 6 logs of a key-value store", own: textLogs, shape: shape{texts: true}},
	{name: "register, 5 clients, 85 operations", count: 100,
		shape: shape{clients: 5, operations: 85, values: 5, swaps: true, latency: 10, gap: 25, timeouts: 0.23}},
	{name: "register, the same with stale reads", count: 100,
		shape: shape{clients: 5, operations: 85, values: 5, swaps: true, latency: 10, gap: 25, timeouts: 0.23, stale: 0.03}},
	{name: "10 keys of text, 10 clients, 400 operations", count: 10,
		shape: shape{clients: 10, operations: 400, keys: 10, texts: true, latency: 40, gap: 1}},
	{name: "10 keys of text, the same with stale reads", count: 10,
		shape: shape{clients: 10, operations: 400, keys: 10, texts: true, latency: 40, gap: 1, stale: 0.02}},
	{name: "10 keys of text, 50 clients, 2,000 operations", count: 4,
		shape: shape{clients: 50, operations: 2000, keys: 10, texts: true, latency: 40, gap: 1}},
	{name: "10 keys of text, the same with stale reads", count: 4,
		shape: shape{clients: 50, operations: 2000, keys: 10, texts: true, latency: 40, gap: 1, stale: 0.01}},
	{name: "10 keys of numbers, 10 clients, 10,000 operations", count: 1,
		shape: shape{clients: 10, operations: 10_000, keys: 10, values: 5, latency: 40, gap: 10}},
	{name: "one register, 40 clients, 1,000 operations, unique values", count: 1,
		shape: shape{clients: 40, operations: 1000, latency: 100, gap: 10}},
	{name: "one register, 40 clients, 1,000 operations, 5 values", count: 1,
		shape: shape{clients: 40, operations: 1000, values: 5, latency: 100, gap: 10}},
	{name: "10 keys of numbers, 40 clients, 1,000,000 operations, unique values", count: 1, hopeless: true,
		shape: shape{clients: 40, operations: 1_000_000, keys: 10, latency: 100, gap: 10}},
}
