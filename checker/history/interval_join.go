package history

// finish joins what the chunks of a section found: names and threads get
// their numbers in order of first appearance in the file, however many
// goroutines parsed it, and rows move up where a line was no row.
func (s *section) finish() *Log {
	l := &s.log
	var threads threadNames
	usesSecond := false
	for _, c := range s.chunks {
		c.renameValues(l, &s.names)
		if s.perProcess {
			c.renameThreads(l, &threads)
		}
		usesSecond = usesSecond || c.usesSecond
	}
	l.FirstLine = 1
	if len(s.chunks) > 0 {
		l.FirstLine = s.chunks[0].firstLine
	}
	s.moveUp()
	l.Names, l.Threads = s.names.list, threads.list
	if !usesSecond {
		l.Second = nil
	}
	return l
}

// renameValues replaces the chunk's numbers of names by the section's.
func (c *chunk) renameValues(l *Log, all *names) {
	if len(c.names.list) == 0 {
		return
	}
	number := make([]int64, len(c.names.list))
	// The first chunk, and every other that saw the same names in the same
	// order, has the right numbers already.
	same := true
	for i, v := range c.names.list {
		number[i] = all.name(v)
		same = same && number[i] == FirstName+int64(i)
	}
	if same {
		return
	}
	// Integers are never in the range of names, so that a number is enough
	// to know what to replace.
	for _, column := range [][]int64{l.Key, l.Value, l.Second} {
		if column == nil {
			continue
		}
		for i, v := range column[c.firstRow : c.firstRow+c.rows] {
			if l.isName(v) {
				column[c.firstRow+i] = number[v-FirstName]
			}
		}
	}
}

// renameThreads replaces the chunk's numbers of threads by the section's.
func (c *chunk) renameThreads(l *Log, all *threadNames) {
	number := make([]int32, len(c.threads.list))
	same := true
	for i, name := range c.threads.list {
		number[i] = all.number([]byte(name))
		same = same && number[i] == int32(i)
	}
	if same {
		return
	}
	rows := l.Thread[c.firstRow : c.firstRow+c.rows]
	for i, t := range rows {
		rows[i] = number[t]
	}
}

// moveUp closes the gaps that lines without a row have left, and notes the
// lines if rows do not follow each other line by line.
func (s *section) moveUp() {
	l := &s.log
	n, gap := 0, false
	for i, c := range s.chunks {
		n += c.rows
		// Empty lines at the end of the section are no gap.
		gap = gap || c.rows < c.lines && i+1 < len(s.chunks) || c.hasGap()
	}
	// Rows only ever move up, and chunk by chunk from the first: nothing is
	// written over that has yet to move.
	if gap {
		l.Line = make([]int32, 0, n)
		for _, c := range s.chunks {
			c.moveTo(l, len(l.Line))
			l.Line = c.appendLines(l.Line)
		}
	}
	l.Method = l.Method[:n]
	l.Value, l.Call, l.Return = l.Value[:n], l.Call[:n], l.Return[:n]
	if l.Key != nil {
		l.Key = l.Key[:n]
	}
	if l.Second != nil {
		l.Second = l.Second[:n]
	}
	if l.Thread != nil {
		l.Thread = l.Thread[:n]
	}
}

// hasGap reports whether a row follows a line that is none.
func (c *chunk) hasGap() bool {
	return c.rows > 0 && c.lineOf != nil && int(c.lineOf[c.rows-1]) != c.firstLine+c.rows-1
}

// appendLines appends the lines of the chunk's rows.
func (c *chunk) appendLines(lines []int32) []int32 {
	if c.lineOf != nil {
		return append(lines, c.lineOf...)
	}
	for i := range c.rows {
		lines = append(lines, int32(c.firstLine+i))
	}
	return lines
}

// moveTo moves the rows of the chunk to an earlier place.
func (c *chunk) moveTo(l *Log, to int) {
	from, end := c.firstRow, c.firstRow+c.rows
	if from == to {
		return
	}
	copy(l.Method[to:], l.Method[from:end])
	for _, column := range [][]int64{l.Key, l.Value, l.Second, l.Call, l.Return} {
		if column != nil {
			copy(column[to:], column[from:end])
		}
	}
	if l.Thread != nil {
		copy(l.Thread[to:], l.Thread[from:end])
	}
}
