package harm

import (
	"sync"

	"compiled"
)

// Programs are compiled without the lock, twice if two want the same.
type Programs struct {
	mu       sync.Mutex
	programs map[string]*compiled.Program
	machines map[string]*compiled.Machine
}

func (p *Programs) MediumProgram(text string) (*compiled.Program, error) {
	p.mu.Lock()
	known, ok := p.programs[text]
	p.mu.Unlock()
	if ok {
		return known, nil
	}
	made, err := compiled.New(text)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.programs[text] = made
	p.mu.Unlock()
	return made, nil
}

// HighMachine makes a machine, which counts what it has run.
func (p *Programs) HighMachine(text string) (*compiled.Machine, error) {
	p.mu.Lock()
	known, ok := p.machines[text]
	p.mu.Unlock()
	if ok {
		return known, nil
	}
	made, err := compiled.NewMachine(text)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.machines[text] = made
	p.mu.Unlock()
	return made, nil
}
