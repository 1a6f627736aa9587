// Package witness draws histories: what each thread called and when, the base
// operations inside a call, and the linearization order or the conflicting
// operations that a verdict rests on.
//
// Everything that shows a history makes a [Picture] first and has it drawn:
// [Picture.Text] for a terminal, [WriteHTML] for a browser. [Write] and [Read]
// are its one JSON form, which every subcommand shares; version 1 is
//
//	{"version": 1,
//	 "title": "queue.log", "kind": "queue",
//	 "verdict": "violation", "reason": "1 was added before 2 and removed after it",
//	 "threads": ["a", "b"],
//	 "operations": [
//	   {"thread": "a", "object": "q", "method": "enq", "args": ["1"], "results": [],
//	    "call": 1, "return": 4, "line": 2, "note": "", "step": false,
//	    "inner": [{"thread": "a", "method": "CompareAndSwap", ...}]}],
//	 "linearization": [1, 0], "core": [0, 1],
//	 "stuck": false, "omitted": 0, "notes": []}
//
// Only version and operations have to be there, and of an operation the method
// and its call. The method of a step is a phrase, such as "x := y", and no name. A return of null means that the operation did not return.
// Values are texts. Linearization and core are indices of operations. Readers
// pass over names that they do not know.
package witness
