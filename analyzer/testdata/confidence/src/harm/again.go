package harm

import "sync"

// Marks are set once, and who waits is told whenever somebody has looked.
type Marks struct {
	mu   sync.Mutex
	set  map[string]bool
	free chan struct{}
	told func(string)
}

func NewMarks(told func(string)) *Marks {
	return &Marks{set: map[string]bool{}, free: make(chan struct{}, 1), told: told}
}

func (m *Marks) has(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.set[id]
}

func (m *Marks) add(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.set[id] {
		m.set[id] = true
	}
}

// HighMark tells who has set a mark, and so do two who both have found none.
func (m *Marks) HighMark(id string) {
	if m.has(id) {
		return
	}
	m.add(id)
	m.told(id)
}

// MediumMark gives a place back whether there was a mark or not: its look has not told it to.
func (m *Marks) MediumMark(id string) {
	if m.has(id) {
		m.free <- struct{}{}
		return
	}
	m.add(id)
	m.free <- struct{}{}
}

// MediumWrite marks what could not be written, and gives the place back in any case.
func (m *Marks) MediumWrite(id string, write func(string) error) error {
	<-m.free
	defer func() { m.free <- struct{}{} }()
	if m.has(id) {
		return nil
	}
	if err := write(id); err != nil {
		m.add(id)
		return err
	}
	if id == "" {
		m.add(id)
	}
	return nil
}
