package absint

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/reduce"
)

// TextOptions say how a Witness is drawn. The zero value is a picture of 80
// columns without colour, in the words of the register form.
type TextOptions struct {
	// Width is how many columns the picture may take; 0 is 80.
	Width int
	// Color marks headings and the breaking operation with ANSI escapes.
	Color bool
	// OpName gives the method that the source calls at a position, e.g.
	// "LoadOrStore"; "" where it is not known.
	OpName func(reduce.Pos) string
}

// Text draws the interleaving: the call on the left, the other goroutine on
// the right, time downwards, and below it what the call gives at each place
// where it could run as one step, and why that is not what happened.
func (w *Witness) Text(opts TextOptions) string {
	if opts.Width == 0 {
		opts.Width = 80
	}
	d := drawing{w: w, opts: opts, names: w.names()}
	d.start()
	d.interleaving()
	d.orders()
	d.legend()
	return d.out.String()
}

// drawing is one picture under construction.
type drawing struct {
	w     *Witness
	opts  TextOptions
	names map[reduce.Value]string
	out   strings.Builder
}

// start says what the cells hold, and which arguments are not just a name.
func (d *drawing) start() {
	var facts []string
	for _, p := range d.w.Params {
		if v := d.name(p.Value); v != p.Name {
			facts = append(facts, p.Name+" is "+v)
		}
	}
	for _, c := range d.w.Initial {
		facts = append(facts, holds(label(c.Name), d.name(c.Value)))
	}
	d.paragraph("At first ", strings.Join(facts, ", ")+".")
	d.out.WriteByte('\n')
}

// row is one line of the picture: what is done, and what comes of it.
type row struct {
	other    bool
	breaking bool
	mark     string // line number or step number, before op
	op, note string
	pos      reduce.Pos // of an operation of the call
}

// interleaving draws the two columns.
func (d *drawing) interleaving() {
	rows := append(d.steps(), d.ending()...)
	left, right := columns(rows, d.opts.Width)
	gap := strings.Repeat(" ", columnGap)
	d.line(ansiBold, left.fill(leftTitle)+gap+rightTitle)
	d.line("", strings.Repeat("-", left.width)+gap+strings.Repeat("-", right.width))
	for _, r := range rows {
		style := ""
		if r.breaking {
			style = ansiRed
		}
		if r.other {
			for _, s := range right.lines(r) {
				d.line(style, left.fill("")+gap+s)
			}
			continue
		}
		for _, s := range left.lines(r) {
			d.line(style, s)
		}
	}
	d.out.WriteByte('\n')
}

// steps are the events as rows. The read and the write of one method, such
// as Add, are one row.
func (d *drawing) steps() []row {
	var rows []row
	numbered := d.others() > 1
	for i, n := 0, 0; i < len(d.w.Events); i++ {
		ev := &d.w.Events[i]
		if ev.Other {
			n++
			r := d.otherRow(ev)
			if numbered {
				r.mark = strconv.Itoa(n)
			}
			rows = append(rows, r)
			continue
		}
		r := d.callRow(ev)
		r.breaking = i == d.w.Breaking
		if i+1 < len(d.w.Events) && oneMethod(ev, &d.w.Events[i+1]) {
			i++
			r.breaking = r.breaking || i == d.w.Breaking
			r.note += ", leaves " + d.name(d.w.Events[i].Args[0])
		}
		rows = append(rows, r)
	}
	return rows
}

// oneMethod reports whether a read and what follows are the halves of one
// call in the source.
func oneMethod(read, write *Event) bool {
	return read.Op == "read" && write.Op == "write" && !write.Other &&
		read.Pos != "" && read.Pos == write.Pos && read.Cell == write.Cell
}

// callRow is one operation of the call.
func (d *drawing) callRow(ev *Event) row {
	method := ""
	if d.opts.OpName != nil {
		method = d.opts.OpName(ev.Pos)
	}
	r := row{mark: lineOf(ev.Pos), pos: ev.Pos, op: method + d.arguments(ev, method != ""), note: d.callNote(ev)}
	if method == "" {
		r.op = ev.Op + r.op
	}
	r.op = d.onCell(ev, r.op)
	return r
}

// arguments are those that the source writes: it does not write absent.
func (d *drawing) arguments(ev *Event, asSource bool) string {
	var args []string
	for _, a := range ev.Args {
		if !asSource || a != reduce.LitAbsent {
			args = append(args, d.name(a))
		}
	}
	if len(args) == 0 {
		return ""
	}
	return "(" + strings.Join(args, ", ") + ")"
}

// callNote is what comes of an operation of the call.
func (d *drawing) callNote(ev *Event) string {
	old, yes := ev.Results[0], ev.Results[1] == reduce.LitTrue
	switch {
	case ev.Op == "cas" && yes:
		return "succeeds"
	case ev.Op == "cas" && ev.Args[0] == reduce.LitAbsent:
		return "finds " + d.name(old)
	case ev.Op == "cas" && old.IsLit(): // perhaps only the zero value of what is absent
		return "fails"
	case ev.Op == "cas":
		return "fails: finds " + d.name(old)
	case !yes:
		return "finds absent"
	case ev.Op == "write" && ev.Args[0] == reduce.LitAbsent:
		return "removes " + d.name(old)
	case ev.Op == "write":
		return "overwrites " + d.name(old)
	default:
		return "finds " + d.name(old)
	}
}

// otherRow is one step of the other goroutine. It is given what was there
// before: that is how it can tell that the call is not atomic.
func (d *drawing) otherRow(ev *Event) row {
	r := row{other: true}
	if ev.Op == "run" {
		r.op = d.run(ev)
		if shown := d.shown(ev.Results); shown != "" {
			r.note = "finds " + shown
		}
		return r
	}
	switch ev.Op {
	case "swap":
		r.op = "stores " + d.name(ev.Args[0])
	case "delete":
		r.op = "deletes"
	default:
		r.op = "looks"
	}
	r.op = d.onCell(ev, r.op)
	r.note = "finds " + d.name(ev.Results[0])
	return r
}

// run is a step of the package as a call: "r.Get(id)" for "(*Registry).Get".
func (d *drawing) run(ev *Event) string {
	name, args := ev.Name, ev.Args
	if strings.HasSuffix(name, Within) {
		return name
	}
	if _, method, ok := strings.Cut(name, ")."); ok && len(args) > 0 && strings.HasPrefix(name, "(") {
		name, args = d.name(args[0])+"."+method, args[1:]
	}
	return name + "(" + d.list(args) + ")"
}

// shown are the results of the operations of a step: of a value and whether it
// was there, the value says enough. Operations that were not made are left out.
func (d *drawing) shown(vs []reduce.Value) string {
	var words []string
	vs = slices.DeleteFunc(slices.Clone(vs), func(v reduce.Value) bool { return v == reduce.LitUnseen })
	for i := 0; i < len(vs); i++ {
		paired := i+1 < len(vs) && (vs[i+1] == reduce.LitTrue || vs[i+1] == reduce.LitFalse)
		switch {
		case paired && vs[i] == reduce.LitNil:
			words = append(words, "nothing")
			i++
		case paired && !vs[i].IsLit():
			words = append(words, d.name(vs[i]))
			i++
		default:
			words = append(words, d.name(vs[i]))
		}
	}
	return strings.Join(words, ", ")
}

// onCell says which cell an operation is on, if there are several.
func (d *drawing) onCell(ev *Event, op string) string {
	if len(d.w.Initial) < 2 || ev.Cell < 0 {
		return op
	}
	return label(d.w.Initial[ev.Cell].Name) + ": " + op
}

// ending is how the call ends: its effects, then its results.
func (d *drawing) ending() []row {
	return append(d.effects(), row{op: d.ends(&d.w.Result, false)})
}

// ends says in words how a run ended: that it returns something, or that it
// would return something.
func (d *drawing) ends(e *Ending, would bool) string {
	verbs := [3]string{"returns", "goes on with", "panics"}
	if would {
		verbs = [3]string{"return", "go on with", "panic"}
	}
	vals := d.list(e.Vals)
	if len(e.Vals) > 1 {
		vals = "(" + vals + ")"
	}
	switch {
	case e.Panic && e.Label != "" && e.Label != "panic":
		return verbs[2] + ": " + e.Label
	case e.Panic:
		return strings.TrimSpace(verbs[2] + " " + vals)
	case e.Label != "": // the function goes on after the region
		return verbs[1] + " " + cmp.Or(vals, "what follows")
	default:
		return strings.TrimSpace(verbs[0] + " " + vals)
	}
}

// legend says where values come from that no row introduces.
func (d *drawing) legend() {
	seen := map[reduce.Value]bool{}
	var made []string
	see := func(byCall bool, vs ...reduce.Value) {
		for _, v := range vs {
			if byCall && !seen[v] && !v.IsLit() {
				made = append(made, d.name(v))
			}
			seen[v] = true
		}
	}
	for _, b := range slices.Concat(d.w.Params, d.w.Initial) {
		see(false, b.Value)
	}
	for _, ev := range d.w.Events {
		see(!ev.Other, ev.Args...)
		see(false, ev.Results...)
	}
	see(true, d.w.Result.Vals...)
	if len(made) > 0 {
		d.paragraph("", fmt.Sprintf("(%s: made by your call)", strings.Join(made, ", ")))
	}
}
