package trace_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"foresee/application/trace"
	"foresee/internal/tracetest"
)

// write gives a trace in any format that can be written.
func write(format string, events []trace.Event, names trace.Names, meta map[string]string) ([]byte, error) {
	var b bytes.Buffer
	w, err := trace.Create(&b, format, meta)
	if err != nil {
		return nil, err
	}
	if _, err := trace.Copy(w, tracetest.Slice(events, names)); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

func native(t testing.TB, events []trace.Event, names trace.Names) []byte {
	t.Helper()
	content, err := write("native", events, names, nil)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// anyEvents draws events that are partly regular, of a few threads and slots.
func anyEvents(t *rapid.T, regions int) []trace.Event {
	bases := rapid.SliceOfN(rapid.Uint64(), 1, 5).Draw(t, "bases")
	kinds := []trace.Kind{trace.Read, trace.Write, trace.Fetch, trace.Barrier}
	if regions > 0 {
		kinds = append(kinds, trace.Enter, trace.Leave)
	}
	one := rapid.Custom(func(t *rapid.T) trace.Event {
		e := trace.Event{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		e.Thread = rapid.OneOf(rapid.Just(uint16(0)), rapid.Uint16Range(0, 5), rapid.Uint16()).Draw(t, "thread")
		switch e.Kind {
		case trace.Read, trace.Write, trace.Fetch:
			e.Size = rapid.OneOf(rapid.Just(uint32(8)), rapid.Uint32Range(1, trace.MostAccess)).Draw(t, "size")
			e.Address = rapid.SampledFrom(bases).Draw(t, "base") + rapid.Uint64Range(0, 40).Draw(t, "step")*8
			e.Address = min(e.Address, math.MaxUint64-uint64(e.Size)+1)
		case trace.Enter, trace.Leave:
			e.Address = uint64(rapid.IntRange(0, regions-1).Draw(t, "region"))
		}
		return e
	})
	return rapid.SliceOfN(one, 0, 300).Draw(t, "events")
}

func anyNames(t *rapid.T) trace.Names {
	name := rapid.StringN(1, 10, -1).Filter(func(s string) bool { return strings.ToValidUTF8(s, "") == s })
	n := trace.Names{Regions: rapid.SliceOfNDistinct(name, 0, 5, rapid.ID).Draw(t, "regions")}
	for range rapid.IntRange(0, 3).Draw(t, "objects") {
		n.Objects = append(n.Objects, trace.Object{
			Name: name.Draw(t, "object"), Address: rapid.Uint64Range(0, 1<<63).Draw(t, "address"),
			Bytes: rapid.Uint64Range(1, 1<<63).Draw(t, "bytes"),
		})
	}
	return n
}

func TestNativeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := anyNames(t)
		events := anyEvents(t, len(names.Regions))
		for range rapid.IntRange(0, 3).Draw(t, "doublings") {
			events = append(events, events...)
		}
		meta := rapid.MapOfN(rapid.String(), rapid.String(), 0, 3).Draw(t, "meta")
		content, err := write("native", events, names, meta)
		if err != nil {
			t.Fatal(err)
		}
		again, err := write("native", events, names, meta)
		if err != nil || !bytes.Equal(content, again) {
			t.Fatalf("not the same bytes twice, %v", err)
		}
		got, r, err := read(content, trace.Options{}, rapid.IntRange(1, 100).Draw(t, "batch"))
		if err != nil {
			t.Fatal(err)
		}
		if !sameEvents(events, got) || r.Format() != "native" {
			t.Fatalf("%s: -want +got\n%s", r.Format(), cmp.Diff(events, got))
		}
		if fmt.Sprint(names) != fmt.Sprint(*r.Names()) || fmt.Sprint(meta) != fmt.Sprint(r.Meta()) && len(meta) > 0 {
			t.Fatalf("names %v, want %v; meta %v, want %v", *r.Names(), names, r.Meta(), meta)
		}
	})
}

func sameEvents(a, b []trace.Event) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// many gives more events than two blocks hold, of more streams than a bank has slots.
func many() []trace.Event {
	var events []trace.Event
	for i := range uint64(150000) {
		stream := i * 7 % 100
		events = append(events, trace.Event{
			Address: stream<<30 + i*8, Size: uint32(1 + stream%20), Thread: uint16(stream % 3), Kind: trace.Kind(i % 2),
		})
	}
	return events
}

func TestNativeBlocks(t *testing.T) {
	events := many()
	content := native(t, events, trace.Names{})
	got, _, err := read(content, trace.Options{}, 4096)
	if err != nil || !sameEvents(events, got) {
		t.Errorf("%d events of %d, %v", len(got), len(events), err)
	}
}

// A trace built by hand after docs/formats.md, without compression.
func TestNativeByHand(t *testing.T) {
	content := []byte("\x89FTR\r\n\x1a\n\x01\x00\x00\x00\x00\x00\x00\x00")
	content = addBlock(content, 'M', 0, 1, []byte("\x03who\x04hand"))
	content = addBlock(content, 'R', 0, 1, []byte("\x04loop"))
	content = addBlock(content, 'O', 0, 1, []byte("\x01A\x80\x20\x40"))
	content = addBlock(content, '?', 1, 0, []byte("of a later version"))
	content = addBlock(content, 'E', 0, 6, []byte{
		7,                                              // operations
		0xc0, 0xc1, 0x81, 0x01, 0x41, 0xff, 0xc0, 0, 0, // slot 0 defined; slot 1 defined, stride, follow, jump; bank; slot 0
	}[:8])
	if _, _, err := read(content, trace.Options{}, 10); err == nil {
		t.Error("a block without its arguments is taken")
	}
	content = content[:len(content)-blockHeaderBytes-8]
	content = addBlock(content, 'E', 0, 6, []byte{
		7, 0xc0, 0xc1, 0x81, 0x01, 0x41, 0xff, 0xc0,
		3, 0, 0, // enter, thread 0: region 0
		0, 8, 0x80, 0x40, // read, 8 bytes, +0x1000
		0x10,           // +8, the stride
		0x1f,           // −16
		1,              // bank 1
		1 | 9<<3, 4, 2, // write, thread 9, 4 bytes, +1
	})
	content = addBlock(content, 'Z', 0, 0, binary.LittleEndian.AppendUint64(nil, 6))
	want := []trace.Event{
		{Kind: trace.Enter},
		{Address: 0x1000, Size: 8},
		{Address: 0x1008, Size: 8},
		{Address: 0x1010, Size: 8},
		{Address: 0x1000, Size: 8},
		{Address: 1, Size: 4, Thread: 9, Kind: trace.Write},
	}
	got, r, err := read(content, trace.Options{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if r.Names().Regions[0] != "loop" || r.Names().Objects[0] != (trace.Object{Name: "A", Address: 0x1000, Bytes: 64}) ||
		r.Meta()["who"] != "hand" {
		t.Errorf("names %v, meta %v", *r.Names(), r.Meta())
	}
}

const blockHeaderBytes = 20

// addBlock appends a block with its checksum.
func addBlock(to []byte, kind, flags byte, count uint32, content []byte) []byte {
	header := []byte{kind, flags, 0, 0}
	header = binary.LittleEndian.AppendUint32(header, uint32(len(content)))
	header = binary.LittleEndian.AppendUint32(header, uint32(len(content)))
	header = binary.LittleEndian.AppendUint32(header, count)
	sum := crc32.Checksum(append(bytes.Clone(header), content...), crc32.MakeTable(crc32.Castagnoli))
	return append(append(to, binary.LittleEndian.AppendUint32(header, sum)...), content...)
}

func TestNativeErrors(t *testing.T) {
	whole := native(t, many(), trace.Names{})
	empty := native(t, nil, trace.Names{})
	start := empty[:16+blockHeaderBytes]
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	newer := bytes.Clone(empty)
	newer[8] = 2
	for _, test := range []struct {
		name    string
		content []byte
		want    string
		events  int
	}{
		{"no end", whole[:len(whole)-28], "the trace is cut off after 150000 whole events; they can be taken", 150000},
		{"cut early", whole[:200], "the trace is cut off before its first whole block of events; make it again", 0},
		{"cut", whole[:len(whole)-100], "the trace is cut off after 131072 whole events; they can be taken", 131072},
		{"flipped", flipped, "the checksum of the block is wrong; the file was damaged;", 65536},
		{"more", append(bytes.Clone(whole), 'x'), "more follows after the end of the trace; take it away", 150000},
		{"newer", newer, "the trace has version 2, and this foresee reads version 1; it was written by a newer foresee", 0},
		{"block", addBlock(bytes.Clone(start), '?', 0, 0, nil), "a block of the unknown type '?'; it was written by a newer foresee", 0},
		{"flags", addBlock(bytes.Clone(start), 'R', 4, 0, nil), "a block with unknown flags 0x4; it was written by a newer", 0},
		{"long", addBlock(bytes.Clone(start), 'R', 0, 0, make([]byte, 5<<20)), "a block of 5242880 bytes, more than 4194304", 0},
		{"undefined", addBlock(bytes.Clone(start), 'E', 0, 1, []byte{1, 0}), "the block holds an event that cannot be", 0},
		{"undefined jump", addBlock(bytes.Clone(start), 'E', 0, 1, []byte{1, 0x40, 1}), "a slot that is not defined", 0},
		{"region", addBlock(bytes.Clone(start), 'E', 0, 1, []byte{1, 0xc0, 3, 0, 0}), "a region without a name", 0},
		{"kind", addBlock(bytes.Clone(start), 'E', 0, 1, []byte{1, 0xc0, 7, 0, 0}), "a kind, size or thread that cannot be", 0},
		{"size", addBlock(bytes.Clone(start), 'E', 0, 1, []byte{1, 0xc0, 0, 0, 0}), "an event of a size that cannot be", 0},
		{"count", addBlock(bytes.Clone(start), 'E', 0, 2, []byte{1, 0xc0, 0, 8, 0}), "a number of events other than the block", 1},
		{"region twice", addBlock(bytes.Clone(start), 'R', 0, 2, []byte{1, 'a', 1, 'a'}), `the region "a" a second time`, 0},
		{"name", addBlock(bytes.Clone(start), 'R', 0, 1, []byte{9, 'a'}), "a text longer than the block", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := read(test.content, trace.Options{Format: "native"}, 1000)
			if err == nil || !strings.HasPrefix(err.Error(), "byte ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v\nwant %s", err, test.want)
			}
			if test.name == "newer" {
				return
			}
			events, r, err := read(test.content, trace.Options{Format: "native", Partial: true}, 1000)
			if err != nil || r.Damage() == nil || len(events) != test.events {
				t.Errorf("partial: %d events, want %d, %v", len(events), test.events, err)
			}
		})
	}
}

// The bytes of a small trace do not change between versions.
func TestNativeGolden(t *testing.T) {
	content := native(t, golden["text"].events, golden["text"].names)
	const name = "testdata/native.ftrace"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(content, want) {
		t.Errorf("the bytes differ from %s, %v", name, err)
	}
}

// The example of docs/formats.md, with the checksums left to the test.
func TestNativeExample(t *testing.T) {
	content := []byte("\x89FTR\r\n\x1a\n\x01\x00\x00\x00\x00\x00\x00\x00")
	content = addBlock(content, 'M', 0, 0, nil)
	content = addBlock(content, 'E', 0, 2, []byte{2, 0xc0, 0x80, 0, 8, 0x80, 0x40, 0x10})
	content = addBlock(content, 'Z', 0, 0, binary.LittleEndian.AppendUint64(nil, 2))
	got, _, err := read(content, trace.Options{}, 10)
	want := []trace.Event{{Address: 0x1000, Size: 8}, {Address: 0x1008, Size: 8}}
	if err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v, %v", got, err)
	}
}

// Other zstd encoders do not say the length in the frame, and take other windows.
func TestNativeFrames(t *testing.T) {
	raw := append([]byte{2, 0xc0, 0, 0, 8, 0x80, 0x40}, 0)[:7]
	for _, o := range [][]zstd.EOption{
		{zstd.WithWindowSize(8 << 20)}, {zstd.WithEncoderLevel(zstd.SpeedBestCompression)}, {zstd.WithEncoderCRC(true)},
	} {
		var frame bytes.Buffer
		z, err := zstd.NewWriter(&frame, o...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write(raw); err != nil {
			t.Fatal(err)
		}
		_ = z.Flush() // so that the frame is begun before its length is known
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		content := []byte("\x89FTR\r\n\x1a\n\x01\x00\x00\x00\x00\x00\x00\x00")
		content = addBlock(content, 'M', 0, 0, nil)
		header := addBlock(nil, 'E', 2, 2, frame.Bytes())
		binary.LittleEndian.PutUint32(header[8:], uint32(len(raw)))
		sum := crc32.Checksum(append(bytes.Clone(header[:16]), frame.Bytes()...), crc32.MakeTable(crc32.Castagnoli))
		binary.LittleEndian.PutUint32(header[16:], sum)
		content = append(content, header...)
		got, r, err := read(content, trace.Options{Partial: true}, 10)
		if err != nil || len(got) != 2 || !strings.Contains(r.Damage().Error(), "cut off after 2 whole events") {
			t.Errorf("%v, %v, %v", got, err, r.Damage())
		}
	}
}
