package extrap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// IsJSON tells one JSON value that holds measurements.
func IsJSON(head []byte) bool {
	if !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return false
	}
	for _, word := range []string{`"measurements"`, `"coordinates"`, `"callpaths"`} {
		if bytes.Contains(head, []byte(word)) {
			return true
		}
	}
	return false
}

// ReadJSON reads both of Extra-P's JSON layouts: lists of things with ids, or measurements by callpath,
// metric and point.
func ReadJSON(in *input.Lines) (*counters.Set, error) {
	text, err := in.All()
	if err != nil {
		return nil, err
	}
	top, err := input.Members(text)
	if err != nil {
		return nil, input.JSONFault(in.Name, text, err)
	}
	set := new(counters.Set)
	for _, m := range top {
		if m.Name == "measurements" && bytes.HasPrefix(m.Value, []byte("{")) {
			err = readNested(set, text)
			return set, placed(in.Name, err)
		}
	}
	return set, placed(in.Name, readByID(set, text))
}

// placed puts the name of the file before an error, which tells the place in the JSON.
func placed(name string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readNested reads the newer layout, in which measurements lie by callpath and metric.
func readNested(set *counters.Set, text []byte) error {
	var top struct {
		Parameters   []string        `json:"parameters"`
		Measurements json.RawMessage `json:"measurements"`
	}
	if err := json.Unmarshal(text, &top); err != nil {
		return fmt.Errorf("parameters: a list of names must stand here: %w", err)
	}
	if err := nameParameters(set, top.Parameters); err != nil {
		return err
	}
	callpaths, err := input.Members(top.Measurements)
	if err != nil {
		return fmt.Errorf("measurements: %w", err)
	}
	for _, callpath := range callpaths {
		metrics, err := input.Members(callpath.Value)
		if err != nil {
			return fmt.Errorf("measurements.%s: %w", callpath.Name, err)
		}
		for _, metric := range metrics {
			if err := nestedPoints(set, callpath.Name, metric); err != nil {
				return fmt.Errorf("measurements.%s.%s%w", callpath.Name, metric.Name, err)
			}
		}
	}
	return nil
}

// nestedPoints reads the points of a metric.
func nestedPoints(set *counters.Set, callpath string, metric input.Member) error {
	var points []struct {
		Point  json.RawMessage `json:"point"`
		Values json.RawMessage `json:"values"`
	}
	if err := json.Unmarshal(metric.Value, &points); err != nil {
		return fmt.Errorf(": a list of {point, values} must stand here: %w", err)
	}
	for i, p := range points {
		at, err := input.Floats(p.Point)
		if err != nil {
			return fmt.Errorf("[%d].point: %w", i, err)
		}
		if len(at) != len(set.Parameters) {
			return fmt.Errorf("[%d].point: it has %d values; there are %d parameters", i, len(at), len(set.Parameters))
		}
		values, err := input.Floats(p.Values)
		if err != nil {
			return fmt.Errorf("[%d].values: %w", i, err)
		}
		if err := set.Add(pointMap(set.Parameters, at), callpath, metric.Name, values...); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

// nameParameters gives the set its parameters.
func nameParameters(s *counters.Set, parameters []string) error {
	if len(parameters) == 0 {
		return errors.New("parameters: there is none; a series needs one at least, for instance p")
	}
	for i, name := range parameters {
		if slices.Contains(parameters[:i], name) {
			return fmt.Errorf("parameters[%d]: %s is there twice; give it another name", i, name)
		}
	}
	s.Parameters = parameters
	return nil
}

// named is a name by its number.
type named struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// byID is the older layout. Before callpaths it had regions.
type byID struct {
	Parameters  []named `json:"parameters"`
	Metrics     []named `json:"metrics"`
	Callpaths   []named `json:"callpaths"`
	Regions     []named `json:"regions"`
	Coordinates []struct {
		ID    int `json:"id"`
		Pairs []struct {
			Parameter int      `json:"parameter_id"`
			Value     *float64 `json:"parameter_value"`
		} `json:"parameter_value_pairs"`
	} `json:"coordinates"`
	Measurements []measurementByID `json:"measurements"`
}

// measurementByID is one of the older layout, which names everything by number.
type measurementByID struct {
	Callpath   *int            `json:"callpath_id"`
	Region     *int            `json:"region_id"`
	Metric     int             `json:"metric_id"`
	Coordinate int             `json:"coordinate_id"`
	Value      json.RawMessage `json:"value"`
}

// readByID reads the older layout.
func readByID(set *counters.Set, text []byte) error {
	var file byID
	if err := json.Unmarshal(text, &file); err != nil {
		return fmt.Errorf("the JSON has another layout than Extra-P's; write it with Extra-P or as JSON Lines: %w", err)
	}
	var parameters []string
	for _, p := range file.Parameters {
		parameters = append(parameters, p.Name)
	}
	if err := nameParameters(set, parameters); err != nil {
		return err
	}
	points, err := file.points()
	if err != nil {
		return err
	}
	callpaths, metrics := names(append(file.Callpaths, file.Regions...)), names(file.Metrics)
	for i, m := range file.Measurements {
		if err := addByID(set, m, callpaths, metrics, points); err != nil {
			return fmt.Errorf("measurements[%d]: %w", i, err)
		}
	}
	return nil
}

// addByID adds a measurement, whose callpath, metric and coordinate are looked up by number.
func addByID(set *counters.Set, m measurementByID, callpaths, metrics map[int]string, points map[int]map[string]float64) error {
	id := m.Callpath
	if id == nil {
		id = m.Region
	}
	if id == nil {
		return errors.New("callpath_id is missing; add it")
	}
	callpath, known := callpaths[*id]
	if !known {
		return fmt.Errorf("no callpath has the id %d; add it to callpaths", *id)
	}
	metric, known := metrics[m.Metric]
	if !known {
		return fmt.Errorf("no metric has the id %d; add it to metrics", m.Metric)
	}
	at, known := points[m.Coordinate]
	if !known {
		return fmt.Errorf("no coordinate has the id %d; add it to coordinates", m.Coordinate)
	}
	values, err := input.Floats(m.Value)
	if err != nil {
		return fmt.Errorf("value: %w", err)
	}
	return set.Add(at, callpath, metric, values...)
}

// names are the names of parameters, metrics or callpaths by their number.
func names(all []named) map[int]string {
	m := make(map[int]string, len(all))
	for _, n := range all {
		m[n.ID] = n.Name
	}
	return m
}

// points are the coordinates by their number, each as the values by the names of the parameters.
func (f *byID) points() (map[int]map[string]float64, error) {
	parameters := names(f.Parameters)
	points := make(map[int]map[string]float64, len(f.Coordinates))
	for i, c := range f.Coordinates {
		at := make(map[string]float64, len(c.Pairs))
		for _, pair := range c.Pairs {
			name, known := parameters[pair.Parameter]
			if !known {
				return nil, fmt.Errorf("coordinates[%d]: no parameter has the id %d; add it to parameters", i, pair.Parameter)
			}
			if pair.Value == nil {
				return nil, fmt.Errorf("coordinates[%d]: parameter %s has no value; add parameter_value", i, name)
			}
			at[name] = *pair.Value
		}
		points[c.ID] = at
	}
	return points, nil
}
