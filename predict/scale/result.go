package scale

import "foresee/predict"

// Schema is that of foresee scale.
const Schema = "foresee.scaling/v1"

// Result is what scale says. Its JSON is foresee.scaling/v1.
type Result struct {
	predict.Header
	Model       string       `json:"model"`
	Interval    float64      `json:"interval" jsonschema:"probability with which a value lies between low and high"`
	Parameters  []string     `json:"parameters" jsonschema:"the first is the one that is extrapolated, as a rule the number of processes"`
	Whole       string       `json:"whole,omitempty" jsonschema:"the callpath whose time is the whole"`
	Measured    int          `json:"measured" jsonschema:"points of the parameters that the models were fitted to"`
	Predictions []Prediction `json:"predictions"`
	Withheld    []Withheld   `json:"withheld,omitempty" jsonschema:"what was asked for and is not answered, as nothing measured tells it"`
	Kernels     []Kernel     `json:"kernels,omitempty" jsonschema:"functions that matter at some measured number of processes"`
	APMT        *APMTModel   `json:"apmt,omitempty" jsonschema:"the published model, where its counters were measured"`
	Breakdowns  []Breakdown  `json:"breakdowns,omitempty" jsonschema:"the time's parts at each point asked for"`
	Scaling     []Scaling    `json:"scaling,omitempty" jsonschema:"speed-up and efficiency of the whole at each point asked for"`
	Stops       *Stop        `json:"stops,omitempty" jsonschema:"where more processes stop paying"`
	Trust       []Trust      `json:"trust,omitempty" jsonschema:"how far the models of the time reach"`
	Advice      []Advice     `json:"advice,omitempty" jsonschema:"further runs, the one that tells most first"`
	HeldOut     []HeldOut    `json:"held_out,omitempty"`
	Refinement  *Refinement  `json:"refinement,omitempty" jsonschema:"whether the accuracy that was asked for is reached"`
	Changes     []string     `json:"changes,omitempty" jsonschema:"where the configuration changed, in words"`

	curves func() []Curve
}

// Prediction is one metric of one callpath at one point.
type Prediction struct {
	Callpath string             `json:"callpath"`
	Metric   string             `json:"metric"`
	Params   map[string]float64 `json:"params"`
	Value    float64            `json:"value"`
	Low      *float64           `json:"low,omitempty"`
	High     *float64           `json:"high,omitempty"`
	Form     string             `json:"form" jsonschema:"the model in words"`
	Exponent float64            `json:"exponent" jsonschema:"of the first parameter, at this point: −1 halves with twice the processes, 0 stays"`
}

// Kernel is a function's shares of the cost.
type Kernel struct {
	Name      string    `json:"name"`
	Shares    []float64 `json:"shares" jsonschema:"by ascending number of processes"`
	Processes []float64 `json:"processes"`
	Functions int       `json:"functions" jsonschema:"how many the rest has"`
	Growing   bool      `json:"growing" jsonschema:"does not fall with the number of processes"`
}

// Breakdown is the parts of the time at one point.
type Breakdown struct {
	Params   map[string]float64 `json:"params"`
	Total    float64            `json:"total_s"`
	Parts    []Part             `json:"parts"`
	Apart    float64            `json:"apart_s,omitempty" jsonschema:"what the parts add up to as each is predicted by itself, where that is more than the total: they are taken off in proportion"`
	Limiting string             `json:"limiting" jsonschema:"the part that keeps the time from falling: the largest that falls more slowly than 1/p"`
}

// Part is a part of the time.
type Part struct {
	Name     string  `json:"name"`
	Seconds  float64 `json:"seconds"`
	Share    float64 `json:"share"`
	Exponent float64 `json:"exponent"`
}

// Scaling compares a point with the smallest measured one.
type Scaling struct {
	Params     map[string]float64 `json:"params"`
	Kind       string             `json:"kind" jsonschema:"strong: the problem is as measured; weak: it is larger, with the same work for each process"`
	Base       map[string]float64 `json:"base" jsonschema:"the measured point that it is compared with"`
	SpeedUp    float64            `json:"speed_up"`
	Efficiency float64            `json:"efficiency" jsonschema:"speed-up over the growth of processes; weak: the ratio of the times, made up for what differs in the work for each process"`
}

// Stop is where more processes stop paying, of the problem of the first point asked for.
type Stop struct {
	Half    *float64 `json:"half_efficiency,omitempty" jsonschema:"processes from which on the efficiency is below one half"`
	Fastest *float64 `json:"fastest,omitempty" jsonschema:"processes with the least time, where the interval at four times as many lies above it"`
	Others  string   `json:"sizes,omitempty" jsonschema:"the other parameters"`
	UpTo    float64  `json:"up_to" jsonschema:"processes up to which it was looked"`
}

// Trust is how far a model reaches.
type Trust struct {
	Callpath string   `json:"callpath"`
	Metric   string   `json:"metric"`
	UpTo     *float64 `json:"up_to,omitempty" jsonschema:"processes up to which the interval's ends are within a factor of two; missing: nowhere past the measured"`
}

// Advice is a further run.
type Advice struct {
	Params    map[string]float64 `json:"params"`
	Narrowing float64            `json:"narrowing" jsonschema:"part of the interval of the whole time at the last point asked for that it is expected to take away"`
}

// HeldOut is a measurement that was left out, and its prediction.
type HeldOut struct {
	Prediction
	Measured float64 `json:"measured"`
	Error    float64 `json:"error" jsonschema:"|value/measured − 1|"`
	Inside   bool    `json:"inside" jsonschema:"measured lies between low and high"`
}

// Curve is a model along the first parameter, for plots.
type Curve struct {
	Callpath, Metric string
	Others           string       // the other parameters, in words
	Measured         [][2]float64 // p, value
	HeldOut          [][2]float64
	End              float64   // value at the end
	P                []float64 // these once it is traced
	Value, Low, High []float64

	trace func(*Curve)
}

// Trace gives the curve with its values, which take some milliseconds.
func (c Curve) Trace() Curve {
	c.trace(&c)
	return c
}

// Curves are the models of the series predicted, along the first parameter at the sizes of the last point asked for.
func (r *Result) Curves() []Curve {
	if r.curves == nil {
		return nil
	}
	return r.curves()
}
