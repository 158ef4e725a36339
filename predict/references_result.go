package predict

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
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Column   int     `json:"column"`
	Text     string  `json:"text"`
	Write    bool    `json:"write"`
	Share    float64 `json:"share"`          // of the accesses of the reference
	Loop     string  `json:"loop,omitempty"` // variable of the loop in whose earlier iteration that was; absent where it was in the same iteration of all common loops
	LoopLine int     `json:"loop_line,omitempty"`
	Distance float64 `json:"distance"` // other lines used in between, the median
	Interval float64 `json:"interval"` // accesses from the one to the other, the median
}
