package extrap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// version3Mark is the name that an experiment of Extra-P 3 begins with, behind two bytes for the order of bytes and four for its length.
const version3Mark = "EXTRAP_EXPERIMENT"

// IsVersion3 tells an experiment of Extra-P 3 by its first string.
func IsVersion3(head []byte) bool {
	return len(head) > 6 && bytes.HasPrefix(head[6:], []byte(version3Mark)) && (bytes.HasPrefix(head, []byte{1, 0}) || bytes.HasPrefix(head, []byte{0, 1}))
}

// experiment3 is the state of a reader of an experiment of Extra-P 3: objects one after the other, each a name and its fields.
//
// Source: experiments that Extra-P 3.0 wrote.
type experiment3 struct {
	text       []byte
	at         int // byte
	order      binary.ByteOrder
	parameters []string
	metrics    []string
	regions    map[int64]string
	named      map[string]int // how often a name came again
	callpaths  map[int64]string
	points     map[int64][]float64
	set        *counters.Set
}

// errEnd is where the file ends within an object.
var errEnd = errors.New("the file ends within it")

// ReadVersion3 reads the measurements of an experiment that Extra-P 3 saved: the median of each point, as it keeps no repetitions. Its models, which
// follow behind, are left out.
func ReadVersion3(in *input.Lines) (*counters.Set, error) {
	text, err := in.All()
	if err != nil {
		return nil, err
	}
	e := &experiment3{
		text: text, order: binary.LittleEndian, set: new(counters.Set),
		regions: map[int64]string{}, named: map[string]int{}, callpaths: map[int64]string{}, points: map[int64][]float64{},
	}
	if bytes.HasPrefix(text, []byte{0, 1}) {
		e.order = binary.BigEndian
	}
	e.at = 2
	for _, what := range []string{"mark", "version"} {
		if _, err := e.name(); err != nil {
			return nil, e.fail(in.Name, 2, what, err)
		}
	}
	for e.at < len(text) {
		start := e.at
		kind, err := e.name()
		if err != nil {
			return nil, e.fail(in.Name, start, "the name of an object", err)
		}
		more, err := e.object(kind)
		if err != nil {
			return nil, e.fail(in.Name, start, kind, err)
		}
		if !more {
			break
		}
	}
	return e.set, nil
}

// fail is an error at a byte.
func (e *experiment3) fail(name string, at int, what string, err error) error {
	return fmt.Errorf("%s: byte %d: %s: %w; save the experiment again with Extra-P", name, at, what, err)
}

// object reads the fields of an object; more is false where no measurement follows.
func (e *experiment3) object(kind string) (more bool, err error) {
	switch kind {
	case "Parameter":
		err = e.parameter()
	case "Metric":
		err = e.metric()
	case "Region":
		err = e.region()
	case "Callpath":
		err = e.callpath()
	case "Coordinate":
		err = e.coordinate()
	case "ModelComment":
		_, _ = e.integer()
		_, err = e.name()
	case "ExperimentPoint":
		err = e.point()
	case "Model", "SingleParameterSimpleModelGenerator", "SingleParameterRefiningModelGenerator", "MultiParameterSimpleModelGenerator", "MultiParameterSparseModelGenerator":
		return e.skipToPoints()
	default:
		err = fmt.Errorf("%s is no object of Extra-P 3", input.Quote(kind))
	}
	return true, err
}

// skipToPoints passes over models and what makes them, whose length varies by version, to the next measurement.
func (e *experiment3) skipToPoints() (bool, error) {
	name := []byte("\x0f\x00\x00\x00ExperimentPoint")
	if e.order == binary.BigEndian {
		name = []byte("\x00\x00\x00\x0fExperimentPoint")
	}
	i := bytes.Index(e.text[e.at:], name)
	if i < 0 {
		return false, nil
	}
	e.at += i
	return true, nil
}

func (e *experiment3) parameter() error {
	if _, err := e.integer(); err != nil {
		return err
	}
	name, err := e.name()
	if err != nil {
		return err
	}
	if slices.Contains(e.parameters, name) || len(e.parameters) == counters.MostParameters {
		return fmt.Errorf("%s is there twice, or there are more than %d", input.Quote(name), counters.MostParameters)
	}
	e.parameters = append(e.parameters, name)
	e.set.Parameters = e.parameters
	return nil
}

func (e *experiment3) metric() error {
	if _, err := e.integer(); err != nil {
		return err
	}
	name, err := e.name()
	if err != nil {
		return err
	}
	e.metrics = append(e.metrics, name)
	_, err = e.name() // its unit
	return err
}

func (e *experiment3) region() error {
	id, err := e.integer()
	if err != nil {
		return err
	}
	name, err := e.name()
	if err != nil {
		return err
	}
	if n, there := e.named[name]; there { // another function of the same name, which Extra-P numbers
		e.named[name] = n + 1
		e.regions[id] = fmt.Sprintf("%s #%d", name, n+1)
	} else {
		e.named[name], e.regions[id] = 0, name
	}
	if _, err := e.name(); err != nil { // the source file
		return err
	}
	_, err = e.integer() // and its line
	return err
}

func (e *experiment3) callpath() error {
	id, err1 := e.integer()
	region, err2 := e.integer()
	parent, err := e.integer()
	if err = errors.Join(err1, err2, err); err != nil {
		return err
	}
	path, known := e.regions[region]
	if !known {
		return fmt.Errorf("no region has the number %d", region)
	}
	if parent != -1 {
		above, known := e.callpaths[parent]
		if !known {
			return fmt.Errorf("no callpath has the number %d", parent)
		}
		path = above + "->" + path
	}
	if len(path) > input.LongestPath {
		return fmt.Errorf("its path is longer than %d bytes", input.LongestPath)
	}
	e.callpaths[id] = path
	return nil
}

func (e *experiment3) coordinate() error {
	id, err1 := e.integer()
	n, err := e.integer()
	if err = errors.Join(err1, err); err != nil {
		return err
	}
	if n != int64(len(e.parameters)) {
		return fmt.Errorf("it has %d values; there are %d parameters", n, len(e.parameters))
	}
	at := make([]float64, n)
	for range n {
		name, err := e.name()
		if err != nil {
			return err
		}
		v, err := e.real()
		if err != nil {
			return err
		}
		i := slices.Index(e.parameters, name)
		if i < 0 {
			return fmt.Errorf("no parameter is called %s", input.Quote(name))
		}
		at[i] = v
	}
	e.points[id] = at
	return nil
}

// point reads a measurement: its coordinate, the number of repetitions, their mean, its interval, deviation, median, its interval, minimum, maximum,
// and metric and callpath.
func (e *experiment3) point() error {
	coordinate, err1 := e.integer()
	_, err2 := e.integer()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	const median = 4
	values := make([]float64, 9)
	for i := range values {
		v, err := e.real()
		if err != nil {
			return err
		}
		values[i] = v
	}
	metric, err1 := e.integer()
	callpath, err2 := e.integer()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	at, known := e.points[coordinate]
	path, named := e.callpaths[callpath]
	if !known || !named || metric < 0 || metric >= int64(len(e.metrics)) {
		return fmt.Errorf("coordinate %d, callpath %d or metric %d is not in the file", coordinate, callpath, metric)
	}
	return e.set.Add(pointMap(e.parameters, at), path, e.metrics[metric], values[median])
}

// bytes takes the next n bytes.
func (e *experiment3) bytes(n int) ([]byte, error) {
	if n > len(e.text)-e.at {
		return nil, errEnd
	}
	e.at += n
	return e.text[e.at-n : e.at], nil
}

// integer reads eight bytes.
func (e *experiment3) integer() (int64, error) {
	b, err := e.bytes(8)
	if err != nil {
		return 0, err
	}
	return int64(e.order.Uint64(b)), nil
}

func (e *experiment3) real() (float64, error) {
	bits, err := e.integer()
	return math.Float64frombits(uint64(bits)), err
}

// name reads a string behind its length.
func (e *experiment3) name() (string, error) {
	b, err := e.bytes(4)
	if err != nil {
		return "", err
	}
	n := e.order.Uint32(b)
	if n > input.LongestPath {
		return "", fmt.Errorf("a name of %d bytes is longer than %d", n, input.LongestPath)
	}
	text, err := e.bytes(int(n))
	return string(bytes.ToValidUTF8(text, []byte("\uFFFD"))), err
}
