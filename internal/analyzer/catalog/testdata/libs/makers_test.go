package libs

import (
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	ttlold "github.com/ReneKroon/ttlcache/v2"
	"github.com/alphadose/haxmap"
	lru1 "github.com/hashicorp/golang-lru"
	arc2 "github.com/hashicorp/golang-lru/arc/v2"
	lru2 "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/expirable"
	ttl2 "github.com/jellydator/ttlcache/v2"
	ttl3 "github.com/jellydator/ttlcache/v3"
	"github.com/maypok86/otter/v2"
	cmap1 "github.com/orcaman/concurrent-map"
	cmap2 "github.com/orcaman/concurrent-map/v2"
	gocache "github.com/patrickmn/go-cache"
	xsync1 "github.com/puzpuzpuz/xsync"
	xsync2 "github.com/puzpuzpuz/xsync/v2"
	xsync3 "github.com/puzpuzpuz/xsync/v3"
	xsync4 "github.com/puzpuzpuz/xsync/v4"
	uatomic "go.uber.org/atomic"
)

// typeName is a type as the table has it.
type typeName struct{ pkg, name string }

const capacity = 8

// makers make an empty value of each type of the table: a pointer to the
// cell of an atomic, or a map from string (or any) to int (or any).
var makers = map[typeName]func() any{
	{"sync", "Map"}: func() any { return new(sync.Map) },

	{"sync/atomic", "Value"}:   func() any { return new(atomic.Value) },
	{"sync/atomic", "Pointer"}: func() any { return new(atomic.Pointer[int]) },
	{"sync/atomic", "Bool"}:    func() any { return new(atomic.Bool) },
	{"sync/atomic", "Int32"}:   func() any { return new(atomic.Int32) },
	{"sync/atomic", "Int64"}:   func() any { return new(atomic.Int64) },
	{"sync/atomic", "Uint32"}:  func() any { return new(atomic.Uint32) },
	{"sync/atomic", "Uint64"}:  func() any { return new(atomic.Uint64) },
	{"sync/atomic", "Uintptr"}: func() any { return new(atomic.Uintptr) },

	{"github.com/puzpuzpuz/xsync", "Map"}:        func() any { return xsync1.NewMap() },
	{"github.com/puzpuzpuz/xsync", "MapOf"}:      func() any { return xsync1.NewMapOf[int]() },
	{"github.com/puzpuzpuz/xsync", "Counter"}:    func() any { return new(xsync1.Counter) },
	{"github.com/puzpuzpuz/xsync/v2", "Map"}:     func() any { return xsync2.NewMap() },
	{"github.com/puzpuzpuz/xsync/v2", "MapOf"}:   func() any { return xsync2.NewMapOf[int]() },
	{"github.com/puzpuzpuz/xsync/v2", "Counter"}: func() any { return xsync2.NewCounter() },
	{"github.com/puzpuzpuz/xsync/v3", "Map"}:     func() any { return xsync3.NewMap() },
	{"github.com/puzpuzpuz/xsync/v3", "MapOf"}:   func() any { return xsync3.NewMapOf[string, int]() },
	{"github.com/puzpuzpuz/xsync/v3", "Counter"}: func() any { return xsync3.NewCounter() },
	{"github.com/puzpuzpuz/xsync/v4", "Map"}:     func() any { return xsync4.NewMap[string, int]() },
	{"github.com/puzpuzpuz/xsync/v4", "Counter"}: func() any { return xsync4.NewCounter() },

	{"github.com/orcaman/concurrent-map", "ConcurrentMap"}:    func() any { return cmap1.New() },
	{"github.com/orcaman/concurrent-map/v2", "ConcurrentMap"}: func() any { return cmap2.New[int]() },

	{"github.com/alphadose/haxmap", "Map"}: func() any { return haxmap.New[string, int]() },
	{"github.com/patrickmn/go-cache", "cache"}: func() any {
		return gocache.New(gocache.NoExpiration, 0)
	},

	{"github.com/hashicorp/golang-lru", "Cache"}:            func() any { return must(lru1.New(capacity)) },
	{"github.com/hashicorp/golang-lru", "TwoQueueCache"}:    func() any { return must(lru1.New2Q(capacity)) },
	{"github.com/hashicorp/golang-lru", "ARCCache"}:         func() any { return must(lru1.NewARC(capacity)) },
	{"github.com/hashicorp/golang-lru/v2", "Cache"}:         func() any { return must(lru2.New[string, int](capacity)) },
	{"github.com/hashicorp/golang-lru/v2", "TwoQueueCache"}: func() any { return must(lru2.New2Q[string, int](capacity)) },
	{"github.com/hashicorp/golang-lru/arc/v2", "ARCCache"}:  func() any { return must(arc2.NewARC[string, int](capacity)) },
	{"github.com/hashicorp/golang-lru/v2/expirable", "LRU"}: func() any {
		return expirable.NewLRU[string, int](capacity, nil, 0)
	},

	{"github.com/jellydator/ttlcache/v2", "Cache"}: func() any { return ttl2.NewCache() },
	{"github.com/ReneKroon/ttlcache/v2", "Cache"}:  func() any { return ttlold.NewCache() },
	{"github.com/jellydator/ttlcache/v3", "Cache"}: func() any { return ttl3.New[string, int]() },
	{"github.com/maypok86/otter/v2", "Cache"}:      func() any { return otter.Must(&otter.Options[string, int]{}) },

	{"go.uber.org/atomic", "Bool"}:          func() any { return new(uatomic.Bool) },
	{"go.uber.org/atomic", "Int32"}:         func() any { return new(uatomic.Int32) },
	{"go.uber.org/atomic", "Int64"}:         func() any { return new(uatomic.Int64) },
	{"go.uber.org/atomic", "Uint32"}:        func() any { return new(uatomic.Uint32) },
	{"go.uber.org/atomic", "Uint64"}:        func() any { return new(uatomic.Uint64) },
	{"go.uber.org/atomic", "Uintptr"}:       func() any { return new(uatomic.Uintptr) },
	{"go.uber.org/atomic", "Float32"}:       func() any { return new(uatomic.Float32) },
	{"go.uber.org/atomic", "Float64"}:       func() any { return new(uatomic.Float64) },
	{"go.uber.org/atomic", "Duration"}:      func() any { return new(uatomic.Duration) },
	{"go.uber.org/atomic", "Time"}:          func() any { return new(uatomic.Time) },
	{"go.uber.org/atomic", "String"}:        func() any { return new(uatomic.String) },
	{"go.uber.org/atomic", "Error"}:         func() any { return new(uatomic.Error) },
	{"go.uber.org/atomic", "Pointer"}:       func() any { return new(uatomic.Pointer[int]) },
	{"go.uber.org/atomic", "UnsafePointer"}: func() any { return new(uatomic.UnsafePointer) },
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// functions are the functions of sync/atomic, by name.
var functions = map[string]any{
	"LoadInt32": atomic.LoadInt32, "LoadInt64": atomic.LoadInt64, "LoadUint32": atomic.LoadUint32,
	"LoadUint64": atomic.LoadUint64, "LoadUintptr": atomic.LoadUintptr, "LoadPointer": atomic.LoadPointer,
	"StoreInt32": atomic.StoreInt32, "StoreInt64": atomic.StoreInt64, "StoreUint32": atomic.StoreUint32,
	"StoreUint64": atomic.StoreUint64, "StoreUintptr": atomic.StoreUintptr, "StorePointer": atomic.StorePointer,
	"SwapInt32": atomic.SwapInt32, "SwapInt64": atomic.SwapInt64, "SwapUint32": atomic.SwapUint32,
	"SwapUint64": atomic.SwapUint64, "SwapUintptr": atomic.SwapUintptr, "SwapPointer": atomic.SwapPointer,
	"CompareAndSwapInt32": atomic.CompareAndSwapInt32, "CompareAndSwapInt64": atomic.CompareAndSwapInt64,
	"CompareAndSwapUint32": atomic.CompareAndSwapUint32, "CompareAndSwapUint64": atomic.CompareAndSwapUint64,
	"CompareAndSwapUintptr": atomic.CompareAndSwapUintptr, "CompareAndSwapPointer": atomic.CompareAndSwapPointer,
	"AddInt32": atomic.AddInt32, "AddInt64": atomic.AddInt64, "AddUint32": atomic.AddUint32,
	"AddUint64": atomic.AddUint64, "AddUintptr": atomic.AddUintptr,
	"AndInt32": atomic.AndInt32, "AndInt64": atomic.AndInt64, "AndUint32": atomic.AndUint32,
	"AndUint64": atomic.AndUint64, "AndUintptr": atomic.AndUintptr,
	"OrInt32": atomic.OrInt32, "OrInt64": atomic.OrInt64, "OrUint32": atomic.OrUint32,
	"OrUint64": atomic.OrUint64, "OrUintptr": atomic.OrUintptr,
}

// sample returns a value of type t that stands for n: equal for equal n,
// different for different n where the type has so many values, and the zero
// value for 0.
func sample(t reflect.Type, n int) reflect.Value {
	v := reflect.New(t).Elem()
	if n == 0 {
		return v
	}
	switch {
	case t.Kind() == reflect.Bool:
		v.SetBool(n%2 == 1)
	case t.Kind() == reflect.String:
		v.SetString(string(rune('a' + n)))
	case v.CanInt() || v.CanUint() || v.CanFloat():
		v.Set(reflect.ValueOf(n).Convert(t))
	case t.Kind() == reflect.UnsafePointer:
		v.SetPointer(reflect.ValueOf(&addresses[n]).UnsafePointer())
	case t == reflect.TypeFor[*int]():
		v.Set(reflect.ValueOf(&addresses[n]))
	case t == reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(numberError(n)))
	case t == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(int64(n), 0)))
	case t.Kind() == reflect.Interface:
		v.Set(reflect.ValueOf(n))
	default:
		panic("no sample of " + t.String())
	}
	return v
}

var addresses [16]int

type numberError int

func (e numberError) Error() string { return string(rune('0' + e)) }
