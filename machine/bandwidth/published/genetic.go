package published

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// scheme is how individuals of an island learn (section 4).
type scheme int

const (
	darwinian  scheme = iota // they do not
	lamarckian               // what they learn goes into their genes
	baldwinian               // what they learn decides who survives, but is not inherited
	schemes
)

// GeneticOptions steer the genetic algorithm. The zero value stands for table 2 of Tikir et al.
type GeneticOptions struct {
	Population  int // of all islands together
	Generations int
	Mutation    float64 // probability of each child
	Crossover   float64 // probability of each pair, at two points
	Migration   float64 // probability of each individual to be copied to the next island
	Seed        uint64
}

func (o GeneticOptions) orPublished() GeneticOptions {
	if o.Population == 0 {
		o.Population = 10_000
	}
	if o.Generations == 0 {
		o.Generations = 200
	}
	if o.Mutation == 0 {
		o.Mutation = 0.8
	}
	if o.Crossover == 0 {
		o.Crossover = 0.8
	}
	if o.Migration == 0 {
		o.Migration = 0.01
	}
	return o
}

const (
	islands = 6 // two of each scheme (section 4)
	// learning is how often an individual tries to become better in its life. The paper does not say how adaptation works; here
	// it is a small step of one gene, kept if it helps.
	learning = 1
	// drift is the standard deviation of a mutated gene's step, of its range. Chosen, no source.
	drift = 0.1
	// anew is how many mutations there are for one that draws a gene anew from all of its range. Chosen, no source.
	anew = 4
)

type individual struct {
	genes []float64
	error float64
}

// minimise minimises a function of genes between 0 and 1. It gives the best genes of all islands, and how often the function was evaluated.
func (o GeneticOptions) minimise(genes int, f func([]float64) float64) (best []float64, evaluations int) {
	all := make([]*island, islands)
	for i := range all {
		all[i] = newIsland(genes, o.Population/islands, o, i, f)
	}
	each(all, (*island).settle)
	for range o.Generations {
		each(all, (*island).generation)
		for i, from := range all {
			from.migrate(all[(i+1)%islands])
		}
	}
	least := math.Inf(1)
	for _, i := range all {
		evaluations += i.evaluations
		for _, x := range i.people {
			if e := f(x.genes); e < least { // what it is without learning
				best, least = x.genes, e
			}
		}
	}
	return best, evaluations
}

func each(all []*island, f func(*island)) {
	var group sync.WaitGroup
	for _, i := range all {
		group.Go(func() { f(i) })
	}
	group.Wait()
}

// island is a population of its own; only migrants leave it.
type island struct {
	options     GeneticOptions
	scheme      scheme
	random      *rand.Rand
	f           func([]float64) float64
	genes, size int
	people      []individual // the best first
	evaluations int
}

func newIsland(genes, size int, o GeneticOptions, number int, f func([]float64) float64) *island {
	return &island{
		options: o, scheme: scheme(number % int(schemes)), random: rand.New(rand.NewPCG(o.Seed, uint64(number))), f: f, genes: genes, size: max(size, 4),
	}
}

// settle makes the first generation.
func (i *island) settle() {
	for range i.size {
		genes := make([]float64, i.genes)
		for g := range genes {
			genes[g] = i.random.Float64()
		}
		i.people = append(i.people, i.live(genes))
	}
	i.sort()
}

// live finds out how fit genes are.
func (i *island) live(genes []float64) individual {
	x := individual{genes, i.f(genes)}
	i.evaluations++
	if i.scheme == darwinian {
		return x
	}
	for range learning {
		learnt := slices.Clone(genes)
		g := i.random.IntN(len(genes))
		learnt[g] = min(max(learnt[g]+i.random.NormFloat64()*drift/2, 0), 1)
		e := i.f(learnt)
		i.evaluations++
		if e >= x.error {
			continue
		}
		x.error = e
		if genes = learnt; i.scheme == lamarckian {
			x.genes = learnt
		}
	}
	return x
}

func (i *island) sort() {
	slices.SortStableFunc(i.people, func(a, b individual) int {
		switch {
		case a.error < b.error:
			return -1
		case a.error > b.error:
			return 1
		}
		return 0
	})
	if len(i.people) > i.size {
		i.people = i.people[:i.size]
	}
}

// generation lets pairs have children; the fittest of all live on.
func (i *island) generation() {
	for range i.size / 2 {
		a, b := slices.Clone(i.select2().genes), slices.Clone(i.select2().genes)
		if i.random.Float64() < i.options.Crossover {
			from, to := i.random.IntN(i.genes+1), i.random.IntN(i.genes+1)
			for g := min(from, to); g < max(from, to); g++ {
				a[g], b[g] = b[g], a[g]
			}
		}
		for _, genes := range [][]float64{a, b} {
			if i.random.Float64() < i.options.Mutation {
				i.mutate(genes)
			}
			i.people = append(i.people, i.live(genes))
		}
	}
	i.sort()
}

// select2 takes the fitter of two drawn at random: people are in the order of their fitness.
func (i *island) select2() individual {
	return i.people[min(i.random.IntN(i.size), i.random.IntN(i.size))]
}

func (i *island) mutate(genes []float64) {
	g := i.random.IntN(len(genes))
	if i.random.IntN(anew) == 0 {
		genes[g] = i.random.Float64()
		return
	}
	genes[g] = min(max(genes[g]+i.random.NormFloat64()*drift, 0), 1)
}

// migrate copies individuals to another island, each with the probability of table 2.
func (i *island) migrate(to *island) {
	for _, x := range i.people {
		if i.random.Float64() < i.options.Migration {
			to.people = append(to.people, x)
		}
	}
	to.sort()
}
