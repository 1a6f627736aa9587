package monitor

import (
	"sync"

	"github.com/mapatom/mapatom/checker/history"
)

// answer asks the monitor of the log's kind.
func (c *check) answer(l *history.Log) answer {
	switch l.Kind {
	case history.Set:
		return setAnswer(l, c.options)
	case history.Register:
		return registerAnswer(l, c.options)
	case history.Map:
		return mapAnswer(l, c.options)
	case history.Queue:
		return c.container(l, queueAnswer)
	case history.Stack:
		return c.container(l, stackAnswer)
	}
	return c.container(l, priorityAnswer)
}

// container asks the monitor of a container whose values come out in some
// order. What can be told from the values alone is told here, so that the
// monitor can rely on it: every value that is spoken of was put in, by one
// operation, and no value came out twice.
func (c *check) container(l *history.Log, monitor func(l *history.Log, ev *events) answer) answer {
	var ev *events
	var ranking sync.WaitGroup
	if l.Len() < batch {
		ev = newEvents(l)
	} else {
		ranking.Go(func() { ev = newEvents(l) })
	}
	m := matchValues(l)
	ranking.Wait()
	if m.wrong != nil || m.unclear != nil {
		return m.answer()
	}
	ev.insertOf, ev.removeOf, ev.wantOrder = m.insertOf, m.removeOf, c.options.Order
	return monitor(l, ev)
}
