package extrap

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// Names and marks of an experiment of Extra-P 4: an archive of zip with JSON and, where the repetitions were kept, arrays of numbers.
//
// Source: the experiments that Extra-P 4.0 to 4.2 wrote, and its documentation of the file menu.
const (
	experimentFile = "experiment.json"
	valuesMark     = "Extra-P VALUES\x00\x00"
	indexMark      = "Extra-P INDEX\x00\x00\x00"
	npyMark        = "\x93NUMPY"
)

// largestMember is the most bytes of a member of the archive once unpacked, and of all of them together. Chosen: as much as one JSON value may have.
const largestMember = 128 << 20

// IsArchive tells an archive of zip whose first member is one of Extra-P's.
func IsArchive(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) && (bytes.Contains(head, []byte(experimentFile)) || bytes.Contains(head, []byte("values/")))
}

// archive is an experiment of Extra-P 4.
type archive struct {
	members map[string]*zip.File
	left    int64             // bytes that may still be unpacked
	read    map[string][]byte // members that were unpacked
}

// ReadArchive reads the measurements of an experiment that Extra-P 4 saved (.extra-p): all repetitions where they were kept, else their median. Models
// in it are left out.
func ReadArchive(in *input.Lines) (*counters.Set, error) {
	text, err := in.All()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: the archive is cut off or broken; save the experiment again with Extra-P: %w", in.Name, err)
	}
	a := &archive{members: map[string]*zip.File{}, left: largestMember, read: map[string][]byte{}}
	for _, f := range z.File {
		a.members[f.Name] = f
	}
	content, err := a.member(experimentFile)
	if err != nil {
		return nil, placed(in.Name, err)
	}
	set := new(counters.Set)
	return set, placed(in.Name, a.experiment(set, content))
}

// member unpacks a member, once.
func (a *archive) member(name string) ([]byte, error) {
	if content, there := a.read[name]; there {
		return content, nil
	}
	f := a.members[name]
	if f == nil {
		return nil, fmt.Errorf("the archive has no %s; save the experiment again with Extra-P", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: unpacking: %w", name, err)
	}
	defer r.Close()
	content, err := io.ReadAll(io.LimitReader(r, a.left+1))
	if err != nil {
		return nil, fmt.Errorf("%s: unpacking: %w; the archive is cut off or broken, save the experiment again", name, err)
	}
	if a.left -= int64(len(content)); a.left < 0 {
		return nil, fmt.Errorf("%s: the archive holds more than %d MiB; save fewer measurements, or write them as JSON Lines", name, largestMember>>20)
	}
	a.read[name] = content
	return content, nil
}

// experiment reads the JSON of the archive.
func (a *archive) experiment(set *counters.Set, text []byte) error {
	var top struct {
		Parameters   []string        `json:"parameters"`
		Measurements json.RawMessage `json:"measurements"`
	}
	if err := json.Unmarshal(text, &top); err != nil {
		return input.JSONFault(experimentFile, text, err)
	}
	if err := nameParameters(set, top.Parameters); err != nil {
		return fmt.Errorf("%s: %w", experimentFile, err)
	}
	callpaths, err := input.Members(top.Measurements)
	if err != nil {
		return fmt.Errorf("%s: measurements: %w", experimentFile, err)
	}
	for _, callpath := range callpaths {
		metrics, err := input.Members(callpath.Value)
		if err != nil {
			return fmt.Errorf("%s: measurements.%s: %w", experimentFile, callpath.Name, err)
		}
		for _, metric := range metrics {
			if err := a.points(set, callpath.Name, metric); err != nil {
				return fmt.Errorf("%s: measurements.%s.%s%w", experimentFile, callpath.Name, metric.Name, err)
			}
		}
	}
	return nil
}

// points adds the points of a metric of a callpath.
func (a *archive) points(set *counters.Set, callpath string, metric input.Member) error {
	var points []struct {
		Coordinate []float64  `json:"coordinate"`
		Median     *float64   `json:"median"`
		Mean       *float64   `json:"mean"`
		Values     []*float64 `json:"values"`
	}
	if err := json.Unmarshal(metric.Value, &points); err != nil {
		return fmt.Errorf(": a list of {coordinate, median, values} must stand here: %w", err)
	}
	for i, p := range points {
		if len(p.Coordinate) != len(set.Parameters) {
			return fmt.Errorf("[%d].coordinate: it has %d values; there are %d parameters", i, len(p.Coordinate), len(set.Parameters))
		}
		var values []float64
		var err error
		switch {
		case len(p.Values) == 2 && p.Values[0] != nil && p.Values[1] != nil:
			values, err = a.values(*p.Values[0], *p.Values[1])
		case p.Median != nil:
			values = []float64{*p.Median}
		case p.Mean != nil:
			values = []float64{*p.Mean}
		default:
			err = errors.New("neither values nor a median nor a mean is there; save the experiment again with Extra-P")
		}
		if err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
		if err := set.Add(pointMap(set.Parameters, p.Coordinate), callpath, metric.Name, values...); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

// values reads the repetitions that a measurement refers to: array number index of the file number chunk.
func (a *archive) values(chunk, index float64) ([]float64, error) {
	if !(chunk >= 0 && index >= 0) || chunk != math.Trunc(chunk) || index != math.Trunc(index) || chunk > math.MaxInt32 || index > math.MaxInt32 {
		return nil, fmt.Errorf("values [%g, %g]: the number of a file and of an array in it must stand here", chunk, index)
	}
	name := "values/" + strconv.Itoa(int(chunk))
	starts, err := a.member(name + ".indx")
	if err != nil {
		return nil, err
	}
	content, err := a.member(name + ".vals")
	if err != nil {
		return nil, err
	}
	at := len(indexMark) + 8*(1+int(index)) // behind the mark and the number of entries
	if !bytes.HasPrefix(starts, []byte(indexMark)) || !bytes.HasPrefix(content, []byte(valuesMark)) || at+8 > len(starts) {
		return nil, fmt.Errorf("%s: array %d is missing; save the experiment again with Extra-P", name, int(index))
	}
	start := binary.LittleEndian.Uint64(starts[at:])
	// The writer counts from the mark on or behind it, by version; an array begins with its own mark.
	for _, from := range []uint64{start, start + uint64(len(valuesMark))} {
		if from < uint64(len(content)) && bytes.HasPrefix(content[from:], []byte(npyMark)) {
			values, err := numpyArray(content[from:])
			if err != nil {
				return nil, fmt.Errorf("%s.vals: array %d: %w", name, int(index), err)
			}
			return values, nil
		}
	}
	return nil, fmt.Errorf("%s.vals: no array begins at byte %d; save the experiment again with Extra-P", name, start)
}

// Parts of the head of an array: the type of its numbers and its dimensions.
var (
	npyType  = regexp.MustCompile(`'descr': *'([^']*)'`)
	npyShape = regexp.MustCompile(`'shape': *\(([0-9, ]*)\)`)
)

// numpyArray reads the numbers of an array in the format of numpy; the repetitions and the processes of its dimensions are all values of one point.
//
// Source: NEP 1, "A Simple File Format for NumPy Arrays".
func numpyArray(text []byte) ([]float64, error) {
	if len(text) < 10 {
		return nil, errors.New("it is cut off")
	}
	head, start := int(binary.LittleEndian.Uint16(text[8:])), 10
	if text[6] > 1 { // from version 2 on the length has four bytes
		if len(text) < 12 {
			return nil, errors.New("it is cut off")
		}
		head, start = int(binary.LittleEndian.Uint32(text[8:])), 12
	}
	if head > len(text)-start {
		return nil, errors.New("it is cut off")
	}
	kind, shape := npyType.FindSubmatch(text[start:start+head]), npyShape.FindSubmatch(text[start:start+head])
	if kind == nil || shape == nil {
		return nil, errors.New("its head names no type and no dimensions")
	}
	data, n := text[start+head:], 1
	for _, field := range strings.FieldsFunc(string(shape[1]), func(r rune) bool { return r == ',' || r == ' ' }) {
		size, err := strconv.Atoi(field)
		if err != nil || size > len(data) || n*size > len(data) {
			return nil, fmt.Errorf("it has fewer numbers than its dimensions (%s) say", shape[1])
		}
		n *= size
	}
	number := npyNumber(string(kind[1]))
	if number == nil {
		return nil, fmt.Errorf("its numbers are of type %s; float64 and int64 are read", input.Quote(string(kind[1])))
	}
	if 8*n > len(data) {
		return nil, fmt.Errorf("it has fewer numbers than its dimensions (%s) say", shape[1])
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = number(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return values, nil
}

// npyNumber reads the eight bytes of a number of a type; nil where the type is another one.
func npyNumber(kind string) func(uint64) float64 {
	switch kind {
	case "<f8", "=f8":
		return math.Float64frombits
	case "<i8", "=i8":
		return func(bits uint64) float64 { return float64(int64(bits)) }
	}
	return nil
}
