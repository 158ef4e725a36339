package core

// Meter follows a run of which iterations of loops are left out, as package emulate tells of it, and counts cycles and instructions by
// place in the source, with those that were left out. A nil simulator counts instructions alone.
type Meter struct {
	sim    *Simulator
	places []int32 // of each instruction
	kinds  int
	levels []*account // the program, and loops that are being carried out
	spare  []*account
	now    float64 // cycles
	all    float64 // instructions, with those of iterations that were left out
	stale  float64 // of them, those before data were stale
	helper []bool  // instructions of functions whose cost is that of the call; nil: there are none
	calls  []int32 // of each call the place that it counts for, −1 of other instructions
	open   []int32 // calls that have not returned, outermost first, other than those of helpers
}

// account is what a loop has cost: of each place its cycles, its instructions, how often it was counted, and cycles by each cause.
type account struct {
	sum, atMark, before []float64
	pending             float64 // iterations that were left out, half of whose cost those behind them say
}

// counted is how many quantities of a place are counted besides those by causes.
const counted = 3

// NewMeter counts for so many places; places says of each instruction which is its own.
func NewMeter(s *Simulator, places []int32, count int) *Meter {
	m := &Meter{sim: s, places: places, kinds: count}
	m.push()
	return m
}

// Helpers says which instructions are of functions that count for the place of the call that leads to them. Calls has that place for each call of code
// of the program, and −1 for all other instructions.
func (m *Meter) Helpers(helper []bool, calls []int32) { m.helper, m.calls = helper, calls }

// place is the place that an instruction counts for.
func (m *Meter) place(at int32) int32 {
	if n := len(m.open); n > 0 && at == m.open[n-1]+1 {
		m.open = m.open[:n-1]
	}
	if !m.helper[at] {
		if m.calls[at] >= 0 {
			m.open = append(m.open, at)
		}
	} else if n := len(m.open); n > 0 {
		return m.calls[m.open[n-1]]
	}
	return m.places[at]
}

// Step is an instruction that is carried out.
func (m *Meter) Step(at int32, address uint64, jumps bool) {
	a, place := m.levels[len(m.levels)-1].sum, m.places[at]
	if m.helper != nil {
		place = m.place(at)
	}
	a[m.kinds+int(place)]++
	m.all++
	if m.sim == nil {
		return
	}
	m.sim.Step(at, address, jumps)
	c := m.sim.Cycles()
	a[place] += c - m.now
	a[(counted+int(m.sim.why))*m.kinds+int(place)] += c - m.now
	m.now = c
}

// Goes says where the next instruction goes, whose target is computed.
func (m *Meter) Goes(to uint32) {
	if m.sim != nil {
		m.sim.Goes(to)
	}
}

// Branch is a conditional jump that is not counted.
func (m *Meter) Branch(at int32, jumps bool) {
	if m.sim != nil {
		m.sim.Branch(at, jumps)
	}
}

// Stale says that data are from now on partly those of earlier iterations.
func (m *Meter) Stale() {
	m.stale = m.all
	if m.sim != nil {
		m.sim.Stale()
	}
}

// Copy is what a call that was carried out just before has moved.
func (m *Meter) Copy(to, from, bytes uint64) {
	if m.sim != nil {
		m.sim.Copy(to, from, bytes)
	}
}

// Count counts a place that code is at so many times.
func (m *Meter) Count(place int32, times float64) {
	m.levels[len(m.levels)-1].sum[2*m.kinds+int(place)] += times
}

func (m *Meter) push() {
	n := len(m.spare)
	if n == 0 {
		make := func() []float64 { return make([]float64, (counted+int(Causes))*m.kinds) }
		m.levels = append(m.levels, &account{sum: make(), atMark: make(), before: make()})
		return
	}
	a := m.spare[n-1]
	m.spare = m.spare[:n-1]
	clear(a.sum)
	clear(a.atMark)
	clear(a.before)
	a.pending = 0
	m.levels = append(m.levels, a)
}

// Begin begins the account of a loop.
func (m *Meter) Begin() { m.push() }

// Mark begins to look at what iterations cost.
func (m *Meter) Mark() {
	a := m.levels[len(m.levels)-1]
	copy(a.atMark, a.sum)
}

// look takes over what iterations cost since the mark.
func (a *account) look(since int) {
	if since <= 0 {
		return
	}
	for i := range a.before {
		a.before[i] = (a.sum[i] - a.atMark[i]) / float64(since)
	}
}

// add adds the cost of so many iterations as those that were looked at, so that they do not count as done since the mark.
func (m *Meter) add(a *account, iterations float64) {
	for i, each := range a.before {
		a.sum[i] += iterations * each
		a.atMark[i] += iterations * each
	}
	for _, each := range a.before[m.kinds : 2*m.kinds] {
		m.all += iterations * each
	}
	if m.sim != nil && m.stale > 0 {
		m.sim.progress = m.all / m.stale
	}
}

// Skip counts what is left out.
func (m *Meter) Skip(left int64, since int, smooth bool) {
	a := m.levels[len(m.levels)-1]
	a.look(since)
	if smooth {
		m.add(a, float64(left)/2)
		a.pending = float64(left)
	} else {
		m.add(a, float64(left))
	}
	copy(a.atMark, a.sum)
}

// Settle counts the other half of what was left out, by what iterations cost since the mark.
func (m *Meter) Settle(since int) {
	a := m.levels[len(m.levels)-1]
	a.look(since)
	m.add(a, a.pending/2)
	a.pending = 0
}

// End adds a loop's account to that of what is around it.
func (m *Meter) End() {
	n := len(m.levels) - 1
	a := m.levels[n]
	m.levels = m.levels[:n]
	around := m.levels[n-1].sum
	for i, v := range a.sum {
		around[i] += v
	}
	m.spare = append(m.spare, a)
}

// Cycles are those of each place, once the run is over.
func (m *Meter) Cycles() []float64 { return m.levels[0].sum[:m.kinds] }

// Instructions are those of each place.
func (m *Meter) Instructions() []float64 { return m.levels[0].sum[m.kinds : 2*m.kinds] }

// Counts are how often each place was counted.
func (m *Meter) Counts() []float64 { return m.levels[0].sum[2*m.kinds : counted*m.kinds] }

// CyclesBy are the cycles of each place that a cause is the reason of.
func (m *Meter) CyclesBy(c Cause) []float64 {
	from := (counted + int(c)) * m.kinds
	return m.levels[0].sum[from : from+m.kinds]
}
