package traffic

// Again are the misses of the second of two runs in a row: m are of both together, as shares of the accesses of both, once of the first alone, and all is
// the second's share. Streams of m and once have the same references.
func (m Misses) Again(once Misses, all float64) Misses {
	out := Misses{once.of, again(m.byReference, once.byReference)}
	if sum := sumOf(out.byReference); sum > 0 {
		for r := range out.byReference {
			out.byReference[r] *= all / sum
		}
	}
	return out
}

// Again are the translations of the second of two runs in a row, as the misses are.
func (w Walks) Again(once Walks) Walks {
	return Walks{again(w.looked, once.looked), again(w.far, once.far)}
}

// again are shares of the second of two runs in a row that make as many accesses; both are known by samples, so that none is less than nothing.
func again(both, once []float64) []float64 {
	out := make([]float64, len(once))
	for r := range out {
		if r < len(both) {
			out[r] = max(2*both[r]-once[r], 0)
		}
	}
	return out
}
