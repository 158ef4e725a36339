package report

import "foresee/predict"

// Notes say what the numbers mean, for readers who have only the page.
func Notes(r *predict.PredictionResult) []string {
	all := []string{
		"A hit rate is cumulative: the share of all loads and stores that this level or one nearer to the core serves.",
		"Private levels see one thread's own accesses; shared levels see those of the threads that share them, mixed as the threads model says.",
		"Every thread has a core of its own. Iterations are dealt as libgomp and libomp deal them.",
		"The time is that of the slowest thread. The parts of the time may overlap, so they need not add up to it.",
		"The interval holds what the model leaves open; it is no guarantee.",
		"Miss ratio curves are of fully associative LRU caches.",
	}
	if len(r.Predictions) > 0 {
		all = append(all, "Model of the time: "+r.Predictions[0].Model+". What a machine does not say is absent, or a warning says what was taken instead.")
	}
	return all
}

// PartText says that a result is of a run that did not come to its end.
const PartText = "Partial: of what was seen until it was interrupted or cut off"
