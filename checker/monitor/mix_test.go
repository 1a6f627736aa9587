package monitor

import (
	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// A mix is one that monitors are tested on.
type mix struct {
	workload.Mix
	// searchedShare is how many histories there are at least to one that is
	// left to the search.
	searchedShare int
}

var containerMethods = []history.Method{history.Insert, history.Remove, history.Peek}

var mixes = []mix{
	{workload.Mix{Name: "set", Kind: history.Set, Methods: []history.Method{history.Add, history.Take, history.ContainsTrue}, Values: 3}, 1 << 30},
	{workload.Mix{Name: "set-unique", Kind: history.Set, Methods: []history.Method{history.Add, history.Take, history.ContainsTrue}, Unique: true, Values: 3}, 1 << 30},
	{workload.Mix{Name: "register", Kind: history.Register, Methods: []history.Method{history.Write, history.Read}, Unique: true, Initial: true}, 1000},
	{workload.Mix{Name: "register-rmw", Kind: history.Register, Methods: []history.Method{history.Write, history.Read, history.CAS, history.Swap, history.FetchAdd, history.GetOrPut}, Unique: true, Initial: true}, 4},
	{workload.Mix{Name: "register-any", Kind: history.Register, Methods: []history.Method{history.Write, history.Read, history.CAS, history.Swap}, Values: 3}, 2},
	{workload.Mix{Name: "register-cas", Kind: history.Register, Methods: []history.Method{history.CAS, history.Read}, Unique: true, Initial: true}, 20},
	{workload.Mix{Name: "counter", Kind: history.Register, Methods: []history.Method{history.FetchAdd, history.Read}, Unique: true, Initial: true}, 1 << 30},
	{workload.Mix{Name: "map", Kind: history.Map, Methods: []history.Method{history.Write, history.Read, history.CAS, history.Swap, history.GetOrPut}, Unique: true, Keys: 2, Deletes: true}, 4},
	{workload.Mix{Name: "map-put", Kind: history.Map, Methods: []history.Method{history.GetOrPut, history.Read, history.CAS}, Unique: true, Keys: 1, Deletes: true}, 5},
	{workload.Mix{Name: "map-any", Kind: history.Map, Methods: []history.Method{history.Write, history.Read, history.CAS, history.Swap, history.GetOrPut}, Values: 3, Keys: 1, Deletes: true}, 2},
	{workload.Mix{Name: "queue", Kind: history.Queue, Methods: containerMethods, Unique: true}, 4},
	{workload.Mix{Name: "stack", Kind: history.Stack, Methods: containerMethods, Unique: true}, 4},
	{workload.Mix{Name: "priorityqueue", Kind: history.PriorityQueue, Methods: containerMethods, Unique: true}, 4},
}
