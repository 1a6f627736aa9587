// Package tour is a small service core: sessions, metrics, a cache, a
// connection pool, a rate limiter and the flags of its workers. Each part does
// its work on a sync.Map or on atomics, some of it right and some of it not,
// side by side, so that a run of mapatom over it shows what is reported, what
// is not, and why.
//
// A comment line //tour:ok or //tour:bug CATEGORY above each function says
// what mapatom should make of it.
package tour
