// Package recording has the bytes of the format that package record writes and package
// history reads. docs/history-format.md has it in words.
package recording

const (
	// Magic is how a recording begins. It is no text of any encoding, and a line
	// end that was changed on the way shows.
	Magic   = "\x89mapatom\r\n"
	Version = 1

	// A frame is a kind, the length of the payload in four bytes, low first, the
	// payload, and the CRC-32 of all that in four.
	Block byte = 'B' // events of one shard
	Mark  byte = 'M' // all events before a time are in the file
	End   byte = 'E' // the recording was closed

	// What is in a block.
	Call   byte = 1
	Return byte = 2
	Word   byte = 3
	Cancel byte = 4 // as if the operation had never been called

	// How a value begins.
	Null  byte = 0
	False byte = 1
	True  byte = 2
	Int   byte = 3 // and a number, its sign in the lowest bit
	Text  byte = 4 // and a string
	JSON  byte = 5 // and the text of any JSON
)
