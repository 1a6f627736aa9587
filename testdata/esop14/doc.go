// Package esop14 holds the 52 extended operations of the two tables of
// "Checking Linearizability of Encapsulated Extended Operations" (ESOP 2014)
// as Go functions on sync.Map. They follow the shape of each operation, what
// it does with the map and which value it returns, not the original text.
//
// Every row is one exported function or method: V01 to V24 for the rows that
// the paper verified, N01 to N28 for those that it reported. N11 is the row
// that it reported by mistake. rows.tsv has what the paper says about each row
// and the verdict that is right. A name with a suffix is no row but a variant
// of one, listed in extras.tsv.
//
// The expected verdicts hold for the paper's environment: other goroutines may
// do anything to the map that one atomic call can do. Under that assumption a
// private lock around the calls does not help (N28).
//
// Three rules keep the rows comparable with the originals.
//   - A new value is an object with an identity. Only V20 keeps integers.
//   - Creation is pure: it depends on the key alone and has no effect.
//   - Where the original went on to mutate the surviving value, the Go version
//     returns it.
package esop14
