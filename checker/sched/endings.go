package sched

import "fmt"

// Code that ends its process or its goroutine would end all executions with it.
// Under control it panics instead, with a value that says what it wanted to do:
// the call is over, and what it came to can be seen.

// Ending is what such code panics with.
type Ending string

// Exiter returns a function to call in the place of os.Exit, which it is given.
func Exiter(exit func(int)) func(int) {
	if Current() == nil {
		return exit
	}
	return func(code int) { panic(Ending(fmt.Sprintf("os.Exit(%d) ends the process", code))) }
}

// Fataler returns a function to call in the place of log.Fatal, which it is
// given.
func Fataler(fatal func(...any)) func(...any) {
	if Current() == nil {
		return fatal
	}
	return func(v ...any) { panic(Ending("log.Fatal ends the process: " + fmt.Sprint(v...))) }
}

// FatalFormatter is Fataler for log.Fatalf.
func FatalFormatter(fatal func(string, ...any)) func(string, ...any) {
	if Current() == nil {
		return fatal
	}
	return func(format string, v ...any) {
		panic(Ending("log.Fatal ends the process: " + fmt.Sprintf(format, v...)))
	}
}

// Goexiter returns a function to call in the place of runtime.Goexit, which it is
// given. Goroutines that the code has started end as they want to.
func Goexiter(goexit func()) func() {
	t := Current()
	if t == nil || t.id >= t.run.program {
		return goexit
	}
	return func() { panic(Ending("runtime.Goexit ends the goroutine")) }
}
