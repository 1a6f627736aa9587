// Package libs imports the libraries that the catalog describes, so that the
// test of this module can compare the tables with their real signatures. It
// is a module of its own: nobody who uses mapatom needs these libraries.
//
// Run its tests, after a change of maps.txt or sync.txt or to try new versions
// of the libraries, with "go test ./..." in this directory.
package libs

import (
	_ "github.com/ReneKroon/ttlcache/v2"
	_ "github.com/alphadose/haxmap"
	_ "github.com/hashicorp/golang-lru"
	_ "github.com/hashicorp/golang-lru/arc/v2"
	_ "github.com/hashicorp/golang-lru/v2"
	_ "github.com/hashicorp/golang-lru/v2/expirable"
	_ "github.com/jellydator/ttlcache/v2"
	_ "github.com/jellydator/ttlcache/v3"
	_ "github.com/maypok86/otter/v2"
	_ "github.com/orcaman/concurrent-map"
	_ "github.com/orcaman/concurrent-map/v2"
	_ "github.com/patrickmn/go-cache"
	_ "github.com/puzpuzpuz/xsync"
	_ "github.com/puzpuzpuz/xsync/v2"
	_ "github.com/puzpuzpuz/xsync/v3"
	_ "github.com/puzpuzpuz/xsync/v4"
	_ "github.com/sasha-s/go-deadlock"
	_ "go.uber.org/atomic"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sync/semaphore"
)
