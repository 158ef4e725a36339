package trace

import (
	"errors"
	"fmt"
	"io"
)

// Sink takes events and writes them in one of the formats.
type Sink interface {
	// Region gives the Address of Enter and Leave events of a region; the same for the same name.
	Region(name string) (uint64, error)
	Object(o Object) error
	Write(events []Event) error
	// Close writes what is left; it does not close the writer below.
	Close() error
}

// formats are what is known of each format, in the order in which they are told to the user; docs/formats.md has the same table.
var formats = []struct {
	name           string
	threads, marks bool // whether it tells threads apart, and has regions, barriers and objects
	written        bool // by Create
}{
	{"native", true, true, true},
	{"text", true, true, true},
	{"lackey", false, false, true},
	{"drmemtrace", true, false, false},
	{"din", false, false, true},
	{"xdin", false, false, true},
}

// Formats are those that Open reads.
func Formats() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Writable are the formats that Create can write.
func Writable() (names []string) {
	for _, f := range formats {
		if f.written {
			names = append(names, f.name)
		}
	}
	return names
}

// Complete are the Writable formats that hold all that a trace has: threads, regions, barriers and objects.
func Complete() (names []string) {
	for _, f := range formats {
		if f.written && f.threads && f.marks {
			names = append(names, f.name)
		}
	}
	return names
}

// Create begins a trace in one of the Writable formats. The native format keeps meta, which says what the trace is of,
// the text format shows it in comments, and the others leave it out. Everything else that a format cannot hold is an
// error.
func Create(w io.Writer, format string, meta map[string]string) (Sink, error) {
	if format == "native" {
		return NewWriter(w, meta)
	}
	if layouts[format] == nil {
		return nil, fmt.Errorf("traces are not written in the format %q; known are %s", format, list(Writable()))
	}
	return newPrinter(w, format, meta)
}

// CutOff writes what is left of a trace that does not come to its end, instead of Close, and says so in it, where the format can:
// the native one lacks its end, text and lackey have a remark.
func CutOff(s Sink) error {
	switch s := s.(type) {
	case *Writer:
		return s.flush()
	case *printer:
		switch s.format {
		case "text":
			s.buffer = append(s.buffer, "# cut off: the run went on\n"...)
		case "lackey":
			s.buffer = append(s.buffer, "==0== cut off: the run went on\n"...)
		}
	}
	return s.Close()
}

// copyBatch is how many events Copy takes at once; chosen: more make it no faster.
const copyBatch = 4096

// Copy writes all events and names of src, and gives how many events. It does not close dst.
func Copy(dst Sink, src Source) (int64, error) {
	var regions []uint64 // of dst, for each of src
	var objects int
	var total int64
	events := make([]Event, copyBatch)
	for {
		n, err := src.Read(events)
		names := src.Names()
		for _, name := range names.Regions[len(regions):] {
			region, err := dst.Region(name)
			if err != nil {
				return total, err
			}
			regions = append(regions, region)
		}
		for ; objects < len(names.Objects); objects++ {
			if err := dst.Object(names.Objects[objects]); err != nil {
				return total, err
			}
		}
		for i := range events[:n] {
			if e := &events[i]; e.Kind == Enter || e.Kind == Leave {
				if e.Address >= uint64(len(regions)) {
					return total, fmt.Errorf("event %d is of region %d of %d", total+int64(i), e.Address, len(regions))
				}
				e.Address = regions[e.Address]
			}
		}
		if err := dst.Write(events[:n]); err != nil {
			return total, err
		}
		total += int64(n)
		if errors.Is(err, io.EOF) {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}
