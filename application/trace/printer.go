package trace

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A layout appends the line of an event, or says why its format has none.
type layout func(b []byte, e Event, names *Names) ([]byte, error)

// printer writes text formats. What a format cannot hold it refuses, and does not leave out.
type printer struct {
	regionTable
	format  string
	w       io.Writer
	layout  layout
	marks   bool // the format has names
	buffer  []byte
	written int64
	failed  error
}

// printerBuffer is how many bytes are gathered before they are written. Chosen.
const printerBuffer = 64 << 10

// newPrinter begins a trace in a text format.
func newPrinter(w io.Writer, format string, meta map[string]string) (*printer, error) {
	p := &printer{format: format, w: w, layout: layouts[format], buffer: make([]byte, 0, printerBuffer+maxLine)}
	p.marks = format == "text"
	if p.marks {
		for _, key := range sortedKeys(meta) {
			p.buffer = fmt.Appendf(p.buffer, "# %q: %q\n", key, meta[key])
		}
	}
	return p, nil
}

var layouts = map[string]layout{"lackey": lackeyLine, "din": dinLine, "xdin": xdinLine, "text": textLine}

// Region implements Sink.
func (p *printer) Region(name string) (uint64, error) {
	if err := checkName(name); err != nil {
		return 0, p.fail(err)
	}
	index, _ := p.region(name)
	return uint64(index), nil
}

// Object implements Sink.
func (p *printer) Object(o Object) error {
	if err := checkObject(o); err != nil {
		return p.fail(err)
	}
	if !p.marks {
		return p.fail(fmt.Errorf("the %s format has no objects; write %s", p.format, strings.Join(Complete(), " or ")))
	}
	p.buffer = append(p.buffer, "object "...)
	p.buffer = textName(p.buffer, o.Name)
	p.buffer = fmt.Appendf(p.buffer, " 0x%x %d\n", o.Address, o.Bytes)
	return p.drain(printerBuffer)
}

// Write implements Sink.
func (p *printer) Write(events []Event) error {
	for _, e := range events {
		if p.failed != nil {
			return p.failed
		}
		err := check(e, len(p.names.Regions))
		if err == nil {
			p.buffer, err = p.layout(p.buffer, e, &p.names)
		}
		if err != nil {
			return p.fail(fmt.Errorf("event %d: %w", p.written, err))
		}
		p.written++
		if len(p.buffer) >= printerBuffer {
			if err := p.drain(printerBuffer); err != nil {
				return err
			}
		}
	}
	return p.failed
}

// Close implements Sink.
func (p *printer) Close() error { return p.drain(0) }

func (p *printer) fail(err error) error {
	if p.failed == nil {
		p.failed = err
	}
	return p.failed
}

// drain writes the buffer where it holds at least so much.
func (p *printer) drain(least int) error {
	if p.failed != nil || len(p.buffer) < least {
		return p.failed
	}
	if _, err := p.w.Write(p.buffer); err != nil {
		return p.fail(err)
	}
	p.buffer = p.buffer[:0]
	return nil
}

// only refuses what a format of accesses of one thread cannot hold.
func only(format string, e Event) error {
	if e.Kind > Fetch {
		return fmt.Errorf("the %s format has no regions and barriers; write %s", format, strings.Join(Complete(), " or "))
	}
	if e.Thread != 0 {
		return fmt.Errorf("the %s format has no threads, and this is of thread %d; write %s", format, e.Thread, strings.Join(Complete(), " or "))
	}
	return nil
}

// lackeyLine writes an access as valgrind's lackey does.
func lackeyLine(b []byte, e Event, _ *Names) ([]byte, error) {
	if err := only("lackey", e); err != nil {
		return b, err
	}
	b = append(b, [...]string{Read: " L ", Write: " S ", Fetch: "I  "}[e.Kind]...)
	// At least 8 digits, as valgrind writes them.
	for limit := uint64(1 << 28); limit > max(e.Address, 1); limit >>= 4 {
		b = append(b, '0')
	}
	b = strconv.AppendUint(b, e.Address, 16)
	b = append(b, ',')
	b = strconv.AppendUint(b, uint64(e.Size), 10)
	return append(b, '\n'), nil
}

// dinLine writes an access as Dinero's din format has it.
func dinLine(b []byte, e Event, _ *Names) ([]byte, error) {
	if err := only("din", e); err != nil {
		return b, err
	}
	if e.Size != dinWord || e.Address%dinWord != 0 {
		return b, fmt.Errorf("the din format has aligned accesses of %d bytes only, and this is of %d at %#x; write xdin",
			dinWord, e.Size, e.Address)
	}
	b = append(b, "012"[e.Kind], ' ')
	b = strconv.AppendUint(b, e.Address, 16)
	return append(b, '\n'), nil
}

// xdinLine writes an access as Dinero's xdin format has it.
func xdinLine(b []byte, e Event, _ *Names) ([]byte, error) {
	if err := only("xdin", e); err != nil {
		return b, err
	}
	b = append(b, "rwi"[e.Kind], ' ')
	b = strconv.AppendUint(b, e.Address, 16)
	b = append(b, ' ')
	b = strconv.AppendUint(b, uint64(e.Size), 16)
	return append(b, '\n'), nil
}

// textLine writes an event in our own text format.
func textLine(b []byte, e Event, names *Names) ([]byte, error) {
	b = strconv.AppendUint(b, uint64(e.Thread), 10)
	switch e.Kind {
	case Enter, Leave:
		b = append(b, [...]string{Enter: " region ", Leave: " end "}[e.Kind]...)
		b = textName(b, names.Regions[e.Address])
		return append(b, '\n'), nil
	case Barrier:
		return append(b, " barrier\n"...), nil
	}
	b = append(b, ' ', "rwf"[e.Kind], ' ', '0', 'x')
	b = strconv.AppendUint(b, e.Address, 16)
	b = append(b, ' ')
	b = strconv.AppendUint(b, uint64(e.Size), 10)
	return append(b, '\n'), nil
}

// sortedKeys gives the keys of what a trace says of itself, in the order in which they are written.
func sortedKeys(meta map[string]string) []string {
	keys := make([]string, 0, len(meta))
	for key := range meta {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
