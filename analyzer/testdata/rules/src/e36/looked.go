package e36

import (
	"strings"
	"sync"
)

type schema struct {
	names []string
	text  string
	mu    sync.Mutex
	full  string
}

func (s *schema) add(name string)       { s.names = append(s.names, name) }
func (s *schema) has(name string) bool  { return strings.Contains(s.text, name) }
func parseSchema(text string) *schema   { return &schema{text: text} }
func (s *schema) lines() (lines int)    { return strings.Count(s.text, "\n") }
func (s *schema) width(at []string) int { return len(s.text) / (1 + len(at)) }

// joined is filled when it is asked for.
func (s *schema) joined() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full == "" {
		s.full = strings.ToUpper(s.text)
	}
	return s.full
}

// Schemas has drafts to which names are added, and schemas that are only asked.
type Schemas struct {
	known, drafted, held, kept sync.Map
	draft                      *schema
	current                    *schema
}

func (s *Schemas) Draft(name string) { s.draft.add(name) }

func (s *Schemas) HiddenSchema(text, name string) bool {
	v, ok := s.known.Load(text)
	if !ok {
		v = parseSchema(text)
		s.known.Store(text, v)
	}
	out := v.(*schema)
	return out.has(name) && out.joined() != "" && out.lines()+out.width(nil) > 0
}

// ShownSchema has one to which others add names.
func (s *Schemas) ShownSchema(text string) bool {
	v, ok := s.drafted.Load(text)
	if !ok {
		v = parseSchema(text)
		s.drafted.Store(text, v)
	}
	return v.(*schema).has(text)
}

func (s *Schemas) Change(text, name string) {
	if v, ok := s.drafted.Load(text); ok {
		v.(*schema).add(name)
	}
}

// ShownHeld holds the lock of what it has found while it works.
func (s *Schemas) ShownHeld(text string, work func()) {
	v, ok := s.held.Load(text)
	if !ok {
		v = parseSchema(text)
		s.held.Store(text, v)
	}
	out := v.(*schema)
	out.mu.Lock()
	defer out.mu.Unlock()
	work()
}

// ShownKept asks whether it has found the one that somebody has chosen.
func (s *Schemas) ShownKept(text string) bool {
	v, ok := s.kept.Load(text)
	if !ok {
		v = parseSchema(text)
		s.kept.Store(text, v)
	}
	return v.(*schema) == s.current
}

type reader struct {
	once sync.Once
	text string
	out  []string
	err  error
}

// words are split by whoever asks for them first.
func (r *reader) words() []string {
	r.once.Do(func() { r.out = strings.Fields(r.text) })
	return r.out
}

// send is done once.
func (r *reader) send(to func(string) error) error {
	r.once.Do(func() { r.err = to(r.text) })
	return r.err
}

type Readers struct{ split, sent, run, replaced sync.Map }

func (r *Readers) HiddenWords(text string) []string {
	v, ok := r.split.Load(text)
	if !ok {
		v = &reader{text: text}
		r.split.Store(text, v)
	}
	return v.(*reader).words()
}

// ShownSend sends once for each reader, and so twice if there are two.
func (r *Readers) ShownSend(text string, to func(string) error) error {
	v, ok := r.sent.Load(text)
	if !ok {
		v = &reader{text: text}
		r.sent.Store(text, v)
	}
	return v.(*reader).send(to)
}

// ShownRun makes a reader for which a goroutine runs.
func (r *Readers) ShownRun(text string) []string {
	v, ok := r.run.Load(text)
	if !ok {
		out := &reader{text: text}
		go out.words()
		v = out
		r.run.Store(text, v)
	}
	return v.(*reader).words()
}

// ShownReplaced overwrites what somebody has put there who wants another one.
func (r *Readers) ShownReplaced(text string) []string {
	v, ok := r.replaced.Load(text)
	if !ok {
		v = &reader{text: text}
		r.replaced.Store(text, v)
	}
	return v.(*reader).words()
}

func (r *Readers) Replace(text, by string) { r.replaced.Store(text, &reader{text: by}) }

// Page is what others get: of one that is counted they can tell two apart.
type Page interface{ Text() string }

type Visits interface{ Visit() int }

type page struct {
	mu     sync.Mutex
	text   string
	visits int
}

func (p *page) Text() string { return p.text }

func (p *page) Visit() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.visits++
	return p.visits
}

type Pages struct{ texts, visited sync.Map }

func (p *Pages) HiddenPage(name string) Page {
	if v, ok := p.texts.Load(name); ok {
		return v.(*page)
	}
	out := &page{text: name}
	p.texts.Store(name, out)
	return out
}

func (p *Pages) ShownVisits(name string) Visits {
	if v, ok := p.visited.Load(name); ok {
		return v.(*page)
	}
	out := &page{text: name}
	p.visited.Store(name, out)
	return out
}
