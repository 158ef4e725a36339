package schedule

// Deal hands out the iterations of one execution of a loop to threads as they ask.
type Deal struct {
	rule    Rule
	n       int64
	threads int64
	given   int64          // on demand: iterations handed out
	shares  []Share[int64] // of the others: by thread, with the rounds that it had
	rounds  []int64
}

// NewDeal begins to deal n iterations.
func NewDeal(r Rule, n int64, threads int) *Deal {
	d := &Deal{rule: r, n: n, threads: int64(threads)}
	if r.Kind.OnDemand() {
		return d
	}
	d.shares, d.rounds = make([]Share[int64], threads), make([]int64, threads)
	for t := range d.shares {
		d.shares[t] = ShareOf(numbers{}, r, Extent[int64]{n, n - 1, n}, int64(t), d.threads)
	}
	return d
}

// Next gives the iterations first … end−1 that a thread runs next; first ≥ end when there are none.
func (d *Deal) Next(thread int) (first, end int64) {
	if d.rule.Kind.OnDemand() {
		first = d.given
		d.given += d.rule.Size(d.n-first, d.threads)
		return first, d.given
	}
	round := d.rounds[thread]
	if round > d.shares[thread].Last {
		return 0, 0
	}
	d.rounds[thread]++
	first, last := d.shares[thread].Range(round)
	return first, last + 1
}
