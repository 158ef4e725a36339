package scale

import (
	"fmt"
	"math"
	"slices"

	"foresee/application/counters"
)

// What tells repetitions that are of several configurations from those of one. Chosen: runs of one configuration scatter about one value, so that no
// gap between neighbours holds most of their spread and is large besides.
const (
	fewestRepetitions = 4
	widestGap         = 0.25 // of log y, between neighbours
	partOfSpread      = 0.6  // of the spread that lies in the gap
	apartOfTwo        = 0.4  // of log y, of two repetitions alone
)

// twoGroups says whether repetitions fall into two groups, and where the lower one ends and the upper one begins.
func twoGroups(values []float64) (below, above float64, ok bool) {
	v := slices.Sorted(slices.Values(values))
	if len(v) < 2 || !(v[0] > 0) {
		return 0, 0, false
	}
	at, gap := 0, 0.0
	for i := range v[1:] {
		if g := math.Log(v[i+1] / v[i]); g > gap {
			at, gap = i, g
		}
	}
	spread := math.Log(v[len(v)-1] / v[0])
	if len(v) < fewestRepetitions {
		return v[at], v[at+1], gap > apartOfTwo
	}
	lone := at == 0 || at == len(v)-2 // one run that went wrong is no configuration
	return v[at], v[at+1], !lone && gap > widestGap && gap > partOfSpread*spread
}

// mixed warns of a set whose repetitions are of several configurations at half of its points or more. It looks at the largest series that were
// repeated, as small ones scatter.
func mixed(set *counters.Set) string {
	for _, series := range set.Series {
		if !IsTime(series.Metric) || isExtreme(series.Metric) || isWaiting(series.Callpath) {
			continue
		}
		repeated, grouped, example := 0, 0, ""
		for _, m := range series.Points {
			if len(m.Values) < 2 {
				continue
			}
			repeated++
			if below, above, ok := twoGroups(m.Values); ok {
				if grouped++; example == "" {
					example = fmt.Sprintf("at %s some are up to %.4g and the others from %.4g on", counters.FormatPoint(set.Parameters, m.At), below, above)
				}
			}
		}
		if grouped > 0 && 2*grouped >= repeated {
			return fmt.Sprintf("repetitions of %s %s fall into two groups at %d of %d points (%s): they look like runs of two configurations, not of one; give what differs between them as a parameter, or one of them alone",
				series.Callpath, series.Metric, grouped, repeated, example)
		}
	}
	return ""
}
