module github.com/mapatom/mapatom/internal/analyzer/catalog/testdata/libs

go 1.26.0

replace github.com/mapatom/mapatom => ../../../../..

require (
	github.com/ReneKroon/ttlcache/v2 v2.11.0
	github.com/alphadose/haxmap v1.4.0
	github.com/hashicorp/golang-lru v1.0.2
	github.com/hashicorp/golang-lru/arc/v2 v2.0.7
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/jellydator/ttlcache/v2 v2.11.1
	github.com/jellydator/ttlcache/v3 v3.4.1
	github.com/mapatom/mapatom v0.0.0-00010101000000-000000000000
	github.com/maypok86/otter/v2 v2.4.0
	github.com/orcaman/concurrent-map v1.0.0
	github.com/orcaman/concurrent-map/v2 v2.0.1
	github.com/patrickmn/go-cache v2.1.0+incompatible
	github.com/puzpuzpuz/xsync v1.5.2
	github.com/puzpuzpuz/xsync/v2 v2.5.1
	github.com/puzpuzpuz/xsync/v3 v3.5.1
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/sasha-s/go-deadlock v0.3.9
	github.com/stretchr/testify v1.12.1
	go.uber.org/atomic v1.12.0
	golang.org/x/sync v0.24.0
	golang.org/x/tools v0.52.0
)

require (
	github.com/petermattis/goid v0.0.0-20250813065127-a731cc31b4fe // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/exp v0.0.0-20221031165847-c99f073a8326 // indirect
	golang.org/x/mod v0.42.0 // indirect
)
