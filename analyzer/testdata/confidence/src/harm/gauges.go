package harm

import "sync"

// Gauge says how busy something is.
type Gauge struct{ Busy, Idle int }

// Gauges has gauges by name; it is a map for whoever has it.
type Gauges struct{ *sync.Map }

func (l *Gauges) Get(name string) *Gauge {
	if v, ok := l.Load(name); ok {
		return v.(*Gauge)
	}
	return nil
}

func (l *Gauges) Set(name string, w *Gauge) { l.Store(name, w) }

type Meter struct{ Gauges *Gauges }

func (n *Meter) Watch(busy func() int) {
	for range 2 {
		go n.MediumGauge(busy())
	}
}

// MediumGauge puts back the object that it has found: who does that replaces none.
func (n *Meter) MediumGauge(busy int) {
	w := n.Gauges.Get("current")
	w.Busy = busy
	n.Gauges.Set("current", w)
}

// Needles has gauges as well.
type Needles struct{ *sync.Map }

func (p *Needles) Get(name string) *Gauge {
	if v, ok := p.Load(name); ok {
		return v.(*Gauge)
	}
	return nil
}

func (p *Needles) Set(name string, w *Gauge) { p.Store(name, w) }

type Panel struct{ Needles *Needles }

func (p *Panel) Watch(busy func() int) {
	for range 2 {
		go p.HighGauge(busy())
	}
}

// HighGauge puts a changed copy in its place, without what others have changed.
func (p *Panel) HighGauge(busy int) {
	w := *p.Needles.Get("current")
	w.Busy = busy
	p.Needles.Set("current", &w)
}

// Dials has gauges that somebody replaces.
type Dials struct{ *sync.Map }

func (d *Dials) Get(name string) *Gauge {
	if v, ok := d.Load(name); ok {
		return v.(*Gauge)
	}
	return nil
}

func (d *Dials) Set(name string, w *Gauge) { d.Store(name, w) }

type Desktop struct{ Dials *Dials }

func (d *Desktop) Watch(busy func() int) {
	for range 2 {
		go d.HighDial(busy())
		go d.Replace()
	}
}

// HighDial puts back an object that is not the one any more.
func (d *Desktop) HighDial(busy int) {
	w := d.Dials.Get("current")
	w.Busy = busy
	d.Dials.Set("current", w)
}

func (d *Desktop) Replace() { d.Dials.Set("current", &Gauge{}) }
