package reuse

import (
	"math"
	"math/rand/v2"
	"slices"

	"foresee/application/nest"
)

// class is a set of reuses whose distances are alike, as a share of their intervals.
type class struct {
	key     classKey
	members []int    // indices of the reuses
	windows []window // those that were looked into
	mean    float64  // share of the interval's places that are last uses
	differ  bool     // whether the windows really differ
	spread  *mixture // of what they differ by; nil: all are known exactly
	err     float64  // standard error of mean
	need    float64  // of more searches: its members times the relative error, 1 at most
}

// window is one reuse looked into.
type window struct {
	share    float64 // of the places looked at, that are last uses before the reuse
	variance float64 // of share, by sampling
	places   int     // places looked at
	apart    []int64 // differences in memory, in lines, of the last uses found
}

// task is a window to be looked into.
type task struct {
	class, slot int // of the sampler, and of the class's windows
	member      int // of the class
	places      int // to be looked at
}

// measure looks into a few reuses of every class, then spends what is left of the budget where it matters.
func (z *sampler) measure() error {
	var first []task
	spent := 0
	for i, c := range z.classes {
		n := min(len(c.members), windowsAtFirst)
		for j := range n {
			first = append(first, task{i, j, spreadOver(j, n, len(c.members)), searchesAtFirst})
		}
		c.windows = make([]window, n)
		spent += n * min(searchesAtFirst, z.inside(c))
	}
	if err := z.look(first); err != nil {
		return err
	}
	for _, c := range z.classes {
		c.estimate()
	}
	if err := z.look(z.refine(z.o.Searches - spent)); err != nil {
		return err
	}
	for _, c := range z.classes {
		c.preferExact()
		c.estimate()
		if c.differ && len(c.members)*rarest >= len(z.reuses) && slices.ContainsFunc(c.windows, func(w window) bool { return w.variance > 0 }) {
			c.spread = spreadOf(c.windows)
		}
	}
	return nil
}

// rarest is one in how many of the reuses a class has at least of which the spread is fitted; of rarer ones it is as the windows show it. Chosen.
const rarest = 2000

// preferExact drops windows of which a few places were looked at, where there are enough that were looked at whole.
func (c *class) preferExact() {
	exact := slices.DeleteFunc(slices.Clone(c.windows), func(w window) bool { return w.variance > 0 })
	if len(exact) >= windowsAtFirst {
		c.windows = exact
	}
}

// spreadOver is the index of the j-th of n picks spread evenly over size.
func spreadOver(j, n, size int) int { return (2*j + 1) * size / (2 * n) }

// windowsWanted is how many windows of a class there are room for before more places of each are looked at. Chosen.
const windowsWanted = 32

// mostPlaces is how many places of a window are looked at, at most. Chosen: its share is then known to less than a percentage point.
const mostPlaces = 4096

// refine splits a budget of searches over the classes by weight and uncertainty (Neyman), as new windows.
func (z *sampler) refine(budget int) []task {
	total := 0.0
	for _, c := range z.classes {
		total += c.need
	}
	if total == 0 || budget <= 0 {
		return nil
	}
	var tasks []task
	for i, c := range z.classes {
		share := float64(budget) * c.need / total
		// More windows where they differ, more places in each where they do not.
		places := min(max(2*searchesAtFirst, int(share)/windowsWanted), z.inside(c))
		n := int(share) / places
		if n > len(c.members) {
			n = len(c.members)
			places = min(int(share)/max(n, 1), mostPlaces)
		}
		old := len(c.windows)
		for j := range n {
			tasks = append(tasks, task{i, old + j, spreadOver(j, n, len(c.members)), places})
		}
		c.windows = append(c.windows, make([]window, n)...)
	}
	return tasks
}

// inside is how many places there are in a window of a class, as far as more are not looked at.
func (z *sampler) inside(c *class) int {
	return int(min(max(z.reuses[c.members[0]].interval-1, 1), mostPlaces))
}

// look fills the windows of the tasks, in parallel.
func (z *sampler) look(tasks []task) error {
	return z.parallel(len(tasks), func(i int, k *nest.Cursor) error {
		t := tasks[i]
		c := z.classes[t.class]
		d := z.reuses[c.members[t.member]]
		rng := rand.New(rand.NewPCG(z.o.Seed^0x9e3779b97f4a7c15, uint64(d.at)<<16+uint64(t.slot)))
		w, err := lookInto(k, d, t.places, rng)
		c.windows[t.slot] = w
		z.progress(t.places)
		if err != nil {
			return err
		}
		return z.ctx.Err()
	})
}

// lookInto finds what share of the places inside a reuse are last uses of their line before its end: at all
// places when there are few, else at one random place in each of equal pieces.
func lookInto(k *nest.Cursor, d drawn, places int, rng *rand.Rand) (window, error) {
	inside := d.interval - 1
	end := d.at + d.interval
	all := inside <= int64(places)
	if all {
		places = int(inside)
	}
	w := window{places: places}
	home := k.Stream().Address(k.At(d.at))
	last := 0
	for j := range places {
		x := d.at + 1 + int64(j)
		if !all {
			x = d.at + 1 + int64((float64(j)+rng.Float64())/float64(places)*float64(inside))
		}
		place := k.At(min(x, end-1))
		again, err := k.UsedBefore(end)
		if err != nil {
			return window{}, err
		}
		if !again {
			last++
			w.apart = append(w.apart, k.Stream().Address(place)-home)
		}
	}
	w.share = float64(last) / float64(places)
	if !all {
		// Binomial with one pseudo-count on each side, so that 0 of n and n of n are not taken for certain.
		p := (float64(last) + 1) / (float64(places) + 2)
		w.variance = p * (1 - p) / float64(places)
	}
	return w, nil
}

// estimate computes the class's mean share and how much its windows really differ.
func (c *class) estimate() {
	if len(c.windows) == 0 {
		return
	}
	sum, places, noise := 0.0, 0.0, 0.0
	for _, w := range c.windows {
		sum += w.share * float64(w.places)
		places += float64(w.places)
		noise += w.variance
	}
	n := float64(len(c.windows))
	c.mean = sum / places
	noise /= n
	spread := 0.0
	for _, w := range c.windows {
		spread += (w.share - c.mean) * (w.share - c.mean)
	}
	if n > 1 {
		spread /= n - 1
	}
	c.differ = spread > noise
	c.err = math.Sqrt(math.Max(spread, noise) / n)
	relative := c.err / math.Max(c.mean, 1e-6)
	c.need = float64(len(c.members)) * math.Min(relative, 1)
}

// distance estimates the reuse distance of the class's i-th member.
func (c *class) distance(i int, interval int64) float64 {
	share := c.mean
	switch w := i % max(len(c.windows), 1); {
	case len(c.windows) == 0:
		return 0
	case !c.differ:
	case c.spread == nil:
		share = c.windows[w].share
	default:
		_, u := math.Modf(float64(i+1) * goldenRatio)
		share = c.spread.share(c.windows[w], u) * c.mean / c.spread.mean
	}
	return math.Round(share * float64(interval-1))
}

// goldenRatio spreads its multiples evenly between whole numbers.
const goldenRatio = 0.6180339887498949

// apart collects the differences that all windows found.
func (c *class) apart() (all []int64) {
	for _, w := range c.windows {
		all = append(all, w.apart...)
	}
	return all
}

// doubt is the class's weight and the error of its distances.
func (c *class) doubt(weight float64, reuses []drawn) Doubt {
	mean := 0.0
	for _, m := range c.members {
		mean += float64(reuses[m].interval-1) / float64(len(c.members))
	}
	return Doubt{Weight: weight * float64(len(c.members)), Value: mean * c.mean, Error: mean * c.err}
}
