package followed

import "math"

// What of a long run is followed. Chosen: a region's first 200 000 instructions are followed whole; then windows of 50 000, of which the first fifth lets the
// branch predictor and what is in flight become as they would be, come after gaps that are a share of what the region has run, so that their number grows
// with the logarithm of its length.
const (
	wholeInstructions = 200_000
	windowLength      = 50_000
	windowWarm        = windowLength / 5
	gapShare          = 8  // parts of what has run
	farWindows        = 12 // behind gaps that are followed with lines from everywhere, and of those behind them
	farShare          = 3  // one in so many: the others with lines of the second cache alone
)

// windows say which instructions are followed.
type windows struct {
	regions map[int]*window
	current *window
	region  int
}

// window is how far a region has run, and where its next window begins and ends.
type window struct {
	ran, begin, counts, end uint64
	random                  uint64
	turn                    int     // windows behind gaps, since one was opened for code that is new
	weight                  float64 // how many instructions of the run each stands for that counts
}

// of is the window of a region.
func (w *windows) of(region int) *window {
	if w.current != nil && w.region == region {
		return w.current
	}
	if w.regions == nil {
		w.regions = map[int]*window{}
	}
	v := w.regions[region]
	if v == nil {
		v = &window{end: wholeInstructions, random: uint64(region)*2654435761 + 1, weight: 1}
		w.regions[region] = v
	}
	w.current, w.region = v, region
	return v
}

// open says whether the next segment is to be followed, if it is of the region that ran last.
func (w *windows) open() bool {
	return w.current == nil || w.current.ran >= w.current.begin
}

// idle is how many segments of so many instructions pass before one is to be followed, if they are of the region that ran last.
func (w *windows) idle(instructions uint64) uint64 {
	switch {
	case w.open():
		return 0
	case instructions == 0:
		return math.MaxUint64
	}
	return (w.current.begin - w.current.ran + instructions - 1) / instructions
}

// pass takes instructions that are not followed.
func (w *windows) pass(region int, n uint64) { w.of(region).ran += n }

// openNow lets the window of the region that ran last begin.
func (w *windows) openNow() {
	v := w.current
	v.begin, v.turn = v.ran, 0
	v.counts, v.end, v.weight = v.begin, v.begin+windowWarm, 1
}

// everywhere says whether lines from everywhere are of interest in what runs.
func (w *windows) everywhere() bool {
	return w.current == nil || w.current.turn < farWindows || w.current.turn%farShare == 0
}

// take takes instructions that are followed, and says how much they count; 0: not at all.
func (w *windows) take(region int, n uint64) (weight float64) {
	v := w.of(region)
	if v.ran >= v.counts && v.ran >= v.begin {
		weight = v.weight
	}
	v.ran += n
	if v.ran >= v.end {
		v.next()
	}
	return weight
}

// next lays the next window.
func (v *window) next() {
	v.random = v.random*6364136223846793005 + 1442695040888963407
	gap := v.ran / gapShare
	if gap < windowLength { // a region that has run little is followed on
		gap = 0
	} else {
		gap = gap/2 + (v.random>>33)%gap // so that windows do not keep step with what repeats
	}
	v.begin = v.ran + gap
	v.counts = v.begin
	v.end, v.weight = v.begin+windowLength, 1
	if gap > 0 {
		v.turn++
		v.counts += windowWarm
		v.weight = float64(gap+windowLength) / (windowLength - windowWarm)
	}
}
