package callers

// How says how a function comes to run.
type How int

const (
	// Called is as a part of the one that calls it.
	Called How = iota
	// Started is in a goroutine of its own.
	Started
	// Given is by code outside of the program, which has got the function.
	Given
)

// Calls are what one package has to say: who calls whom in it, by their names, as ID has
// them.
type Calls struct {
	Edges []Edge
	// Values are functions that are kept, to be called by whoever has them, and Methods
	// all methods, each with what such a call looks like.
	Values, Methods []Value
	// Open are functions that code outside of the program may call; Handlers are those
	// of them that a server runs for each of its requests.
	Open, Handlers []string
	// Exported are functions that other programs can call, if this is not one itself.
	Exported []string
	// Types are the methods of each type, those of what it embeds too, and Interfaces what each
	// interface asks for that a method is called through; Within are those of the interfaces that
	// only this package can name.
	Types      []Type
	Interfaces map[string][]string
	Within     []string
	// Makes are the functions that give a new object each time, each with those whose result it
	// hands on; Fields are what fields are given.
	Makes  []Maker
	Fields []Field
}

// Edge says that one function has another one run.
type Edge struct {
	From, To string
	How      How
	// At is the place of a go statement, or of what is given; Loop says that it is in a loop, and Own that a
	// method starts a loop on its own object and on nothing else, which nobody does twice.
	At        string
	Loop, Own bool
	// Under is the lock that is held around the call, or the queue that hands out what it
	// is about: each as one name for all objects. Empty if there is none. Whole says that it is none
	// of an object, but there once, or a queue.
	Under string
	Whole bool
	// On is the object of the call, Args are its arguments, as far as it is said what they are,
	// and Through is the interface that it is called through; empty if it is called by its name.
	On      Object
	Args    []Object
	Through string
}

// Type is one that may be in an interface.
type Type struct{ Methods []Value }

// Object is what a method is called on, or is given, as far as the function around the call says it.
type Object struct {
	From Origin
	// In is the function that has made it, has got it out of a list, or is given it: that of the
	// call, or one around it. By is the function that has given it there, which may make it.
	In, By string
	// Which is the place of the variable that it is in, of those that In has made; empty if it is in none.
	Which string
	// Param is the number of the parameter that it is, and Parts are the fields that lead from
	// there to the object.
	Param int
	Parts []string
	// Each says that there is another one in each round of the loop that the call is in, or the
	// function literal.
	Each bool
}

// Origin says where the object of a call is from.
type Origin int

const (
	// Unknown is not followed.
	Unknown Origin = iota
	// Same is the object of the method that the call is in.
	Same
	// Made is a new one, another one each time.
	Made
	// Listed is one of those that a loop is over: others can have it too.
	Listed
	// Param is what a parameter of the function has been given.
	Param
)

// Maker is a function that gives a new object each time if all others do, by which it
// is given some.
type Maker struct {
	Fn  string
	Via []string
}

// Field is what a field is given: what some functions give, and if Others is set, what others
// may have as well.
type Field struct {
	Name   string
	Via    []string
	Others bool
}

// Point is a function as one to which goroutines come.
type Point struct {
	Fn string
	// Own says that they have to come on one object of the parameter with this number, or, if
	// there are Parts, on what these fields lead to from there.
	Own   bool
	Param int
	Parts []string
}

// Receiver is the number of what a method is called on, as of a parameter.
const Receiver = -1

// Value is a function that is called without its name.
type Value struct {
	Fn string
	// As is the call, as the To of an Edge has it.
	As string
}

// root is where a program begins.
const root = "main"
