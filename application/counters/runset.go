package counters

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Run is one run of an MPI program, all its ranks.
type Run struct {
	Params   map[string]float64 // p is the number of ranks
	Command  []string
	Messages []Messages // by rank
	Profiles []Profile  // of --counters, by rank
	Slowed   bool       // times are of a run under a tool that slows it down many times over
	Warnings []string
}

// Callpaths of what a run tells as a whole. Its parts add up to it, on average over the ranks.
const (
	WholeRun     = "run"
	Computing    = "run->compute" // what is not inside of MPI
	PointToPoint = "run->point-to-point"
	Collective   = "run->collective"
	OneSided     = "run->one-sided"
	OtherMPI     = "run->other MPI"
)

// MaxSuffix marks the metric of the rank that has most; without it a metric is the mean over the ranks.
const MaxSuffix = ".max"

var pointToPointCalls = []string{
	"Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend", "Irsend", "Recv", "Irecv", "Mrecv", "Imrecv", "Sendrecv", "Sendrecv_replace",
	"Isendrecv", "Isendrecv_replace", "Send_init", "Bsend_init", "Ssend_init", "Rsend_init", "Recv_init", "Start", "Startall",
	"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome", "Probe", "Iprobe", "Mprobe", "Improbe", "Request_free", "Cancel",
}

var collectiveCalls = []string{
	"Barrier", "Bcast", "Reduce", "Allreduce", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv",
	"Alltoall", "Alltoallv", "Alltoallw", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Exscan",
	"Neighbor_allgather", "Neighbor_allgatherv", "Neighbor_alltoall", "Neighbor_alltoallv", "Neighbor_alltoallw",
}

// Part tells which part of a run an MPI function belongs to.
func Part(function string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(function, "MPI_"), "_c")
	switch {
	case slices.Contains(pointToPointCalls, name):
		return PointToPoint
	case isCollective(name):
		return Collective
	case slices.Contains([]string{"Put", "Get", "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap", "Rput", "Rget"}, name), strings.HasPrefix(name, "Win_"):
		return OneSided
	}
	return OtherMPI
}

// isCollective knows I… as the form that does not block.
func isCollective(name string) bool {
	if slices.Contains(collectiveCalls, name) {
		return true
	}
	rest, nonBlocking := strings.CutPrefix(name, "I")
	return nonBlocking && rest != "" && slices.Contains(collectiveCalls, strings.ToUpper(rest[:1])+rest[1:])
}

// Sends says whether a function's bytes are sent by the rank that calls it (a receive names the room that it has).
func Sends(function string) bool {
	name := strings.TrimSuffix(strings.TrimPrefix(function, "MPI_"), "_c")
	return Part(function) == PointToPoint && (strings.Contains(name, "send") || strings.Contains(name, "Send") || strings.HasPrefix(name, "Start"))
}

// AddTo puts a run into a set: times, calls and bytes of its parts and of each MPI function, and every quantity of every function of its
// profiles; times of runs that a tool slowed down are left out; means over the ranks, and with MaxSuffix the largest. Ranks that are missing, and those that could not count an event, count in neither.
func (r *Run) AddTo(set *Set, quantities Quantities) error {
	if err := r.addMessages(set); err != nil {
		return err
	}
	for _, w := range r.Warnings {
		if !slices.Contains(set.Warnings, w) {
			set.Warnings = append(set.Warnings, w)
		}
	}
	return AddProfiles(set, r.Params, r.Profiles, quantities)
}

// cell is one value of each rank.
type cell struct{ callpath, metric string }

// perRank collects values by rank in the order in which they appear.
type perRank struct {
	ranks  int
	order  []cell
	values map[cell][]float64
	// timeless leaves times out.
	timeless bool
	counted  map[string]map[int]bool // ranks that have a metric at all; nil: all
	shared   float64                 // processes that each value is the sum over; 0: of one
}

func newPerRank(ranks int) *perRank { return &perRank{ranks: ranks, values: map[cell][]float64{}} }

// add adds a value of a rank; times that a tool slowed down are left out.
func (t *perRank) add(rank int, callpath, metric string, v float64) {
	if t.timeless && (metric == "time" || metric == "cpu") {
		return
	}
	c := cell{callpath, metric}
	values, there := t.values[c]
	if !there {
		values = make([]float64, t.ranks)
		t.order, t.values[c] = append(t.order, c), values
	}
	values[rank] += v
}

// count notes that a rank has a metric. A function that a rank did not call is zero there; an event that it could not count is not.
func (t *perRank) count(rank int, metric string) {
	if t.counted == nil {
		t.counted = map[string]map[int]bool{}
	}
	if t.counted[metric] == nil {
		t.counted[metric] = map[int]bool{}
	}
	t.counted[metric][rank] = true
}

// into adds mean and largest of every cell.
func (t *perRank) into(set *Set, at map[string]float64) error {
	for _, c := range t.order {
		sum, most := 0.0, math.Inf(-1)
		for _, v := range t.values[c] {
			sum, most = sum+v, max(most, v)
		}
		ranks := t.ranks
		if t.counted != nil {
			ranks = len(t.counted[c.metric])
		}
		mean := sum / float64(ranks)
		if t.shared > 0 {
			mean /= t.shared
		}
		if err := set.Add(at, c.callpath, c.metric, mean); err != nil {
			return err
		}
		if t.shared > 0 {
			continue // nobody knows which process had most
		}
		if err := set.Add(at, c.callpath, c.metric+MaxSuffix, most); err != nil {
			return err
		}
	}
	return nil
}

// sizeClass names the sizes of a class's messages.
func sizeClass(class int) string {
	if class == 0 {
		return "no bytes"
	}
	return fmt.Sprintf("%.0f to %.0f bytes", math.Exp2(float64(class-1)), math.Exp2(float64(class))-1)
}

// sizeClasses counts the classes of sizes that each function was called with.
func (r *Run) sizeClasses() map[string]int {
	seen := map[string]map[int]bool{}
	for i := range r.Messages {
		for _, c := range r.Messages[i].Calls {
			if seen[c.Name] == nil {
				seen[c.Name] = map[int]bool{}
			}
			seen[c.Name][c.Class] = true
		}
	}
	out := map[string]int{}
	for name, classes := range seen {
		out[name] = len(classes)
	}
	return out
}

// addMessages adds parts and functions, and of collectives each class of sizes: libraries change the algorithm between them.
func (r *Run) addMessages(set *Set) error {
	t := newPerRank(len(r.Messages))
	t.timeless = r.Slowed
	classes := r.sizeClasses()
	for i := range r.Messages {
		m := &r.Messages[i]
		inside := 0.0
		t.add(i, WholeRun, "time", m.Wall)
		if m.CPU > 0 { // what mpiP reports has none
			t.add(i, WholeRun, "cpu", m.CPU)
		}
		t.add(i, Computing, "time", 0)
		for _, c := range m.Calls {
			part := Part(c.Name)
			path := part + "->" + c.Name
			inside += c.Seconds
			t.add(i, part, "time", c.Seconds)
			t.add(i, path, "time", c.Seconds)
			t.add(i, path, "calls", c.Count)
			if c.Bytes > 0 {
				t.add(i, path, "bytes", c.Bytes)
			}
			if part == Collective && classes[c.Name] > 1 {
				t.add(i, path+"->"+sizeClass(c.Class), "time", c.Seconds)
				t.add(i, path+"->"+sizeClass(c.Class), "calls", c.Count)
			}
			if Sends(c.Name) || part != PointToPoint {
				t.add(i, part, "bytes", c.Bytes)
				if c.Bytes > 0 || part != PointToPoint {
					t.add(i, part, "calls", c.Count)
				}
			}
		}
		t.add(i, Computing, "time", max(m.Wall-inside, 0))
	}
	return t.into(set, r.Params)
}

// AddProfiles puts the profiles of one run's ranks into a set, by function and quantity. The total over the functions is the metric of
// WholeRun. Events that no quantity is made of are named in a warning.
func AddProfiles(set *Set, at map[string]float64, profiles []Profile, quantities Quantities) error {
	if len(profiles) == 0 {
		return nil
	}
	mapped := make([]*Profile, len(profiles))
	unknown := map[string]bool{}
	for i := range profiles {
		p, rest := quantities.Map(&profiles[i])
		for _, e := range rest {
			unknown[e] = true
		}
		set.Warnings = append(set.Warnings, p.Warnings...)
		mapped[i] = p
	}
	mapped = mergeThreads(mapped)
	ranks := map[int]int{}
	for _, p := range mapped {
		if _, there := ranks[p.Rank]; !there {
			ranks[p.Rank] = len(ranks)
		}
	}
	t := newPerRank(len(ranks))
	t.shared = summedOver(mapped, at)
	for _, p := range mapped {
		for _, f := range p.Functions {
			for j, v := range f.Values {
				if math.IsNaN(v) {
					continue
				}
				t.count(ranks[p.Rank], p.Events[j])
				t.add(ranks[p.Rank], WholeRun, p.Events[j], v)
				if f.Name != "" && f.Name != WholeRun {
					t.add(ranks[p.Rank], f.Name, p.Events[j], v)
				}
			}
		}
	}
	if len(unknown) > 0 {
		names := make([]string, 0, len(unknown))
		for e := range unknown {
			names = append(names, e)
		}
		slices.Sort(names)
		set.warn("events that no quantity is made of are left out: %s; say what they are", strings.Join(names, ", "))
	}
	if err := t.into(set, at); err != nil {
		return fmt.Errorf("counters: %w", err)
	}
	return nil
}

// mergeThreads makes one profile of a rank's threads, where they have profiles of their own: counts are summed; of times the largest is taken, as threads
// run side by side.
func mergeThreads(profiles []*Profile) []*Profile {
	if !slices.ContainsFunc(profiles, func(p *Profile) bool { return p.Thread > 0 }) {
		return profiles
	}
	tables := map[int]*Table{}
	var order []int
	for _, p := range profiles {
		t := tables[p.Rank]
		if t == nil {
			t = NewTable(p.Tool)
			t.Rank = p.Rank
			tables[p.Rank], order = t, append(order, p.Rank)
		}
		for _, f := range p.Functions {
			for j, v := range f.Values {
				switch {
				case math.IsNaN(v):
				case p.Events[j] == "time":
					t.Largest(f.Name, p.Events[j], v)
				default:
					t.Add(f.Name, p.Events[j], v)
				}
			}
		}
	}
	out := make([]*Profile, len(order))
	for i, rank := range order {
		p := tables[rank].Done()
		out[i] = &p
	}
	return out
}

// summedOver is the number of processes that profiles are the sums over, by the parameters of the run; 0 where each is of a process, or nothing tells.
func summedOver(profiles []*Profile, at map[string]float64) float64 {
	if len(profiles) == 0 || !profiles[0].Summed {
		return 0
	}
	for _, name := range processNames {
		if p, there := at[name]; there && p > 0 {
			return p
		}
	}
	return 0
}
