package absint

import "slices"

// disclosure is what a run that goes on as another one does has told of the contents of the cells
// by then: the answers to these questions, or more than that.
//
//	if state.Load() == closing { return ErrClosing }
//
// It is told whether the state is closing. In a candidate in which there is another
// state, which is not closing either, the same is told.
type disclosure struct {
	asked []literal
	more  bool
}

// add adds what another run has told.
func (t *disclosure) add(o *disclosure) {
	t.more = t.more || o.more
	for _, q := range o.asked {
		t.ask(q)
	}
}

// exceeds reports whether more is told than by another run: where two are taken for one, a
// witness goes the way that tells more.
func (t *disclosure) exceeds(o *disclosure) bool {
	if t.more != o.more {
		return t.more
	}
	return len(t.asked) > len(o.asked)
}

func (t *disclosure) ask(q literal) {
	if !slices.Contains(t.asked, q) {
		t.asked = append(slices.Clip(t.asked), q)
	}
}

// question is what a literal answers.
func (t *terms) question(l literal) literal {
	l.equal = true
	if l.b == t.falseT {
		l.b = t.trueT
	}
	return l
}

// ask notes that an answer was given, if it is one about what the walk is asked for.
func (w *walk) ask(t *disclosure, l literal) {
	if w.about != nil && (w.about(l.a) || w.about(l.b)) {
		t.ask(w.e.terms.question(l))
	}
}

// tell notes what a run tells.
func (w *walk) tell(r *wayRun, xs []term) {
	for _, x := range xs {
		switch {
		case !w.about(x):
		case w.e.terms.isTest(x):
			l := w.e.terms.plain(literal{x, w.e.terms.trueT, true})
			r.told.ask(w.e.terms.question(l))
		default:
			r.told.more = true
		}
	}
}

// lose notes that values are taken for anything: what follows from them is not known.
func (w *walk) lose(t *disclosure, xs ...term) {
	for _, x := range xs {
		t.more = t.more || w.about != nil && x != noTerm && w.about(x)
	}
}

// covers reports whether a run that stands where another one does, and knows no more, has
// told as much. It takes over what it has not, as long as it waits.
func (w *walk) covers(q, r *wayRun) bool {
	if w.about == nil {
		return true
	}
	all := r.told
	for _, l := range r.answers {
		if !slices.Contains(q.answers, l) {
			w.ask(&all, l)
		}
	}
	if w.tellsAll(&q.told, q.answers, &all) {
		return true
	}
	if !w.waits(q) {
		return false
	}
	if all.exceeds(&q.told) {
		q.taken = r.taken
	}
	q.told.add(&all)
	return true
}

// tellsAll reports whether all of t is told by o, or by the answers with which that goes.
func (w *walk) tellsAll(o *disclosure, answers []literal, t *disclosure) bool {
	if t.more && !o.more {
		return false
	}
	for _, q := range t.asked {
		answered := slices.ContainsFunc(answers, func(l literal) bool { return w.e.terms.question(l) == q })
		if !answered && !slices.Contains(o.asked, q) {
			return false
		}
	}
	return true
}
