package trace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foresee/application/trace"
)

// The events of the files in testdata, written by hand from their lines.
var golden = map[string]struct {
	events  []trace.Event
	names   trace.Names
	ignored int64
}{
	"lackey": {
		events: []trace.Event{
			{Address: 0x0401ab70, Size: 3, Kind: trace.Fetch},
			{Address: 0x1fff000758, Size: 8, Kind: trace.Write},
			{Address: 0x04a18de0, Size: 8},
			{Address: 0x1fff000750, Size: 4},
			{Address: 0x1fff000750, Size: 4, Kind: trace.Write},
		},
		ignored: 7,
	},
	"din": {events: []trace.Event{
		{Address: 0, Size: 4, Kind: trace.Fetch},
		{Address: 0x1000, Size: 4},
		{Address: 0x70f60888, Size: 4},
		{Address: 0x2cb4, Size: 4, Kind: trace.Fetch},
		{Address: 0x70f60890, Size: 4, Kind: trace.Write},
	}},
	"xdin": {
		events: []trace.Event{
			{Address: 0x401000, Size: 4, Kind: trace.Fetch},
			{Address: 0x7fff0010, Size: 8},
			{Address: 0x7fff0018, Size: 16, Kind: trace.Write},
			{Address: 0x1000, Size: 1},
		},
		ignored: 1,
	},
	"text": {
		events: []trace.Event{
			{Kind: trace.Enter},
			{Address: 0x1000, Size: 8, Kind: trace.Write},
			{Kind: trace.Leave},
			{Address: 1, Kind: trace.Enter},
			{Address: 0x1000, Size: 8},
			{Address: 4104, Size: 4},
			{Address: 0x2000, Size: 16, Thread: 3, Kind: trace.Write},
			{Address: 0x400000, Size: 3, Thread: 3, Kind: trace.Fetch},
			{Address: 1, Kind: trace.Leave},
			{Thread: 1, Kind: trace.Barrier},
		},
		names: trace.Names{
			Regions: []string{"init", "main loop"},
			Objects: []trace.Object{{Name: "A", Address: 0x1000, Bytes: 64}, {Name: "B of two", Address: 8192, Bytes: 64}},
		},
	},
	"drmemtrace": {
		events: []trace.Event{
			{Address: 0x404a7e, Size: 5, Kind: trace.Fetch},
			{Address: 0x7fdf64e2adc8, Size: 8},
			{Address: 0x404a88, Size: 9, Kind: trace.Fetch},
			{Address: 0x7ffd90c13950, Size: 8, Thread: 1, Kind: trace.Write},
			{Address: 0x7ffd51ace110, Size: 8, Thread: 2},
			{Address: 0x2345, Size: 16, Thread: 3, Kind: trace.Write},
		},
		ignored: 9,
	},
}

func file(t testing.TB, format string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", format+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// read gives what a trace holds, in batches of a few events.
func read(content []byte, o trace.Options, batch int) ([]trace.Event, *trace.Reader, error) {
	r, err := trace.Open(bytes.NewReader(content), o)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = r.Close() }()
	var all []trace.Event
	events := make([]trace.Event, batch)
	for {
		n, err := r.Read(events)
		all = append(all, events[:n]...)
		if err != nil {
			if err.Error() == "EOF" && n == 0 {
				err = nil
			}
			return all, r, err
		}
	}
}

func TestGolden(t *testing.T) {
	for format, want := range golden {
		t.Run(format, func(t *testing.T) {
			content := file(t, format)
			for _, batch := range []int{1, 2, 1000} {
				got, r, err := read(content, trace.Options{}, batch)
				if err != nil {
					t.Fatal(err)
				}
				if r.Format() != format {
					t.Errorf("told as %q", r.Format())
				}
				if diff := cmp.Diff(want.events, got); diff != "" {
					t.Errorf("batches of %d: -want +got\n%s", batch, diff)
				}
				if diff := cmp.Diff(want.names, *r.Names()); diff != "" {
					t.Errorf("names: -want +got\n%s", diff)
				}
				if r.Ignored() != want.ignored {
					t.Errorf("%d lines ignored, want %d", r.Ignored(), want.ignored)
				}
			}
		})
	}
}

func TestSkipFetches(t *testing.T) {
	for format, want := range golden {
		var events []trace.Event
		for _, e := range want.events {
			if e.Kind != trace.Fetch {
				events = append(events, e)
			}
		}
		for _, content := range [][]byte{file(t, format), native(t, want.events, want.names)} {
			got, _, err := read(content, trace.Options{SkipFetches: true}, 3)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(events, got); diff != "" {
				t.Errorf("%s: -want +got\n%s", format, diff)
			}
		}
	}
}

func TestLineEnds(t *testing.T) {
	for format, want := range golden {
		if format == "drmemtrace" {
			continue // it ends in lines that are ignored
		}
		content := bytes.TrimSuffix(bytes.ReplaceAll(file(t, format), []byte("\n"), []byte("\r\n")), []byte("\r\n"))
		got, _, err := read(content, trace.Options{}, 100)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.events, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", format, diff)
		}
	}
}

func TestTextErrors(t *testing.T) {
	const wantText = "; expected [thread] r|w address [size], region NAME, end, barrier, or object NAME address bytes"
	for _, test := range []struct{ format, content, want string }{
		{"text", "r 0x10\nx 0x40\n", `line 2: "x 0x40" is not an access` + wantText},
		{"text", "\n\nr 7fff\n", `line 3: "r 7fff" is not an access` + wantText + " (a hexadecimal number begins with 0x)"},
		{"text", "65536 r 0x10\n", "line 1: thread 65536; threads count from 0 to 65535"},
		{"text", "r 0x10 0\n", "line 1: an access of 0 bytes; every access has at least 1 byte"},
		{"text", "r 0x10 4294967296\n", "line 1: an access of 4294967296 bytes; at most 1048576 are possible"},
		{"text", "r 0xffffffffffffffff 2", "line 1: 2 bytes at 0xffffffffffffffff reach past the last address"},
		{"text", "r 0x1ffffffffffffffff 2", `line 1: "r 0x1ffffffffffffffff 2" is not an access` + wantText},
		{"text", "r 18446744073709551616", `line 1: "r 18446744073709551616" is not an access` + wantText},
		{"text", "r 0x10 8 9", `line 1: "r 0x10 8 9" is not an access` + wantText},
		{"text", "2 end", "line 1: end, but thread 2 is in no region; begin it with region NAME"},
		{"text", "object A 1 0", `line 1: object "A" of 0 bytes`},
		{"text", "object A 0xffffffffffffffff 2", `line 1: object "A" reaches past the last address`},
		{"text", "object A x 0", `line 1: object "A" has no address and number of bytes` + wantText},
		{"text", `region ""`, "line 1: a name is empty"},
		{"text", "region a b", `line 1: "region a b" is not an access` + wantText},
		{"text", `region "a`, `line 1: "region \"a" is not an access` + wantText},
		{
			"lackey", "==1== Lackey, an example Valgrind tool\n",
			"no line is an access; run valgrind with --tool=lackey --trace-mem=yes, and keep its standard error",
		},
		{"lackey", " L 10,0\n", "line 1: an access of 0 bytes; every access has at least 1 byte"},
		{"lackey", " L 10,1\nx\n L ffffffffffffffff,2\n", "line 3: 2 bytes at 0xffffffffffffffff reach past the last address"},
		{
			"din", "0 10\n3 10\n", "line 2: label 3 is an escape record, which the versions of Dinero do not agree about; " +
				"take such lines out: only 0, 1 and 2 (read, write, fetch) are accesses",
		},
		{
			"din", "0 10\n0\n", `line 2: "0" is not an access; expected 0, 1 or 2 (read, write, fetch) and a hexadecimal ` +
				"address of at most 64 bits",
		},
		{"xdin", "r abc 8\nr abc\n", `line 2: "r abc" is not an access; expected r, w, i, m, c or v, an address and a size, both hexadecimal`},
		{"xdin", "r abc 0\n", "line 1: an access of 0 bytes; every access has at least 1 byte"},
		{
			"drmemtrace", "1 0: 7 read 8 byte(s) @ 0xg\n",
			`line 1: "1 0: 7 read 8 byte(s) @ 0xg" is not an access; expected THREAD read|write|ifetch BYTES byte(s) @ 0xADDRESS`,
		},
		{
			"drmemtrace", "nothing\n",
			"no line is an access; print the trace with drrun -t drmemtrace -tool view, and keep its standard error",
		},
		{"text", "r " + strings.Repeat(" ", 300<<10), "line 1: a line longer than 262144 bytes: this is no trace"},
		{"", "int x;\n", "this is no trace of a known format; name its format if it is one of native, text, lackey, drmemtrace, din and xdin"},
		{"", "", "the trace is empty"},
		{"pin", "", `the trace format "pin" is unknown; known are native, text, lackey, drmemtrace, din and xdin`},
	} {
		_, _, err := read([]byte(test.content), trace.Options{Format: test.format}, 10)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s %.40q:\n got %v\nwant %s", test.format, test.content, err, test.want)
		}
	}
}

func TestTextPartial(t *testing.T) {
	events, r, err := read([]byte("r 0x10\nr 0x20\nx\nr 0x30\n"), trace.Options{Partial: true}, 10)
	if err != nil || len(events) != 2 || r.Damage() == nil {
		t.Errorf("%d events, %v, damage %v", len(events), err, r.Damage())
	}
}

func TestManyThreads(t *testing.T) {
	var b strings.Builder
	for i := range 65537 {
		b.WriteString("1 1: ")
		b.WriteString(strings.Repeat("1", 1+i%2))
		for bit := range 17 {
			b.WriteByte("01"[i>>bit&1])
		}
		b.WriteString(" read 8 byte(s) @ 0x10 by PC 0x1\n")
	}
	events, _, err := read([]byte(b.String()), trace.Options{}, 1000)
	if len(events) != 65536 || err == nil || !strings.HasPrefix(err.Error(), "line 65537: ") {
		t.Errorf("%d events, %v", len(events), err)
	}
}

// TestLargestAccess refuses accesses that would stand for gigabytes of references.
func TestLargestAccess(t *testing.T) {
	for content, ok := range map[string]bool{" L 1000,1048576\n": true, " L 1000,1048577\n": false, " L 0,4294967295\n": false} {
		if _, _, err := read([]byte(content), trace.Options{Format: "lackey"}, 4); (err == nil) != ok {
			t.Errorf("%q: %v", content, err)
		}
	}
}
