module github.com/mapatom/mapatom/docs/bench/histories

go 1.26.0

require (
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/mapatom/mapatom v0.0.0
	github.com/puzpuzpuz/xsync/v4 v4.5.0
)

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)

replace github.com/mapatom/mapatom => ../../..
