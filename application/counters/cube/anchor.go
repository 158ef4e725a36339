package cube

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"foresee/application/counters/input"
)

// anchor is what the XML tells: the metrics, the tree of callpaths, and where it ran.
type anchor struct {
	metrics    []*metric
	regions    map[int]string // names of functions
	cnodes     []cnode        // callers before what they call
	locations  []location     // by ascending number: the order of values
	severities bool           // of CUBE 3, whose values stand in the XML
	matrices   map[int]map[int][]float64
}

// metric is one of the file's.
type metric struct {
	id        int
	parent    int // of CUBE 3's tree; -1 without
	name      string
	dtype     string // "DOUBLE", "UINT64", …
	unit      string // "sec", "occ", "bytes", …
	inclusive bool   // values hold what is called
}

// event is the name of a metric, of times with their unit.
func (m *metric) event() string {
	if m.isTime() {
		return m.name + " [" + m.unit + "]"
	}
	return m.name
}

func (m *metric) isTime() bool { return m.unit == "sec" || m.unit == "s" || m.unit == "seconds" }

// additive says whether the values of a metric add up: smallest and largest values and records of several numbers do not.
func (m *metric) additive() bool { return numberSize(m.dtype) > 0 || m.dtype == "" }

// cnode is a node of the tree of callpaths.
type cnode struct{ id, parent, region int }

// location is a thread of a process.
type location struct{ id, process int }

// severity are the values of a metric of CUBE 3, whose matrices leave out what the metrics below it in the tree hold.
func (a *anchor) severity(m *metric) map[int][]float64 {
	sum := map[int][]float64{}
	for _, other := range a.metrics {
		if !a.within(other, m.id) || other.unit != m.unit {
			continue
		}
		for id, row := range a.matrices[other.id] {
			if sum[id] == nil {
				sum[id] = make([]float64, len(a.locations))
			}
			for i := range min(len(row), len(a.locations)) {
				sum[id][i] += row[i]
			}
		}
	}
	if len(sum) == 0 {
		return nil
	}
	return sum
}

// within says whether a metric is another one or below it.
func (a *anchor) within(m *metric, id int) bool {
	for range a.metrics { // no path is longer than there are metrics
		if m.id == id {
			return true
		}
		i := slices.IndexFunc(a.metrics, func(o *metric) bool { return o.id == m.parent })
		if i < 0 {
			return false
		}
		m = a.metrics[i]
	}
	return false
}

// parser reads the XML as it comes.
type parser struct {
	*anchor
	decoder *xml.Decoder
	above   []*metric // metrics around the place
	callers []int     // cnodes around the place
	process int       // number of the process around the place
	rank    int       // and its rank; -1 until it is known
	inside  []string  // names of the elements around the place
	first   int       // location where the process begins
	matrix  int
	values  int
}

// readAnchor reads the XML of an archive, or of CUBE 3.
func readAnchor(text []byte) (*anchor, error) {
	p := &parser{anchor: &anchor{regions: map[int]string{}, matrices: map[int]map[int][]float64{}}, decoder: xml.NewDecoder(bytes.NewReader(text)), process: -1, rank: -1}
	p.decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // names are read as they are
	for {
		token, err := p.decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = p.token(token)
		}
		if err != nil {
			line, _ := p.decoder.InputPos()
			return nil, fmt.Errorf("line %d of the XML: %w; the file is cut off or broken, write it again", line, err)
		}
	}
	slices.SortStableFunc(p.locations, func(a, b location) int { return a.id - b.id })
	return p.anchor, nil
}

// mostDepth bounds how deep elements may lie in each other. Chosen: a hundred times what Score-P's default of callpaths (30) needs.
const mostDepth = 3000

func (p *parser) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		if len(p.inside) > mostDepth {
			return fmt.Errorf("its elements lie more than %d deep in each other", mostDepth)
		}
		p.inside = append(p.inside, t.Name.Local)
		return p.start(t)
	case xml.EndElement:
		p.inside = p.inside[:max(len(p.inside)-1, 0)]
		p.end(t.Name.Local)
	}
	return nil
}

// start reads an element's attributes, and of small elements their text.
func (p *parser) start(t xml.StartElement) error {
	switch t.Name.Local {
	case "metric":
		m := &metric{id: number(t, "id"), parent: -1, inclusive: attribute(t, "type") == "INCLUSIVE"}
		if len(p.above) > 0 {
			m.parent = p.above[len(p.above)-1].id
		}
		p.metrics, p.above = append(p.metrics, m), append(p.above, m)
	case "region":
		return p.region(number(t, "id"))
	case "cnode":
		c := cnode{id: number(t, "id"), parent: -1, region: number(t, "calleeId")}
		if len(p.callers) > 0 {
			c.parent = p.callers[len(p.callers)-1]
		}
		p.cnodes, p.callers = append(p.cnodes, c), append(p.callers, c.id)
	case "locationgroup", "process":
		p.process, p.rank, p.first = number(t, "Id"), -1, len(p.locations)
	case "location", "thread":
		p.locations = append(p.locations, location{number(t, "Id"), p.process})
	case "severity":
		p.severities = true
	case "matrix":
		p.matrix = number(t, "metricId")
	case "row":
		return p.row(number(t, "cnodeId"))
	case "uniq_name", "dtype", "uom", "rank":
		return p.text(t.Name.Local)
	}
	return nil
}

// end leaves an element.
func (p *parser) end(name string) {
	switch name {
	case "metric":
		p.above = p.above[:max(len(p.above)-1, 0)]
	case "cnode":
		p.callers = p.callers[:max(len(p.callers)-1, 0)]
	case "locationgroup", "process":
		for i := p.first; i < len(p.locations) && p.rank >= 0; i++ {
			p.locations[i].process = p.rank
		}
	}
}

// text reads what stands in an element that holds nothing else.
func (p *parser) text(element string) error {
	text, err := p.content()
	if err != nil {
		return err
	}
	if element == "rank" {
		around := ""
		if len(p.inside) > 0 {
			around = p.inside[len(p.inside)-1]
		}
		if rank, err := strconv.Atoi(text); err == nil && rank >= 0 && (around == "locationgroup" || around == "process") {
			p.rank = rank
		}
		return nil
	}
	if len(p.above) == 0 {
		return nil
	}
	m := p.above[len(p.above)-1]
	switch element {
	case "uniq_name":
		m.name = text
	case "dtype":
		m.dtype = strings.ToUpper(text)
	case "uom":
		m.unit = text
	}
	return nil
}

// content is the text up to the end of the element, which is left.
func (p *parser) content() (string, error) {
	var text strings.Builder
	for depth := 1; depth > 0; {
		token, err := p.decoder.Token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.CharData:
			text.Write(t)
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	p.inside = p.inside[:max(len(p.inside)-1, 0)]
	return strings.TrimSpace(text.String()), nil
}

// region reads a function, of whose parts the name counts.
func (p *parser) region(id int) error {
	var region struct {
		Name string `xml:"name"`
	}
	if err := p.decoder.DecodeElement(&region, &xml.StartElement{Name: xml.Name{Local: "region"}}); err != nil {
		return err
	}
	p.inside = p.inside[:max(len(p.inside)-1, 0)]
	p.regions[id] = strings.TrimSpace(region.Name)
	return nil
}

// row reads the values of a callpath, a line for each location.
func (p *parser) row(id int) error {
	text, err := p.content()
	if err != nil {
		return err
	}
	row, err := input.Numbers(strings.Fields(text))
	if err != nil {
		return fmt.Errorf("values of callpath %d: %w", id, err)
	}
	if p.values += len(row); p.values > mostValues {
		return fmt.Errorf("there are more than %d values", mostValues)
	}
	if p.matrices[p.matrix] == nil {
		p.matrices[p.matrix] = map[int][]float64{}
	}
	p.matrices[p.matrix][id] = row
	return nil
}

// attribute is one of an element's, whatever its case: "Id" and "id".
func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if strings.EqualFold(a.Name.Local, name) {
			return a.Value
		}
	}
	return ""
}

// number is an attribute that is a number; -1 where it is none.
func number(t xml.StartElement, name string) int {
	n, err := strconv.Atoi(attribute(t, name))
	if err != nil || n < 0 {
		return -1
	}
	return n
}
