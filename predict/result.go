package predict

// Version is foresee's, as results carry it.
const Version = "0.2.0-dev"

// Header begins every result.
type Header struct {
	Schema   string   `json:"schema"`
	Version  string   `json:"version"`
	Input    string   `json:"input"`
	Warnings []string `json:"warnings"`
}

// Schemas of the results.
const (
	PredictionSchema = "foresee.prediction/v1"
	CurveSchema      = "foresee.mrc/v1"
	ProfileSchema    = "foresee.profile/v1"
	SimulationSchema = "foresee.simulation/v1"
)

// Prediction is the result of foresee predict.
type PredictionResult struct {
	Header
	Partial bool `json:"partial,omitempty"` // of what was seen until a run was interrupted or cut off
	// Answer sums the predictions up; absent where there are none.
	Answer      *Answer      `json:"answer,omitempty"`
	Predictions []Prediction `json:"predictions"`
	// Holdings say up to which size levels hold what regions use; there where a range of sizes was asked for.
	Holdings []Holding `json:"holdings,omitempty"`
	// Recorded says that the predictions are of a recorded run, of which each region is a part.
	Recorded bool `json:"recorded,omitempty"`
	// Unread are functions of the source with loops that cannot be read.
	Unread []string `json:"unread,omitempty"`
	// Reordered says that the compiler makes accesses in another order than the source.
	Reordered bool `json:"-"`
}

// Answer is what the predictions say, in short.
type Answer struct {
	Text    string         `json:"text"` // of all regions on all machines, a line each
	Regions []RegionAnswer `json:"regions"`
}

// RegionAnswer is what the predictions of one region on one machine say. What needs times is absent where there are none.
type RegionAnswer struct {
	Region  string `json:"region"`
	Machine string `json:"machine"`
	Text    string `json:"text"`    // one or two sentences
	Threads []int  `json:"threads"` // that were predicted
	// BestThreads is the number of those with the least time, and EnoughThreads the fewest that reach 90 % of its speed.
	BestThreads   int     `json:"best_threads,omitempty"`
	BestTimeS     float64 `json:"best_time_s,omitempty"`
	EnoughThreads int     `json:"enough_threads,omitempty"`
	// BoundBy is what bounds the time at BestThreads, and has from BoundFrom threads on.
	BoundBy   string `json:"bound_by,omitempty"`
	BoundFrom int    `json:"bound_from,omitempty"`
	// BoundBefore is what bounds the time with fewer threads; absent where that is the same.
	BoundBefore string `json:"bound_before,omitempty"`
	// Level is where the lines come from that take most time or, without times, that is farthest from the core; Array the array that most of them are of, and
	// ArrayShare its share of them.
	Level      string  `json:"level,omitempty"`
	Array      string  `json:"array,omitempty"`
	ArrayShare float64 `json:"array_share,omitempty"`
}

// ArrayMisses is how many lines of one array each level lacks.
type ArrayMisses struct {
	Array  string  `json:"array"`
	Access string  `json:"access,omitempty"` // the access with most of them, as the source has it
	Place  string  `json:"place,omitempty"`  // and where it stands: file:line
	Misses []int64 `json:"misses"`           // of each level, as hit_rates
}

// Prediction is one region on one machine at one number of threads.
type Prediction struct {
	Region   string    `json:"region"`
	Place    string    `json:"place,omitempty"` // where it begins in the source: file:line
	Machine  string    `json:"machine"`
	Threads  int       `json:"threads"`
	Size     *Size     `json:"size,omitempty"` // of the data, where several were asked for
	Accesses int64     `json:"accesses"`       // loads and stores of all threads
	Flops    int64     `json:"flops"`          // floating-point operations of all threads
	HitRates []HitRate `json:"hit_rates"`
	// Arrays are those of which some level lacks lines, most at the outermost first; absent where accesses are not told apart.
	Arrays []ArrayMisses `json:"arrays,omitempty"`
	// Sharing is what threads take from one another, most first; absent where it was not asked for.
	Sharing []Sharing `json:"sharing,omitempty"`
	// Chased is the share of its loads whose address is what the load before gave, of a recorded run; told where sharing is.
	Chased float64 `json:"chased,omitempty"`
	// TimeS is absent, like what depends on it, when the machine lacks a value that the model needs.
	TimeS     *float64 `json:"time_s,omitempty"`
	TimeLowS  *float64 `json:"time_low_s,omitempty"`
	TimeHighS *float64 `json:"time_high_s,omitempty"`
	Speedup   *float64 `json:"speedup,omitempty"` // over one thread of the same machine
	Terms     *Terms   `json:"terms,omitempty"`
	// ThreadsModel is how the locality at this number of threads was found: exact or symbolic, of a recorded run cut, mimic or fibers, absent of one thread
	// analysed by itself; Interleave how the threads' accesses mix: uniform (at random) or round-robin, absent of one thread.
	ThreadsModel string       `json:"threads_model,omitempty"`
	Interleave   string       `json:"interleave,omitempty"`
	SharedCache  *SharedCache `json:"shared_cache,omitempty"`
	BoundBy      string       `json:"bound_by,omitempty"` // compute, latency, L2, L3, memory or parallel
	Model        string       `json:"model"`
	// CoreBoundBy is what binds most of the core's cycles of the code (issue width, dependency chain, store forwarding, …, a unit), and CoreBoundShare the share
	// of its cycles; absent where no code was followed.
	CoreBoundBy    string  `json:"core_bound_by,omitempty"`
	CoreBoundShare float64 `json:"core_bound_share,omitempty"`
	// LeftOut is how many statements of the region could not be read and are not in it; the warnings name them.
	LeftOut int `json:"left_out,omitempty"`
	// LeftOutLoops is how many loops these have, and Loops how many were read; told where something is left out.
	LeftOutLoops int `json:"left_out_loops,omitempty"`
	Loops        int `json:"loops,omitempty"`
	// Warm says that the caches held what a call of the region before left, where they would start empty otherwise.
	Warm bool `json:"warm,omitempty"`
	// Entered is how often a run entered the region (--run), and Values are the values that it had then; absent where there was no run.
	Entered int64   `json:"entered,omitempty"`
	Values  []Value `json:"values,omitempty"`
	// CodeAssumed is the compiler and its flags as which foresee made the code itself, of which the core's time is then.
	CodeAssumed string   `json:"code_assumed,omitempty"`
	Code        string   `json:"code,omitempty"` // the compiler, with its flags, of whose code the core's time is; absent where it is of the source
	Warnings    []string `json:"warnings"`
}

// Value is what a run told of the source.
type Value struct {
	Text  string `json:"text"` // a variable, member or element, as the source has it
	Value int64  `json:"value"`
}

// SharedCache says what cache the threads need together, as fully associative ones with LRU replacement, and when that
// of the machine is too small. It is there when a signature of the program is, and the machine shares a level.
type SharedCache struct {
	Level     string  `json:"level"`      // the last that is shared
	Bytes     int64   `json:"bytes"`      // its size
	Cores     int     `json:"cores"`      // that share it
	MissRatio float64 `json:"miss_ratio"` // the bound asked for; without one, a point above what one thread misses in the level
	// SmallestBytes is the smallest cache shared by all threads that misses no more; absent where first uses alone do.
	SmallestBytes *int64 `json:"smallest_bytes,omitempty"`
	// OverflowThreads is the fewest threads, of those whose cores share the level, that miss more in it; absent if none do.
	OverflowThreads *int `json:"overflow_threads,omitempty"`
}

// HitRate is cumulative and global: the share of all accesses that this level or one above it serves.
type HitRate struct {
	Level         string  `json:"level"`
	Scope         string  `json:"scope"` // private or shared
	HitRate       float64 `json:"hit_rate"`
	StandardError float64 `json:"standard_error"` // of the sampling

	Need Need `json:"-"` // of loops
}

// Terms are the parts of the time, in seconds, of the slowest thread.
type Terms struct {
	ComputeS  float64     `json:"compute_s"`          // operations: the larger of throughput and dependency chains
	MemoryS   float64     `json:"memory_s"`           // lines between levels
	ParallelS float64     `json:"parallel_s"`         // opening parallel regions, barriers
	FaultsS   float64     `json:"faults_s,omitempty"` // pages that are touched first, of programs recorded as their compiler made them
	Levels    []LevelTerm `json:"levels"`             // parts of memory_s
	// SerialS is how much of the time code takes that one thread runs while the others wait, of several threads, and SerialPlace the loop with most of it, file:line.
	SerialS     float64 `json:"serial_s,omitempty"`
	SerialPlace string  `json:"serial_place,omitempty"`
}

// LevelTerm is the time that lines from one level take.
type LevelTerm struct {
	Level string  `json:"level"` // L1, L2, L3 or memory: where the lines come from
	Lines float64 `json:"lines"` // lines that the slowest thread takes from there
	TimeS float64 `json:"time_s"`
}

// CurveResult is the result of foresee mrc.
type CurveResult struct {
	Header
	LineBytes int64   `json:"line_bytes"`
	Partial   bool    `json:"partial,omitempty"` // of what was seen until it was interrupted or cut off
	Curves    []Curve `json:"curves"`
	// Levels are the cache sizes of the machines named, for marks in a plot.
	Levels []LevelMark `json:"levels,omitempty"`
}

// Curve is one miss ratio curve.
type Curve struct {
	Region   string `json:"region"`
	Threads  int    `json:"threads"`
	Scope    string `json:"scope"`
	Accesses int64  `json:"accesses"`
	// ThreadsModel is how the locality at this number of threads was found: exact, symbolic or pluss, of a recorded run cut, mimic or fibers; absent of traces and
	// of one thread analysed by itself.
	ThreadsModel string `json:"threads_model,omitempty"`
	// Interleave is how the threads' accesses mix: uniform (at random) or round-robin; absent of one thread and of traces.
	Interleave string       `json:"interleave,omitempty"`
	Points     []CurvePoint `json:"points"`
}

// CurvePoint is the miss ratio of a fully associative LRU cache.
type CurvePoint struct {
	CacheBytes    int64   `json:"cache_bytes"`
	MissRatio     float64 `json:"miss_ratio"`
	StandardError float64 `json:"standard_error"`
}

// LevelMark is one cache of a machine; Bytes is its whole size, however many cores share it.
type LevelMark struct {
	Machine string `json:"machine"`
	Level   string `json:"level"`
	Bytes   int64  `json:"bytes"`
}

// ProfileResult is the result of foresee profile.
type ProfileResult struct {
	Header
	LineBytes int64     `json:"line_bytes"`
	Partial   bool      `json:"partial,omitempty"` // of what was seen until it was interrupted or cut off
	Profiles  []Profile `json:"profiles"`
}

// Profile is one histogram of reuse distances or intervals.
type Profile struct {
	Region   string `json:"region"`
	Threads  int    `json:"threads"`
	Scope    string `json:"scope"`   // private or shared
	Measure  string `json:"measure"` // distance or interval
	Accesses int64  `json:"accesses"`
	Cold     int64  `json:"cold"`
	Samples  int64  `json:"samples"` // 0: exact
	// ThreadsModel and Interleave are as in Curve.
	ThreadsModel string `json:"threads_model,omitempty"`
	Interleave   string `json:"interleave,omitempty"`
	Histogram    []Bin  `json:"histogram"`
}

// Bin counts the accesses with Low ≤ value ≤ High.
type Bin struct {
	Low   int64 `json:"low"`
	High  int64 `json:"high"`
	Count int64 `json:"count"`
}

// AccessSchema is that of what becomes of each access of a source.
const AccessSchema = "foresee.accesses/v1"

// AccessResult is what becomes of each access in the text of a source, on one machine at one number of threads.
type AccessResult struct {
	Header
	Machine   string         `json:"machine"`
	Threads   int            `json:"threads"`
	LineBytes int64          `json:"line_bytes"`
	Levels    []string       `json:"levels"` // that serve accesses, from the first; memory is the last
	Regions   []AccessRegion `json:"regions"`
}

// AccessRegion is one region.
type AccessRegion struct {
	Region     string      `json:"region"`
	Accesses   int64       `json:"accesses"`         // loads and stores of all threads
	TimeS      *float64    `json:"time_s,omitempty"` // absent, like those of loops and arrays, where the machine lacks a value that the model needs
	Loops      []LoopTime  `json:"loops"`            // in the order of the text
	Arrays     []ArrayTime `json:"arrays"`           // in the order of their first use
	References []Reference `json:"references"`       // in the order of evaluation
}

// LoopTime is the time of one loop. Its parts are of the slowest thread.
type LoopTime struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	InLine   int      `json:"in_line,omitempty"` // of the loop around it; absent of outermost ones
	Variable string   `json:"variable"`
	Schedule string   `json:"schedule,omitempty"` // of a loop that is dealt to threads
	TimeS    *float64 `json:"time_s,omitempty"`   // with the loops inside
	OwnS     *float64 `json:"own_s,omitempty"`    // without them
	CoreS    *float64 `json:"core_s,omitempty"`   // of TimeS, what the core needs, if all data were near
	MemoryS  *float64 `json:"memory_s,omitempty"` // likewise what lines between levels need
}

// ArrayTime is the traffic of one array.
type ArrayTime struct {
	Array    string    `json:"array"`
	Bytes    int64     `json:"bytes"` // 0: its extent is not known
	Accesses float64   `json:"accesses"`
	Lines    []float64 `json:"lines"`            // that it takes from each level but the first, and from memory
	TimeS    *float64  `json:"time_s,omitempty"` // its part of the time of memory
}

// Reference is one access in the text.
type Reference struct {
	File        string    `json:"file"`
	Line        int       `json:"line"`
	Column      int       `json:"column"`
	Text        string    `json:"text"`
	Array       string    `json:"array"`
	Write       bool      `json:"write"`
	Bytes       int64     `json:"bytes"`
	LoopLine    int       `json:"loop_line,omitempty"` // of the innermost loop around it
	StrideBytes int64     `json:"stride_bytes"`        // from one iteration of that loop to the next
	Accesses    float64   `json:"accesses"`            // of all threads
	Served      []float64 `json:"served"`              // shares of them by AccessResult.Levels
	New         float64   `json:"new"`                 // share of them that are the first use of a line, with one thread
	Reuses      []Reuse   `json:"reuses"`              // the others, by who used the line last
}

// Reuse says who used a line before an access, with one thread.
type Reuse struct {
	File     string    `json:"file"`
	Line     int       `json:"line"`
	Column   int       `json:"column"`
	Text     string    `json:"text"`
	Write    bool      `json:"write"`
	Share    float64   `json:"share"`          // of the accesses of the reference
	Served   []float64 `json:"served"`         // shares of these by AccessResult.Levels, with one thread
	Loop     string    `json:"loop,omitempty"` // variable of the loop in whose earlier iteration that was; absent where it was in the same iteration of all common loops
	LoopLine int       `json:"loop_line,omitempty"`
	Distance float64   `json:"distance"` // other lines used in between, the median
	Interval float64   `json:"interval"` // accesses from the one to the other, the median
}
