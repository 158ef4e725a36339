package scaling

import "math"

// Prior is what the model believes of a series before it sees it: shares of slopes, bends, walks and noise. All shares of a kind sum to 1.
type Prior struct {
	Slopes []Slope // of the first parameter
	// Others is the slope of the further parameters (sizes).
	Others Slope
	Bends  []Bend
	Walks  []Walk
	Noise  []Noise
	// Growth is what a bend may miss, a standard deviation of log y for each unit of log q beyond the measured range, and NoiseGrowth the
	// same in units of the noise: what scatters about its law at small numbers of processes follows it less at large ones.
	Growth, NoiseGrowth float64
	// Pool is the number of series that the prior counts for when series share what they find; 0 does not share.
	Pool float64
	// Passes of sharing.
	Passes int
	// Dealt says that the first parameter is a number of processes, over which work is dealt: beyond the measured range nothing falls
	// faster than its reciprocal.
	Dealt bool
}

// Slope of log y over log q: exactly Mean where Deviation is 0, else normally distributed.
type Slope struct{ Mean, Deviation, Share float64 }

// Bend is ±log((1−o) + o·e^{Δu}), with log p for e^{Δu}/e^u where Log is set.
type Bend struct {
	Overhead float64 // o, of y at the largest measured u; 0 is a straight line
	Delta    float64 // Δ > 0
	Log      bool
	Falling  bool    // the sign is −: the slope falls instead of rising
	Work     float64 // κ: u = log p − κ·Σ log of the sizes
	Share    float64
}

// Walk is a slope that drifts at random: its change over one unit of log q has the standard deviation Step and the mean Drift.
type Walk struct{ Step, Drift, Share float64 }

// Noise is the standard deviation of log y of one point; the spread of repetitions comes to it.
type Noise struct{ Deviation, Share float64 }

// Hyperparameters are the figures that a prior is made of. Shares are of probability; relative shares are divided by their sum.
type Hyperparameters struct {
	Straight    float64    // share of laws without a bend, of those that do not walk
	Rising      float64    // share of bends whose slope rises
	Log         float64    // share of overheads that grow with log p
	Deltas      [4]float64 // relative shares of the overheads' powers 1/3, 2/3, 1 and 2
	Slopes      [6]float64 // relative shares of the slopes −1, 0, 1, −2/3, 1/2 and of a free one
	FreeMean    float64
	FreeWidth   float64    // standard deviation
	Walk        float64    // share of laws whose slope walks
	Step        float64    // of the walk; 0.4 and 2.5 times as much are tried too
	Drifts      [3]float64 // relative shares of the walks' drifts 0, 0.06 and 0.15
	Noise       float64    // median of the standard deviation of log y
	NoiseSpread float64    // standard deviation of its logarithm
	Growth      float64    // see Prior
	NoiseGrowth float64    // see Prior
	Pool        float64    // see Prior
}

// DefaultHyperparameters are round figures, of four such choices the one that did best on measured applications by a little. Work that is dealt is what is expected most, then what stays and
// what grows slowly. Tuned on measured applications, they predicted others no better: docs/accuracy/scaling.md has both.
func DefaultHyperparameters() Hyperparameters {
	return Hyperparameters{
		Straight: 0.4, Rising: 0.95, Log: 0.35, Deltas: [4]float64{0.1, 0.6, 0.2, 0.1},
		Slopes: [6]float64{0.2, 0.35, 0.03, 0.03, 0.03, 0.36}, FreeMean: -0.4, FreeWidth: 0.5,
		Walk: 0.1, Step: 0.15, Drifts: [3]float64{0.4, 0.4, 0.2}, Noise: 0.015, NoiseSpread: 1.5, Growth: 0.03, NoiseGrowth: 4, Pool: 15,
	}
}

// The grid of overheads o, shares of y at the largest measured number of processes: overheads of them, evenly apart in their logarithms. Chosen: a
// smaller overhead is noise, a larger one is the law itself; refine makes the grid finer where measurements say more.
const (
	overheads     = 10
	smallOverhead = 0.002
	largeOverhead = 0.95
)

// The forms that a law can have. Chosen: they are the exponents that algorithms and their communication have, and grids for what is in between.
var (
	// deltas are the powers of p by which an overhead outgrows work that falls with 1/p: the surface of a cube 1/3, its edge 2/3, work that is
	// not dealt 1, what each process does with each other one 2.
	deltas = [4]float64{1. / 3, 2. / 3, 1, 2}
	// fixedSlopes are the powers of p that a law has exactly: work that is dealt, work that is not, what each process does with each other
	// one, surfaces of cubes, and what goes along the rows of a square of processes.
	fixedSlopes = [5]float64{-1, 0, 1, -2. / 3, 1. / 2}
	// sizeSlopes are those of series over the size of a problem alone: constant, linear, square, cube, n^1.5, and a free one around that.
	sizeSlopes = []Slope{{0, 0, 0.15}, {1, 0, 0.2}, {2, 0, 0.15}, {3, 0, 0.1}, {1.5, 0, 0.05}, {1.5, 1, 0.35}}
	// drifts are the mean changes of a walking slope over a factor of e in p.
	drifts = [3]float64{0, 0.06, 0.15}
	// steps are the factors of Hyperparameters.Step that are tried.
	steps = [3]float64{0.4, 1, 2.5}
	// deviations are the noises that are tried: standard deviations of log y, from 0.1 % to 64 %.
	deviations = [9]float64{0.001, 0.003, 0.008, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64}
	// workPowers are the κ for series with sizes: u of p alone, or of p over the size to these powers.
	workPowers = [4]float64{0, 1, 2, 3}
)

// Prior is for a number of parameters. The slopes of sizes lie around 1, and two thirds of them from −0.5 to 2.5, chosen, as work grows with a power of
// the size from none to the cube.
func (f Hyperparameters) Prior(parameters int) Prior {
	return Prior{
		Slopes: f.slopes(), Others: Slope{Mean: 1, Deviation: 1.5}, Bends: f.bends(parameters), Walks: f.walks(), Noise: f.noise(),
		Growth: f.Growth, NoiseGrowth: f.NoiseGrowth, Pool: f.Pool, Passes: 2, Dealt: true,
	}
}

// DefaultPrior is that of the default hyperparameters, for a number of parameters of which the first is the number of processes.
func DefaultPrior(parameters int) Prior { return DefaultHyperparameters().Prior(parameters) }

// SizePrior is for parameters none of which is a number of processes: values grow with powers of the sizes.
func SizePrior(parameters int) Prior {
	p := DefaultPrior(parameters)
	p.Slopes, p.Dealt = sizeSlopes, false
	return p
}

// RatioPrior is for ratios of the slowest process to the mean: as a rule constant, at most a slow power; a bend found in a few ratios would
// go beyond any.
func RatioPrior(parameters int) Prior {
	f := DefaultHyperparameters()
	f.Slopes = [6]float64{0, 0.7, 0, 0, 0, 0.3}
	f.FreeMean, f.FreeWidth = 0.05, 0.2
	f.Walk, f.Straight = 0, 1
	p := f.Prior(parameters)
	p.Others, p.Dealt = Slope{Mean: 0, Deviation: 0.2}, false
	return p
}

// slopes are the fixed ones and a free one.
func (f Hyperparameters) slopes() []Slope {
	shares := normalised(f.Slopes[:])
	var out []Slope
	for i, s := range fixedSlopes {
		out = append(out, Slope{Mean: s, Share: shares[i]})
	}
	return append(out, Slope{Mean: f.FreeMean, Deviation: f.FreeWidth, Share: shares[len(fixedSlopes)]})
}

// normalised divides shares by their sum.
func normalised(shares []float64) []float64 {
	sum := 0.0
	for _, s := range shares {
		sum += s
	}
	out := make([]float64, len(shares))
	for i, s := range shares {
		out[i] = s / sum
	}
	return out
}

// bends are the straight line, and all overheads at all powers; of series with sizes, for each power of those.
func (f Hyperparameters) bends(parameters int) []Bend {
	powers := workPowers[:1]
	if parameters > 1 {
		powers = workPowers[:]
	}
	bent := (1 - f.Walk) * (1 - f.Straight)
	share := bent / float64(overheads*len(powers))
	out := []Bend{{Share: (1 - f.Walk) * f.Straight}}
	of := normalised(f.Deltas[:])
	for _, power := range powers {
		for i := range overheads {
			o := smallOverhead * math.Pow(largeOverhead/smallOverhead, float64(i)/(overheads-1))
			for j, delta := range deltas {
				out = append(out, f.bothSigns(Bend{Overhead: o, Delta: delta, Work: power, Share: share * of[j] * (1 - f.Log)})...)
			}
			out = append(out, f.bothSigns(Bend{Overhead: o, Delta: 1, Log: true, Work: power, Share: share * f.Log * (1 - treeShare)})...)
		}
	}
	return append(out, Bend{Overhead: allOfIt, Log: true, Share: bent * f.Log * treeShare})
}

// A power of p times log p, as of collectives over trees, that are measured by themselves: no overhead on something else. The least that there is
// beside it keeps its logarithm at one process finite.
const (
	treeShare = 0.2 // of the overheads that grow with log p; chosen
	allOfIt   = 1 - 1e-6
)

// bothSigns are a bend whose slope rises and the same whose slope falls, with their parts of its share.
func (f Hyperparameters) bothSigns(b Bend) []Bend {
	falling := b
	falling.Falling, falling.Share = true, b.Share*(1-f.Rising)
	b.Share *= f.Rising
	return []Bend{b, falling}
}

// walks are all steps with all drifts.
func (f Hyperparameters) walks() []Walk {
	var out []Walk
	of := normalised(f.Drifts[:])
	for _, step := range steps {
		for i, drift := range drifts {
			out = append(out, Walk{Step: f.Step * step, Drift: drift, Share: f.Walk * of[i] / float64(len(steps))})
		}
	}
	return out
}

// noise spreads shares over the deviations, as a normal distribution of their logarithms has it.
func (f Hyperparameters) noise() []Noise {
	shares := make([]float64, len(deviations))
	for i, s := range deviations {
		d := math.Log(s/f.Noise) / f.NoiseSpread
		shares[i] = math.Exp(-d * d / 2)
	}
	var out []Noise
	for i, share := range normalised(shares) {
		out = append(out, Noise{Deviation: deviations[i], Share: share})
	}
	return out
}
