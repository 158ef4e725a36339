package replay

import "foresee/predict"

// Result is a replayed program.
type Result struct {
	predict.Header
	Cluster       string     `json:"cluster"`
	Ranks         int        `json:"ranks"`
	Carried       *Carried   `json:"carried,omitempty" jsonschema:"how a recording on fewer ranks was carried on to these"`
	Nodes         int        `json:"nodes"`
	RanksPerNode  int        `json:"ranks_per_node"`
	Library       string     `json:"library" jsonschema:"whose algorithms the collectives have"`
	Compute       string     `json:"compute" jsonschema:"what the time between calls is: cpu, of the processor; wall, of the clock; median, that of the repetitions"`
	ComputeFactor float64    `json:"compute_factor" jsonschema:"that the time between calls was multiplied by"`
	Scaled        *Scaled    `json:"scaled,omitempty" jsonschema:"how computing was scaled to another machine, or number of threads"`
	Seconds       float64    `json:"time_s"`
	LowSeconds    *float64   `json:"time_low_s,omitempty" jsonschema:"at the least that computing may take where it was scaled, and that recordings carried on are off by"`
	HighSeconds   *float64   `json:"time_high_s,omitempty" jsonschema:"at the most"`
	Splits        []Dealt    `json:"splits,omitempty" jsonschema:"ways to split a node into ranks and threads, the fastest first; the rest of the result is of the first"`
	Mean          Terms      `json:"terms" jsonschema:"means over the ranks"`
	Imbalance     float64    `json:"imbalance" jsonschema:"the most that a rank computes over the mean"`
	Messages      int64      `json:"messages"`
	Bytes         int64      `json:"bytes"`
	Events        int64      `json:"events" jsonschema:"that were simulated"`
	Calls         []CallTime `json:"calls" jsonschema:"the most expensive first"`
	ByRank        []RankTime `json:"by_rank"`
}

// Carried says how a recording was carried on to more ranks.
type Carried struct {
	Recorded int    `json:"recorded_ranks"`
	From     string `json:"from" jsonschema:"the grid of the recorded ranks; o marks a dimension whose ends are neighbours"`
	To       string `json:"to" jsonschema:"the grid of these ranks"`
	Problem  string `json:"problem" jsonschema:"grows with the ranks, or stays as it is"`
}

// Dealt is what a split of a node gives.
type Dealt struct {
	Split
	AllRanks    int      `json:"ranks"`
	Factor      float64  `json:"compute_factor" jsonschema:"that the time between calls of the recording is multiplied by, for its machine and threads"`
	Seconds     *float64 `json:"time_s,omitempty"`
	LowSeconds  *float64 `json:"time_low_s,omitempty"`
	HighSeconds *float64 `json:"time_high_s,omitempty"`
	Why         string   `json:"why,omitempty" jsonschema:"why there is no time"`
}

// Terms are means over the ranks, in s: together the time.
type Terms struct {
	Compute  float64 `json:"compute_s"`
	Transfer float64 `json:"transfer_s" jsonschema:"in calls, while nothing else is waited for"`
	Waiting  float64 `json:"waiting_s" jsonschema:"in calls, until others had come"`
	Idle     float64 `json:"idle_s" jsonschema:"behind the end of a rank, until the last one ended"`
}

func (t *Terms) add(r RankTime, ranks int) {
	n := float64(ranks)
	t.Compute += r.Compute / n
	t.Transfer += (r.MPI - r.Waiting) / n
	t.Waiting += r.Waiting / n
	t.Idle += r.Idle / n
}

// CallTime is the time in a function of MPI.
type CallTime struct {
	Call    string  `json:"call"`
	Mean    float64 `json:"mean_s" jsonschema:"over the ranks"`
	Max     float64 `json:"max_s" jsonschema:"of a rank"`
	Waiting float64 `json:"waiting_s" jsonschema:"of the mean, until others had come"`
}

func (c *CallTime) add(seconds, waiting float64, ranks int) {
	c.Mean += seconds / float64(ranks)
	c.Waiting += waiting / float64(ranks)
	c.Max = max(c.Max, seconds)
}

// RankTime is the time of a rank, in s.
type RankTime struct {
	Rank    int     `json:"rank"`
	Seconds float64 `json:"time_s"`
	Compute float64 `json:"compute_s"`
	MPI     float64 `json:"mpi_s"`
	Waiting float64 `json:"waiting_s"`
	Idle    float64 `json:"idle_s"`
}

// imbalance is the most computing over the mean; 1 where nothing is computed.
func imbalance(ranks []RankTime) float64 {
	most, sum := 0.0, 0.0
	for _, r := range ranks {
		most = max(most, r.Compute)
		sum += r.Compute
	}
	if sum == 0 {
		return 1
	}
	return most * float64(len(ranks)) / sum
}
