package ssaprog

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Each function of a package that touches a cell has a program of its own, with what it
// calls inlined. In a large package, where everything calls everything, these programs
// would be many times as large as the package. So they have to find room together: where
// they do not, less is inlined in each of them, and the calls that are not inlined are what
// other functions do. What is small is inlined all the same: wrappers are of no use by
// themselves.

// leastInlined is how many instructions may always be inlined in a function.
const leastInlined = maxInlined / 32

// Fit has the programs of some functions take no more room, in instructions, than there is.
func (ps *Programs) Fit(fns []*ssa.Function, room int) {
	s := &sizes{ps: ps, shapes: map[string]*shape{}, added: map[inlining]int{}}
	var own, added []int
	for _, fn := range fns {
		if p := ps.lower(fn); p != nil {
			of := shapeOf(p)
			own, added = append(own, of.size), append(added, s.addedBy(of, inlineDepth))
		}
	}
	ps.most = maxInlined
	for ps.most > leastInlined && sum(own, added, ps.most) > room {
		ps.most = max(ps.most-ps.most/4, leastInlined)
	}
}

// sum is how large the programs are if so much may be inlined in each.
func sum(own, added []int, most int) int {
	n := 0
	for i := range own {
		n += own[i] + min(added[i], most)
	}
	return n
}

// sizes finds out how much there is to be inlined in functions.
type sizes struct {
	ps     *Programs
	shapes map[string]*shape
	added  map[inlining]int
}

// inlining is a function that is inlined, with its calls down to a depth.
type inlining struct {
	key   string
	depth int
}

// shape is what the size of a program follows from.
type shape struct {
	size  int
	calls []string
}

func shapeOf(p *register.Program) *shape {
	s := &shape{size: p.Size()}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == register.Call {
				s.calls = append(s.calls, in.Name)
			}
		}
	}
	s.calls = slices.Clip(s.calls)
	return s
}

// addedBy is how many instructions the calls of a program add to it, as far as that matters.
func (s *sizes) addedBy(of *shape, depth int) int {
	n := 0
	for _, key := range of.calls {
		if n += s.inlined(key, depth); n >= maxInlined {
			return maxInlined
		}
	}
	return n
}

func (s *sizes) inlined(key string, depth int) int {
	if depth == 0 {
		return 0
	}
	k := inlining{key, depth}
	if n, ok := s.added[k]; ok {
		return n
	}
	of, ok := s.shapes[key]
	if !ok {
		if p := s.ps.program(key); p != nil {
			of = shapeOf(p)
		}
		s.shapes[key] = of
	}
	if of != nil {
		s.added[k] = of.size + s.addedBy(of, depth-1)
	}
	return s.added[k]
}
