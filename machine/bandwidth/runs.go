package bandwidth

// BegunAnew is the share of runs of lines in sequence that prefetchers must find anew when a run goes on where it ended, after runs of
// so many other places came: prefetchers that follow so many streams have forgotten it by then, or not.
//
// None of them up to as many places as streams are followed. All of them from [TileRows] on: that is how many runs go on beside one another
// in the sweep in tiles, which b was fitted to, so b holds there as it is. Between lies a straight line; it was not measured. With 32
// streams, 40 places begin (40 − 32)/(64 − 32) = a quarter of the runs anew. Where more streams are followed than tiles have rows, all
// runs begin anew as soon as there are more places than that.
func BegunAnew(places, followed float64) float64 {
	switch {
	case places <= followed:
		return 0
	case places >= TileRows:
		return 1
	}
	return (places - followed) / (TileRows - followed)
}
