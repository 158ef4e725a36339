// Package papi reads the JSON that the high-level interface of PAPI writes for each rank: counters by region and thread.
package papi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// Is tells the file by names that only PAPI writes.
func Is(head []byte) bool {
	if !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return false
	}
	return bytes.Contains(head, []byte(`"papi_version"`)) || bytes.Contains(head, []byte(`"event_definitions"`)) ||
		bytes.Contains(head, []byte(`"parent_region_id"`))
}

// papiTime is the event that is a time, in ns; threads run side by side, so that the longest counts.
const papiTime = "real_time_nsec"

// papiRegion is a region of one thread. Its values hold those of the regions inside it.
type papiRegion struct {
	name     string
	path     string // names from the outermost region on, "solve->exchange"
	parentID string // as the file numbers regions; "-1" and "": none
	parent   string // path of the region around; "" of an outermost one
	values   []papiValue
}

// papiValue is the count of an event.
type papiValue struct {
	event string
	value float64
}

// Read reads the file that PAPI's high-level interface writes for a rank. Regions are named by their path,
// "solve->exchange"; values of inner regions are subtracted, and threads are summed.
//
// Source: PAPI's wiki, page PAPI-HL, for PAPI 6.0.1 and newer.
func Read(in *input.Lines) ([]counters.Profile, error) {
	text, err := in.All()
	if err != nil {
		return nil, err
	}
	var file struct {
		Definitions map[string]struct {
			Type string `json:"type"`
		} `json:"event_definitions"`
		Threads json.RawMessage `json:"threads"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, input.JSONFault(in.Name, text, err)
	}
	threads, err := input.Members(file.Threads)
	if err != nil || len(threads) == 0 {
		return nil, fmt.Errorf("%s: threads: an object of threads must stand here; measure with PAPI 6.0.1 or newer", in.Name)
	}
	t := counters.NewTable("papi")
	for _, thread := range threads {
		regions, err := papiRegions(thread.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: threads.%s%w", in.Name, thread.Name, err)
		}
		isDelta := func(event string) bool { return file.Definitions[event].Type != "instant" }
		addThread(t, regions, isDelta)
	}
	if len(threads) > 1 {
		t.Warn("the counts are sums over %d threads; of %s and of states such as temperatures, the largest is taken", len(threads), papiTime)
	}
	if len(t.Functions) == 0 {
		return nil, fmt.Errorf("%s: threads: no thread has a region; put PAPI_hl_region_begin and PAPI_hl_region_end into the program", in.Name)
	}
	return []counters.Profile{t.Done()}, nil
}

// papiRegions reads the regions of a thread, each of which comes after the one around it.
func papiRegions(thread json.RawMessage) ([]papiRegion, error) {
	var regions struct {
		Regions json.RawMessage `json:"regions"`
	}
	if err := json.Unmarshal(thread, &regions); err != nil {
		return nil, fmt.Errorf(": an object with regions must stand here: %w", err)
	}
	all, err := input.Members(regions.Regions)
	if err != nil {
		return nil, fmt.Errorf(".regions: an object of regions must stand here; measure with PAPI 6.0.1 or newer: %w", err)
	}
	var out []papiRegion
	byID := make(map[string]int) // places in out
	for _, m := range all {
		region, err := papiRegionOf(m)
		if err != nil {
			return nil, fmt.Errorf(".regions.%s%w", m.Name, err)
		}
		region.path = region.name
		if at, known := byID[region.parentID]; known {
			region.parent = out[at].path
			region.path = region.parent + "->" + region.name
		} else if region.parentID != "-1" && region.parentID != "" {
			return nil, fmt.Errorf(".regions.%s.parent_region_id: no region before this one has the id %s; the file is incomplete", m.Name, region.parentID)
		}
		if len(region.path) > input.LongestPath {
			return nil, fmt.Errorf(".regions.%s: the names of the regions around it are longer than %d bytes together", m.Name, input.LongestPath)
		}
		byID[m.Name] = len(out)
		out = append(out, region)
	}
	return out, nil
}

// papiRegionOf reads one region with its counts.
func papiRegionOf(m input.Member) (papiRegion, error) {
	var r papiRegion
	entries, err := input.Members(m.Value)
	if err != nil {
		return r, fmt.Errorf(": an object must stand here: %w", err)
	}
	for _, e := range entries {
		switch e.Name {
		case "name":
			if err := json.Unmarshal(e.Value, &r.name); err != nil {
				return r, fmt.Errorf(".name: a string must stand here: %w", err)
			}
		case "parent_region_id":
			r.parentID = strings.Trim(string(e.Value), `"`)
		default:
			v, err := papiNumber(e.Value)
			if err != nil {
				return r, fmt.Errorf(".%s: %w", e.Name, err)
			}
			r.values = append(r.values, papiValue{e.Name, v})
		}
	}
	return r, nil
}

// papiNumber reads "123", or {"region_value":"123","read_1":"7"} where the program read counters inside a region.
func papiNumber(raw json.RawMessage) (float64, error) {
	var reads struct {
		Value json.RawMessage `json:"region_value"`
	}
	if json.Unmarshal(raw, &reads) == nil && len(reads.Value) > 0 {
		raw = reads.Value
	}
	v, err := input.Number(strings.Trim(string(raw), `"`))
	if err != nil {
		return 0, fmt.Errorf("%w; measure again", err)
	}
	return v, nil
}

// addThread adds a thread. What a region's inner regions took is subtracted, except for events that are states, such as temperatures, and not
// differences; of these, and of the time, the largest value of all threads is kept.
func addThread(t *counters.Table, regions []papiRegion, isDelta func(string) bool) {
	own := counters.NewTable("")
	for _, r := range regions {
		own.Row(r.path)
		for _, v := range r.values {
			own.Add(r.path, v.event, v.value)
		}
	}
	for _, r := range regions {
		if r.parent == "" || !own.HasFunction(r.parent) {
			continue
		}
		for _, v := range r.values {
			if isDelta(v.event) && own.Has(r.parent, v.event) {
				own.Add(r.parent, v.event, -v.value)
			}
		}
	}
	for _, f := range own.Done().Functions {
		for i, v := range f.Values {
			if event := own.Events[i]; event == papiTime || !isDelta(event) {
				t.Largest(f.Name, event, v)
			} else {
				t.Add(f.Name, event, v)
			}
		}
	}
}
