package figure

import (
	"errors"
	"io"
	"math"

	"foresee/predict"
	"foresee/report"
)

// Profiles draws histograms of reuse distances or intervals as "svg" or "png": a step for each octave, beside them the accesses
// that reuse nothing.
func Profiles(w io.Writer, format string, r *predict.ProfileResult) error {
	f, err := profileFigure(r)
	if err != nil {
		return err
	}
	return single(f, 680, 400).partly(r.Partial).write(w, format)
}

// Places on the axis of a profile, which is logarithmic: bin b, from 2^(b-1) to 2^b - 1, begins at 2^(b-1), and bin 0, of the value 0
// alone, one octave before the value 1.
func binStart(b int) float64 { return math.Exp2(float64(b) - 1) }

func binMiddle(b int) float64 { return math.Exp2(float64(b) - 0.5) }

// profileFigure draws profiles as shares of accesses by octave.
func profileFigure(r *predict.ProfileResult) (*Figure, error) {
	if len(r.Profiles) == 0 {
		return nil, errors.New("the result has no profile to plot")
	}
	var shares [][]float64
	bins, top := 1, 0.0
	for _, p := range r.Profiles {
		s := octaveShares(p)
		bins = max(bins, len(s))
		shares = append(shares, s)
	}
	cold := bins + 1 // with an octave between
	var keys []predict.Curve
	for _, p := range r.Profiles {
		keys = append(keys, predict.Curve{Region: p.Region, Threads: p.Threads, Scope: p.Scope})
	}
	same := common(keys)
	f := &Figure{Title: "Reuse " + r.Profiles[0].Measure + "s"}
	if same.region {
		f.Title += " of " + r.Profiles[0].Region
	}
	for i, p := range r.Profiles {
		all := append(shares[i], make([]float64, cold+1-len(shares[i]))...)
		all[cold] = 100 * report.Share(p.Cold, p.Accesses)
		s := series{name: same.label(keys[i]), style: i, nodots: true}
		for b, v := range all {
			top = max(top, v)
			s.points = append(s.points, point{binStart(b), v, v, v}, point{binStart(b + 1), v, v, v})
		}
		f.series = append(f.series, s)
	}
	f.subtitle = profileSubtitle(r, same)
	f.x = octaveAxis(profileUnit(r), bins, cold)
	f.y = linearAxis("share of the accesses", 0, top, percentTick)
	return f, nil
}

// octaveShares are the shares of the accesses, in percent, whose value is 0, 1, 2 to 3, 4 to 7 and so on.
func octaveShares(p predict.Profile) []float64 {
	var all []float64
	for _, b := range report.Octaves(p.Histogram) {
		i := 0
		if b.Low > 0 {
			i = int(math.Log2(float64(b.Low))) + 1
		}
		for len(all) <= i {
			all = append(all, 0)
		}
		all[i] += 100 * report.Share(b.Count, p.Accesses)
	}
	return all
}

func profileUnit(r *predict.ProfileResult) string {
	if r.Profiles[0].Measure == "interval" {
		return "reuse interval (accesses)"
	}
	return "reuse distance (other lines of " + report.Bytes(r.LineBytes) + ")"
}

// profileSubtitle says what the profiles share.
func profileSubtitle(r *predict.ProfileResult, same sameIn) string {
	first, text := r.Profiles[0], "in octaves"
	if same.threads {
		text += ", " + report.Plural(first.Threads, "thread")
	}
	if same.scope {
		text += ", " + first.Scope
	}
	if len(r.Profiles) == 1 {
		text += "; " + report.CountOf(first.Accesses, "access") + ", " + report.Sampled(first.Samples)
	}
	return text
}

// octaveAxis has its ticks at the powers of two where bins begin, and names the two bins at its ends.
func octaveAxis(label string, bins, cold int) axis {
	a := axis{label: label, scale: logarithmic, min: binStart(0), max: binStart(cold + 1)}
	a.ticks = append(a.ticks, tick{binMiddle(0), "0"})
	every := 1 + (bins-1)/7
	for b := 1; b <= bins; b++ {
		text := ""
		if (b-1)%every == 0 && b-1 < 62 && b < cold-1 {
			text = report.Count(int64(binStart(b)))
		}
		a.ticks = append(a.ticks, tick{binStart(b), text})
	}
	a.ticks = append(a.ticks, tick{binStart(cold), ""}, tick{binMiddle(cold), "cold"})
	return a
}
