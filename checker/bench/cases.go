package main

import "github.com/mapatom/mapatom/internal/checker/workload"

// A benchCase is one line of the table.
type benchCase struct {
	name  string
	shape workload.Clients
	// count is how many histories of the shape are checked; the time is for
	// all of them.
	count int
	// hopeless says that Porcupine runs out of memory, and is left out.
	hopeless bool
	// own gives histories that are not generated.
	own func() ([][]workload.Call, error)
}

func etcdLogs() ([][]workload.Call, error) { return ownLogs("jepsen/*.log", parseEtcd) }
func textLogs() ([][]workload.Call, error) { return ownLogs("kv/*.txt", parseText) }

var cases = []benchCase{
	{name: "Porcupine's logs of etcd", own: etcdLogs},
	{name: "Porcupine's 6 logs of a key-value store", own: textLogs, shape: workload.Clients{Texts: true}},
	{name: "register, 5 clients, 85 operations", count: 100,
		shape: workload.Clients{Number: 5, Operations: 85, Values: 5, Swaps: true, Latency: 10, Gap: 25, Timeouts: 0.23}},
	{name: "register, the same with stale reads", count: 100,
		shape: workload.Clients{Number: 5, Operations: 85, Values: 5, Swaps: true, Latency: 10, Gap: 25, Timeouts: 0.23, Stale: 0.03}},
	{name: "10 keys of text, 10 clients, 400 operations", count: 10,
		shape: workload.Clients{Number: 10, Operations: 400, Keys: 10, Texts: true, Latency: 40, Gap: 1}},
	{name: "10 keys of text, the same with stale reads", count: 10,
		shape: workload.Clients{Number: 10, Operations: 400, Keys: 10, Texts: true, Latency: 40, Gap: 1, Stale: 0.02}},
	{name: "10 keys of text, 50 clients, 2,000 operations", count: 4,
		shape: workload.Clients{Number: 50, Operations: 2000, Keys: 10, Texts: true, Latency: 40, Gap: 1}},
	{name: "10 keys of text, the same with stale reads", count: 4,
		shape: workload.Clients{Number: 50, Operations: 2000, Keys: 10, Texts: true, Latency: 40, Gap: 1, Stale: 0.01}},
	{name: "10 keys of numbers, 10 clients, 10,000 operations", count: 1,
		shape: workload.Clients{Number: 10, Operations: 10_000, Keys: 10, Values: 5, Latency: 40, Gap: 10}},
	{name: "one register, 40 clients, 1,000 operations, unique values", count: 1,
		shape: workload.Clients{Number: 40, Operations: 1000, Latency: 100, Gap: 10}},
	{name: "one register, 40 clients, 1,000 operations, 5 values", count: 1,
		shape: workload.Clients{Number: 40, Operations: 1000, Values: 5, Latency: 100, Gap: 10}},
	{name: "10 keys of numbers, 40 clients, 1,000,000 operations, unique values", count: 1, hopeless: true,
		shape: workload.Clients{Number: 40, Operations: 1_000_000, Keys: 10, Latency: 100, Gap: 10}},
}
