package predict

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"foresee/application"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/cache"
	"foresee/model/reuse"
	"foresee/model/threads"
	"foresee/predict/hierarchy"
)

// SizesRequest asks for predictions of a program at several sizes of its data.
type SizesRequest struct {
	Request         // without a Signature
	Name    string  // of what gives the size in the source
	Values  []int64 // rising
	// Between says that sizes between these are looked at too, for the greatest that each level of the caches holds.
	Between bool
	// Open reads the program at a size.
	Open func(value int64) (*application.Signature, error)
}

// Size is what the size of a program's data was.
type Size struct {
	Name  string `json:"name"` // in the source
	Value int64  `json:"value"`
}

// Holding says up to which size of its data a level of the caches holds what a region uses again: with least-recently-used replacement and lines that
// lie anywhere, it misses at most a hundredth of the accesses besides first uses of lines.
type Holding struct {
	Region  string `json:"region"`
	Machine string `json:"machine"`
	Threads int    `json:"threads"`
	Level   string `json:"level"`
	Scope   string `json:"scope"` // private or shared
	Name    string `json:"name"`  // of the size
	// Until is the greatest size of those looked at below which all are held; absent where not even the smallest is. Over is the next greater one that
	// was looked at, which is not held; absent where all are.
	Until *int64 `json:"until,omitempty"`
	Over  *int64 `json:"over,omitempty"`
}

// SizeError is what went wrong at a size.
type SizeError struct {
	Size
	Err error
}

func (e *SizeError) Error() string { return fmt.Sprintf("%s=%d: %v", e.Name, e.Value, e.Err) }

func (e *SizeError) Unwrap() error { return e.Err }

// RunSizes predicts every region at each size.
func RunSizes(ctx context.Context, r SizesRequest) (*PredictionResult, error) {
	var out *PredictionResult
	report := r.Options.Progress
	for i, v := range r.Values {
		one := r.Request
		if report != nil {
			one.Options.Progress = func(done, total int) { report(i*thousand+done*thousand/max(total, 1), len(r.Values)*thousand) }
		}
		size := Size{r.Name, v}
		var err error
		if one.Signature, err = r.Open(v); err != nil {
			return nil, &SizeError{size, err}
		}
		found, err := Run(ctx, one)
		if err != nil {
			return nil, &SizeError{size, err}
		}
		for k := range found.Predictions {
			found.Predictions[k].Size = &size
		}
		said := found.Warnings
		if out == nil {
			out, found.Warnings = found, nil
		} else {
			out.Predictions = append(out.Predictions, found.Predictions...)
		}
		for _, w := range said {
			out.warn(r.ofAll(w, v))
		}
	}
	if !r.Between {
		return out, nil
	}
	var err error
	out.Holdings, err = r.holdings(ctx, out.Predictions)
	return out, err
}

// ofAll is what is said of the definition of one size, as it is of all.
func (r *SizesRequest) ofAll(warning string, value int64) string {
	return strings.ReplaceAll(warning, fmt.Sprintf("definition %s=%d ", r.Name, value), fmt.Sprintf("definition %s=%d to %d ", r.Name, slices.Min(r.Values), slices.Max(r.Values)))
}

// holdingKey is what one Holding is about.
type holdingKey struct {
	region, machine string
	threads         int
	level           string
}

// holdings finds out how far each level holds what regions use, from the predictions and more sizes between them.
func (r *SizesRequest) holdings(ctx context.Context, all []Prediction) ([]Holding, error) {
	b := &between{ctx: ctx, request: r, known: map[holdingKey]map[int64]Need{}, programs: map[int64]map[string]*Analysis{}}
	var order []Holding
	for i := range all {
		p := &all[i]
		for _, h := range p.HitRates {
			k := holdingKey{p.Region, p.Machine, p.Threads, h.Level}
			if b.known[k] == nil {
				b.known[k] = map[int64]Need{}
				order = append(order, Holding{Region: p.Region, Machine: p.Machine, Threads: p.Threads, Level: h.Level, Scope: h.Scope, Name: r.Name})
			}
			b.known[k][p.Size.Value] = h.Need
		}
	}
	for i := range order {
		if err := b.find(&order[i]); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// mostBetween bounds the sizes that are analysed besides those asked for. Chosen: a dozen searches of some steps, in seconds.
const mostBetween = 48

// between looks for sizes at which levels overflow.
type between struct {
	ctx      context.Context
	request  *SizesRequest
	known    map[holdingKey]map[int64]Need
	programs map[int64]map[string]*Analysis // by size and region
}

// find looks for the greatest size that is held. The cache that a region needs grows as a power of the size from one size to the next, so that the
// one that just fits is guessed from two; where guesses come from one side alone, they are moved to the other.
func (b *between) find(h *Holding) error {
	k := holdingKey{h.Region, h.Machine, h.Threads, h.Level}
	sizes := slices.Sorted(maps.Keys(b.known[k]))
	first := slices.IndexFunc(sizes, func(v int64) bool { return !b.known[k][v].held() })
	switch {
	case first < 0:
		h.Until = &sizes[len(sizes)-1]
		return nil
	case first == 0:
		h.Over = &sizes[0]
		return nil
	}
	lo, hi := sizes[first-1], sizes[first]
	below, above := 0, 0 // guesses in a row
	for hi-lo > 1 {
		x := b.guess(k, lo, hi, below, above)
		n, err := b.at(k, x)
		if err != nil {
			return err
		}
		if n == nil {
			break // there is no room for more sizes, or the region is not there
		}
		if n.held() {
			lo, below, above = x, below+1, 0
		} else {
			hi, below, above = x, 0, above+1
		}
	}
	h.Until, h.Over = &lo, &hi
	return nil
}

// guess is a size between two, near the one that is just held.
func (b *between) guess(k holdingKey, lo, hi int64, below, above int) int64 {
	x, y := b.known[k][lo], b.known[k][hi]
	share := 0.5
	if x.Lines > 0 && y.Lines > x.Lines {
		share = math.Log((x.Room+0.5)/x.Lines) / math.Log(y.Lines/x.Lines)
	}
	at := math.Round(float64(lo) * math.Pow(float64(hi)/float64(lo), min(max(share, 0), 1)))
	step := max(1, at/200) // chosen: what is known of a need is about as near
	at += step * float64(below*below-above*above)
	return min(max(int64(at), lo+1), hi-1)
}

// at is what a region needs at a size; nil where that cannot be found out.
func (b *between) at(k holdingKey, size int64) (*Need, error) {
	if n, ok := b.known[k][size]; ok {
		return &n, nil
	}
	regions := b.programs[size]
	if regions == nil {
		if len(b.programs) == mostBetween {
			return nil, nil
		}
		s, err := b.request.Open(size)
		if err != nil {
			return nil, &SizeError{Size{b.request.Name, size}, err}
		}
		regions = map[string]*Analysis{}
		for _, p := range s.Loops {
			regions[p.Region] = NewAnalysis(b.ctx, p, b.request.Options)
		}
		b.programs[size] = regions
	}
	m := b.request.Machines[slices.IndexFunc(b.request.Machines, func(m *machine.Machine) bool { return m.Name == k.machine })]
	s, l := regions[k.region], slices.IndexFunc(m.Levels, func(l machine.Level) bool { return l.Name == k.level })
	if s == nil || l < 0 {
		return nil, nil
	}
	n, err := s.need(m, &m.Levels[l], k.threads)
	if err != nil {
		return nil, &SizeError{Size{b.request.Name, size}, err}
	}
	b.known[k][size] = n
	return &n, nil
}

// Need is what cache, in lines, a region needs to use most lines again, and what a level has.
type Need struct{ Lines, Room float64 }

func (n Need) held() bool { return n.Lines <= n.Room }

// againAtMost is the share of the accesses that a level may miss besides first uses where it holds what a region uses again. Chosen: a percentage
// point, as of threads that overflow a level.
const againAtMost = onePoint

// needOf is what a distribution of reuse distances needs of a cache.
func needOf(d *reuse.Distribution, g cache.Geometry) Need {
	lines, _ := d.Smallest(d.FirstUses() + againAtMost)
	return Need{lines, float64(g.Lines)}
}

// mostWalked bounds the accesses that are walked through for distances without sampling. Chosen: a fifth of a second.
const mostWalked = 2 << 20

// walkedDistances are those of a stream of one thread, of every access.
func walkedDistances(s *nest.Stream) *reuse.Distribution {
	stack, h := reuse.NewStack(1), reuse.NewHistogram(reuse.Full)
	s.Each(func(p nest.Place) bool {
		stack.Add([]uint64{uint64(s.Address(p))}, h)
		return true
	})
	d := h.Distribution()
	d.Sort()
	return d
}

// need finds it for a level and a number of threads.
func (s *Analysis) need(m *machine.Machine, l *machine.Level, count int) (Need, error) {
	g, _, err := hierarchy.Geometry(m, l, count)
	if err != nil {
		return Need{}, err
	}
	o := threads.Stream(count, l.SharedBy.Or(1), int64(m.Line(l)))
	st, err := s.get(o)
	if err != nil {
		return Need{}, err
	}
	if count > 1 || st.Nest.Len() > mostWalked {
		return needOf(st.Sampled.Distances, g), nil
	}
	d := s.walked[o.Line]
	if d == nil {
		d = walkedDistances(st.Nest)
		s.walked[o.Line] = d
	}
	return needOf(d, g), nil
}
