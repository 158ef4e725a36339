package nest

import (
	"errors"
	"fmt"
	"sort"

	"foresee/application/nest/expr"
)

// Options say whose accesses a Stream holds, and how they are seen.
type Options struct {
	Threads int   // threads of the team; at least 1
	Group   int   // threads that share the cache: 1 for a private one; at most Threads
	Line    int64 // bytes; a power of two
	// Undealt keeps worksharing loops whole, so that the cursor tells their iterations (Cursor.Execution). The order
	// is that of one thread, which is what Threads and Group must say.
	Undealt bool
}

// Stream is what the caches of one level see when a program runs on a number of threads: the threads are split
// into groups of Group neighbours, and each group's accesses, interleaved round robin between barriers, follow
// one another. With Group 1 it is the private streams of all threads; with Group = Threads the shared one.
// Positions count accesses from 0. A reuse never crosses from one group to another. A Stream is safe for use
// by several goroutines, each with a Cursor of its own.
type Stream struct {
	model   *model
	options Options
	program *Program
	starts  []int64 // first position of each group, and the end
	bases   []int64 // by object: where its line 0 would lie in memory
	extents []Extent
	listed  *listing      // nil of most
	touches []touchMap    // by loop number; only team loops have one
	inTeam  [][][]*access // by loop number and object: the references below a team loop
	inDealt [][][]*access // the same of the worksharing loops of an undealt stream
}

// errTooLong says that positions do not fit.
var errTooLong = errors.New("the region makes more than 2e18 accesses; predict a smaller problem")

// ErrIrregular says that counting would need too much memory.
var ErrIrregular = errors.New("its loops run differently often in too many situations to count (conditions or bounds that are not affine); use a smaller problem")

// NewStream prepares the stream of p.
func NewStream(p *Program, o Options) (*Stream, error) {
	if o.Threads < 1 || o.Group < 1 || o.Group > o.Threads {
		return nil, fmt.Errorf("nest: %d threads in groups of %d", o.Threads, o.Group)
	}
	if o.Undealt && o.Threads > 1 {
		return nil, fmt.Errorf("nest: %d threads, but nothing is dealt", o.Threads)
	}
	if o.Line < 1 || o.Line&(o.Line-1) != 0 {
		return nil, fmt.Errorf("a line of %d bytes is not a power of two", o.Line)
	}
	if err := Check(p); err != nil {
		return nil, err
	}
	if o.Undealt {
		if err := told(p); err != nil {
			return nil, err
		}
	}
	m, err := compileFor(p, o)
	if err != nil {
		return nil, err
	}
	s := &Stream{model: m, options: o, program: p}
	c := m.newCursor()
	m.total = c.length(m.root)
	if m.exhausted.Load() {
		return nil, fmt.Errorf("%s: %s: %w", p.Pos, p.Region, ErrIrregular)
	}
	if m.total >= 1<<60 {
		return nil, fmt.Errorf("%s: %s: %w", p.Pos, p.Region, errTooLong)
	}
	s.findGroups(c)
	s.findTouches()
	s.findDealt()
	s.listed = s.list()
	s.layOut()
	return s, nil
}

// compileFor deals a program to threads and compiles it.
func compileFor(p *Program, o Options) (*model, error) {
	d := &dealer{
		vars: append([]string{}, p.Vars...), threads: int64(o.Threads), group: int64(o.Group),
		byItself:  o.Undealt,
		privately: privateStrides(p, o.Line), greatest: func(e *expr.Expr) int64 { return greatest(p, e) },
	}
	nodes := d.unitSteps(d.program(p.Body))
	if d.err != nil {
		return nil, d.err
	}
	m := &model{vars: d.vars, line: o.Line}
	m.box = make([]expr.Range, len(d.vars))
	c := &compiler{model: m, objectID: map[*Object]int{}}
	root, err := c.nodes(nodes, scope{})
	if err != nil {
		return nil, err
	}
	c.measure(root)
	m.root = root
	for _, l := range m.loops {
		l.canonical = newCanonical(l, m.box)
	}
	m.countBefore(root, nil, nil)
	m.linkAccesses()
	return m, nil
}

// findGroups locates each group in the stream.
func (s *Stream) findGroups(c *cursor) {
	s.starts = []int64{0}
	if n := s.groups(); n > 1 && len(s.model.root.items) == 1 && s.model.root.items[0].loop != nil {
		l := s.model.root.items[0].loop
		for g := 1; g < n; g++ {
			s.starts = append(s.starts, c.prefix(l, 0, int64(g)))
		}
	}
	s.starts = append(s.starts, s.model.total)
}

func (s *Stream) groups() int {
	return (s.options.Threads + s.options.Group - 1) / s.options.Group
}

// Len is the number of accesses.
func (s *Stream) Len() int64 { return s.model.total }

// Options are those that the stream was made with.
func (s *Stream) Options() Options { return s.options }

// Groups is the number of groups of threads.
func (s *Stream) Groups() int { return s.groups() }

// GroupStart is the position of group g's first access; GroupStart(Groups()) is Len.
func (s *Stream) GroupStart(g int) int64 { return s.starts[g] }

// GroupOf is the group whose stream holds position p.
func (s *Stream) GroupOf(p int64) int {
	return sort.Search(len(s.starts)-1, func(g int) bool { return s.starts[g+1] > p })
}

// References is the number of references in the text; Place.Reference and Use.Reference lie below it.
func (s *Stream) References() int { return len(s.model.accesses) }

// Reference gives one reference.
func (s *Stream) Reference(i int) *Access { return s.model.accesses[i].source }

// floor is the number of outermost loops that a reuse never leaves.
func (s *Stream) floor() int {
	if len(s.starts) > 2 {
		return 1
	}
	return 0
}
