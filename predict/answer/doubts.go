package answer

import (
	"regexp"
	"slices"

	"foresee/predict"
)

// Decisive is the share of the time from which what it rests on is worth a word. Chosen: what is below moves a time by less than a
// twentieth, if it is wrong by as much as it is large.
const Decisive = 0.05

// assumed finds the value of a machine that a warning is about, by its path in the machine's file.
var assumed = regexp.MustCompile(`\b(?:levels\.(\w+)|(memory|parallel))\.[a-z_]+`)

// Matters says whether a warning is about something that a prediction turns on: of a value of a machine that was taken from elsewhere, whether
// the part of the time that it stands for is one. All others matter.
func Matters(p *predict.Prediction, warning string) bool {
	found := assumed.FindStringSubmatch(warning)
	if found == nil || p.TimeS == nil || p.Terms == nil {
		return true
	}
	part := 0.0
	switch {
	case found[2] == "parallel":
		part = forkJoinRange * p.Terms.ParallelS
	default:
		level := found[1] + found[2]
		i := slices.IndexFunc(p.Terms.Levels, func(l predict.LevelTerm) bool { return l.Level == level })
		if i < 0 {
			return true
		}
		part = p.Terms.Levels[i].TimeS
	}
	return part >= Decisive**p.TimeS
}

// forkJoinRange is how many times as much as the usual cost of a parallel region one may take (package timing: its interval).
const forkJoinRange = 4

// Doubt is a warning that matters, and what it is about.
type Doubt struct {
	Text    string
	Regions []string // with machine and threads, where it is not of the whole result
}

// General says whether a warning holds of every prediction, and so tells nothing of one.
func General(warning string) bool { return slices.Contains(predict.OutsideModels, warning) }

// Doubts are the warnings of a result that matter, each once, those of the whole first; rest is how many there are besides. Without general,
// which says what holds of every result, all matter.
func Doubts(r *predict.PredictionResult, general func(string) bool) (all []Doubt, rest int) {
	index := map[string]int{}
	without := map[string]bool{}
	add := func(text, about string, matters bool) {
		if !matters {
			without[text] = true
			return
		}
		i, known := index[text]
		if !known {
			i = len(all)
			index[text] = i
			all = append(all, Doubt{Text: text})
		}
		if about != "" && !slices.Contains(all[i].Regions, about) {
			all[i].Regions = append(all[i].Regions, about)
		}
	}
	for _, w := range r.Warnings {
		add(w, "", general == nil || !general(w))
	}
	for i := range r.Predictions {
		p := &r.Predictions[i]
		for _, w := range p.Warnings {
			add(w, p.Region+" on "+p.Machine, general == nil || Matters(p, w))
		}
	}
	for text := range without {
		if _, shown := index[text]; !shown {
			rest++
		}
	}
	if general == nil {
		return all, rest
	}
	return together(all), rest
}

// relative finds a value that a machine's file has taken from a relative of the machine, by the machine, the path, and the value.
var relative = regexp.MustCompile(`^machine (\S+): (\S+) is not known and taken to be (\S+): `)

// together says once for each machine which values were taken from others.
func together(all []Doubt) (out []Doubt) {
	index := map[string]int{}
	for _, d := range all {
		found := relative.FindStringSubmatch(d.Text)
		if found == nil {
			out = append(out, d)
			continue
		}
		name, value := found[1], found[2]+" = "+found[3]
		i, known := index[name]
		if !known {
			index[name] = len(out)
			out = append(out, Doubt{Text: "machine " + name + ": not known, and as of its relatives: " + value})
			continue
		}
		out[i].Text += ", " + value
	}
	return out
}
