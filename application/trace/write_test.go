package trace_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"foresee/application/trace"
	"foresee/internal/tracetest"
)

// What a format can hold comes back as it was written.
func TestPrintedRoundTrip(t *testing.T) {
	for _, format := range []string{"text", "lackey", "din", "xdin"} {
		t.Run(format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				var names trace.Names
				if format == "text" {
					names = anyNames(t)
				}
				events := fit(format, anyEvents(t, len(names.Regions)))
				content, err := write(format, events, names, map[string]string{"command": "a\nb"})
				if err != nil {
					t.Fatal(err)
				}
				got, r, err := read(content, trace.Options{Format: format}, 7)
				if err != nil && len(events) > 0 {
					t.Fatal(err)
				}
				if err == nil && (!sameEvents(named(events, names), named(got, *r.Names()))) {
					t.Fatalf("-want +got\n%s", cmp.Diff(events, got))
				}
				if err == nil && format == "text" && cmp.Diff(names.Objects, r.Names().Objects) != "" {
					t.Fatalf("objects %v, want %v", r.Names().Objects, names.Objects)
				}
			})
		})
	}
}

// fit makes events such that the format can hold them.
func fit(format string, events []trace.Event) []trace.Event {
	if format == "text" {
		return events
	}
	var fitting []trace.Event
	for _, e := range events {
		if e.Kind > trace.Fetch {
			continue
		}
		e.Thread = 0
		if format == "din" {
			e.Size, e.Address = 4, e.Address&^3
		}
		fitting = append(fitting, e)
	}
	return fitting
}

// named replaces the numbers of regions, which the text format gives in order of appearance, by their names' hashes.
func named(events []trace.Event, names trace.Names) []trace.Event {
	events = append([]trace.Event(nil), events...)
	for i, e := range events {
		if e.Kind == trace.Enter || e.Kind == trace.Leave {
			events[i].Address = 0
			for _, r := range names.Regions[e.Address] {
				events[i].Address = events[i].Address*1000003 + uint64(r)
			}
		}
	}
	return events
}

func TestWriteErrors(t *testing.T) {
	for _, test := range []struct {
		format string
		event  trace.Event
		want   string
	}{
		{"native", trace.Event{}, "event 0: an access of 0 bytes at 0x0"},
		{"native", trace.Event{Kind: 9, Size: 1}, "event 0: kind 9 is unknown"},
		{"native", trace.Event{Kind: trace.Enter}, "event 0: region 0 of 0"},
		{"native", trace.Event{Kind: trace.Barrier, Address: 4}, "event 0: a barrier with address 0x4"},
		{"native", trace.Event{Kind: trace.Barrier, Size: 4}, "event 0: a mark of 4 bytes"},
		{"text", trace.Event{Address: ^uint64(0), Size: 2}, "event 0: 2 bytes at 0xffffffffffffffff reach past the last address"},
		{"lackey", trace.Event{Size: 1, Thread: 3}, "event 0: the lackey format has no threads, and this is of thread 3; write native or text"},
		{"xdin", trace.Event{Kind: trace.Barrier}, "event 0: the xdin format has no regions and barriers; write native or text"},
		{
			"din",
			trace.Event{Address: 3, Size: 4},
			"event 0: the din format has aligned accesses of 4 bytes only, and this is of 4 at 0x3; write xdin",
		},
	} {
		var b strings.Builder
		w, err := trace.Create(&b, test.format, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write([]trace.Event{test.event}); err == nil || err.Error() != test.want {
			t.Errorf("%s %v: got %v, want %s", test.format, test.event, err, test.want)
		}
		if w.Close() == nil {
			t.Errorf("%s: an error is forgotten", test.format)
		}
	}
	if _, err := trace.Create(nil, "drmemtrace", nil); err == nil {
		t.Error("drmemtrace can be written")
	}
}

type full struct{ left int }

func (w *full) Write(p []byte) (int, error) {
	w.left -= len(p)
	if w.left < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

func TestWriteFails(t *testing.T) {
	for _, format := range trace.Writable() {
		for _, room := range []int{0, 100, 2000} {
			w, err := trace.Create(&full{room}, format, nil)
			if err == nil {
				_, err = trace.Copy(w, tracetest.Slice(fit(format, many()), trace.Names{}))
			}
			if err == nil {
				err = w.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "the disk is full") {
				t.Errorf("%s with room for %d: %v", format, room, err)
			}
		}
	}
}

// Copy renumbers regions that the sink knows already.
func TestCopy(t *testing.T) {
	var b strings.Builder
	w, err := trace.NewWriter(&b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Region("first"); err != nil {
		t.Fatal(err)
	}
	src := tracetest.Slice([]trace.Event{{Kind: trace.Enter}, {Kind: trace.Leave}}, trace.Names{Regions: []string{"second"}})
	if n, err := trace.Copy(w, src); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, _, err := read([]byte(b.String()), trace.Options{}, 5)
	want := []trace.Event{{Address: 1, Kind: trace.Enter}, {Address: 1, Kind: trace.Leave}}
	if err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v, %v", got, err)
	}
}

// What was cut off says so where its format can, and gives back what is whole.
func TestCutOff(t *testing.T) {
	events := []trace.Event{{Kind: trace.Read, Address: 0x1000, Size: 4}, {Kind: trace.Write, Address: 0x1040, Size: 4}}
	for _, format := range trace.Writable() {
		var content bytes.Buffer
		sink, err := trace.Create(&content, format, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(sink.Write(events), trace.CutOff(sink)); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		got, r, err := read(content.Bytes(), trace.Options{Format: format, Partial: true}, 7)
		if err != nil || !sameEvents(events, got) {
			t.Errorf("%s: %v, %v", format, got, err)
		}
		if remark := strings.Contains(content.String(), "cut off"); remark != (format == "text" || format == "lackey") {
			t.Errorf("%s: remark %v", format, remark)
		}
		if damaged := r.Damage() != nil; damaged != (format == "native") {
			t.Errorf("%s: damaged %v", format, damaged)
		}
	}
}
