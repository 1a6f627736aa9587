// Package field imports the libraries that docs/field-lineup.md is about, and
// makes those of their types that need a constructor of our own.
package field

import (
	_ "github.com/alphadose/haxmap"
	_ "github.com/hashicorp/golang-lru/v2"
	_ "github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/jellydator/ttlcache/v3"
	cmap "github.com/orcaman/concurrent-map/v2"
	_ "github.com/patrickmn/go-cache"
	_ "github.com/puzpuzpuz/xsync/v4"
)

// NewShards makes a map of two shards instead of 32: the calls on all of them
// take as many steps as there are.
func NewShards() cmap.ConcurrentMap[string, int] {
	cmap.SHARD_COUNT = 2
	return cmap.New[int]()
}

// NewLoading makes a cache that loads what it does not have, once however many
// ask for it: the loader stands on golang.org/x/sync/singleflight.
func NewLoading() *ttlcache.Cache[string, int] {
	load := ttlcache.LoaderFunc[string, int](func(c *ttlcache.Cache[string, int], key string) *ttlcache.Item[string, int] {
		return c.Set(key, 7, ttlcache.NoTTL)
	})
	return ttlcache.New(ttlcache.WithLoader[string, int](ttlcache.NewSuppressedLoader[string, int](load, nil)))
}
