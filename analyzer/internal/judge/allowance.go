package judge

import (
	"context"
	"fmt"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// allowance is what deciding the sequences of a package may cost in sum, and what it has
// cost so far, in the measure of absint.Result.Work: never in time, so that the same
// package has the same answers on every machine.
// Made is the part of it that the programs of the package have cost.
type allowance struct{ budget, made, spent int }

func newAllowance(budget, instructions int) *allowance {
	a := &allowance{budget: budgetOf(budget), made: formCost * instructions}
	a.made = min(a.made, a.budget/2)
	a.spent = a.made
	return a
}

func budgetOf(budget int) int {
	if budget == 0 {
		return config.DefaultBudget
	}
	return budget
}

// formCost is what it costs to make an instruction of a package's programs, and the steps
// that are cut out of them.
const formCost = 30

// Room is how many instructions the programs of a package can have before they are made
// small: then they cost half of what the package may.
func Room(budget int) int { return budgetOf(budget) / (2 * formCost) * 5 / 4 }

// Check has the engine decide a problem, on the package's account.
func (j *Judge) Check(p absint.Problem) (absint.Result, error) {
	p.Memo = j.memo
	res, err := absint.Check(context.Background(), p)
	j.allowance.spent += res.Work + problemCost
	return res, err
}

// problemCost is what it costs to state a problem.
const problemCost = 100

// UsedUp reports whether nothing is left of what the package may cost. What has been
// begun is brought to its end: a sequence has a budget of its own.
func (j *Judge) UsedUp() bool { return j.allowance.spent >= j.allowance.budget }

// short reports whether so much is used up that what comes now is only looked at briefly,
// until all has been.
func (a *allowance) short() bool { return a.spent-a.made > (a.budget-a.made)/4 }

// CanReform reports whether there is enough left to take a package of so many instructions
// apart in another form.
func (j *Judge) CanReform(instructions int) bool {
	return j.allowance.spent+reformCost*instructions < j.allowance.budget
}

// Borrow has the judge of the package in another form work on the account of this one. To
// make that form has a price as well, which follows from how many instructions there are.
func (j *Judge) Borrow(from *Judge, instructions int) {
	j.allowance = from.allowance
	j.allowance.spent += reformCost * instructions
}

// reformCost is what it costs to type-check an instruction of a package again.
const reformCost = 10

// Leave leaves a group undecided because nothing is left.
func (j *Judge) Leave(f *rivals.Function, g extension.Group) *Finding {
	x := &Finding{In: f, Group: g, Several: len(g.Cells) > 1}
	j.describe(x, f, g)
	x.Reason = fmt.Sprintf("U1: the package's budget of %d steps of work is used up; -budget gives more", j.allowance.budget)
	return x
}
