package history

// The format of a recording, which package record writes: docs/history-format.md
// has it in words.
const (
	// RecordingMagic is how a recording begins. It is no text of any encoding,
	// and a line end that was changed on the way shows.
	RecordingMagic   = "\x89mapatom\r\n"
	RecordingVersion = 1

	// A frame is a kind, the length of the payload in four bytes, low first, the
	// payload, and the CRC-32 of all that in four.
	RecordingBlock byte = 'B' // events of one shard
	RecordingMark  byte = 'M' // all events before a time are in the file
	RecordingEnd   byte = 'E' // the recording was closed

	// What is in a block.
	RecordedCall   byte = 1
	RecordedReturn byte = 2
	RecordedWord   byte = 3
	RecordedCancel byte = 4 // as if the operation had never been called

	// How a value begins.
	RecordedNull  byte = 0
	RecordedFalse byte = 1
	RecordedTrue  byte = 2
	RecordedInt   byte = 3 // and a number, its sign in the lowest bit
	RecordedText  byte = 4 // and a string
	RecordedJSON  byte = 5 // and the text of any JSON
)
