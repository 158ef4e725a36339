package report

import (
	"math/bits"
	"slices"

	"foresee/predict"
)

// CurvesByRegion groups curves by their region, in the order of the result.
func CurvesByRegion(r *predict.CurveResult) [][]predict.Curve {
	var names []string
	for _, c := range r.Curves {
		names = AppendNew(names, c.Region)
	}
	all := make([][]predict.Curve, len(names))
	for _, c := range r.Curves {
		i := slices.Index(names, c.Region)
		all[i] = append(all[i], c)
	}
	return all
}

// CurveName names a curve within its region: "4 threads, shared".
func CurveName(c predict.Curve) string { return Plural(c.Threads, "thread") + ", " + c.Scope }

// CurveSizes are the cache sizes at which any of the curves has a point, in bytes, rising.
func CurveSizes(curves []predict.Curve) []int64 {
	var sizes []int64
	for _, c := range curves {
		for _, p := range c.Points {
			sizes = append(sizes, p.CacheBytes)
		}
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// PointAt is the point of a curve at a cache size in bytes, and false where it has none.
func PointAt(c predict.Curve, size int64) (predict.CurvePoint, bool) {
	for _, p := range c.Points {
		if p.CacheBytes == size {
			return p, true
		}
	}
	return predict.CurvePoint{}, false
}

// Octaves joins bins: 0, 1, 2 to 3, 4 to 7 and so on. No bin lies across two of them.
func Octaves(bins []predict.Bin) []predict.Bin {
	var out []predict.Bin
	for _, b := range bins {
		octave := bits.Len64(uint64(b.Low))
		low, high := int64(1)<<max(octave-1, 0), int64(1)<<octave-1
		if octave == 0 {
			low, high = 0, 0
		}
		if n := len(out); n == 0 || out[n-1].Low != low {
			out = append(out, predict.Bin{Low: low, High: high})
		}
		out[len(out)-1].Count += b.Count
	}
	return out
}

// Share is the part that n is of a whole; 0 of nothing.
func Share(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Sampled says from how many samples a profile was found; 0 stands for all accesses.
func Sampled(n int64) string {
	if n == 0 {
		return "exact"
	}
	return Count(n) + " samples"
}
