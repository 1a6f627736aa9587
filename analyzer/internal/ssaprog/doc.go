// Package ssaprog makes register programs of the functions of one package.
//
// It says which calls are operations, and of what kind: by the tables of package
// catalog, by the shape of a type, by the bodies of the package's own functions
// (Summaries, and wrappers that are operations themselves), by what other packages
// exported (Facts), and at last by names. Where a call becomes an operation is
// Resolver.direct; package reduce asks it while it lowers a function.
//
// The programs are made on demand, and once: Programs.Inlined is that of a function
// with its callees in it. For a function that cannot be lowered, Failure says why.
package ssaprog
