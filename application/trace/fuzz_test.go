package trace_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/klauspost/compress/zstd"

	"foresee/application/trace"
)

// fuzz reads what may be a trace; what can be read is written and read again.
func fuzz(f *testing.F, format, writing string) {
	f.Fuzz(func(t *testing.T, content []byte) {
		trace.Detect(content)
		if _, r, err := read(content, trace.Options{Format: format, Partial: true}, 5); err == nil && r == nil {
			t.Fatal("no reader and no error")
		}
		events, r, err := read(content, trace.Options{Format: format}, 64)
		if err != nil || len(events) == 0 {
			return
		}
		again, err := write(writing, events, *r.Names(), r.Meta())
		if err != nil {
			t.Fatal(err)
		}
		got, second, err := read(again, trace.Options{Format: writing}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if !sameEvents(named(events, *r.Names()), named(got, *second.Names())) {
			t.Fatalf("%v became %v", events, got)
		}
	})
}

func addFile(f *testing.F, format string) {
	f.Add(file(f, format))
}

func FuzzNative(f *testing.F) {
	f.Add(native(f, golden["text"].events, golden["text"].names))
	f.Add(native(f, many()[:1000], trace.Names{}))
	fuzz(f, "native", "native")
}

// The checksums keep a fuzzer out of the blocks, so that this one makes the blocks itself.
func FuzzNativeEvents(f *testing.F) {
	f.Add(uint32(2), []byte{2, 0xc0, 0, 0, 8, 2})
	f.Fuzz(func(t *testing.T, count uint32, content []byte) {
		whole := []byte("\x89FTR\r\n\x1a\n\x01\x00\x00\x00\x00\x00\x00\x00")
		whole = addBlock(whole, 'M', 0, 0, nil)
		whole = addBlock(whole, 'R', 0, 2, []byte{1, 'a', 1, 'b'})
		whole = addBlock(whole, 'E', 0, count, content)
		events, r, err := read(whole, trace.Options{Partial: true}, 7)
		if err != nil {
			t.Fatal(err)
		}
		again := native(t, events, *r.Names())
		got, _, err := read(again, trace.Options{}, 1000)
		if err != nil || !sameEvents(events, got) {
			t.Fatalf("%v became %v, %v", events, got, err)
		}
	})
}

func FuzzNativeNames(f *testing.F) {
	f.Add(byte('R'), uint32(1), []byte{1, 'a'})
	f.Add(byte('O'), uint32(1), []byte{1, 'a', 2, 3})
	f.Add(byte('M'), uint32(1), []byte{1, 'a', 1, 'b'})
	f.Fuzz(func(t *testing.T, kind byte, count uint32, content []byte) {
		whole := []byte("\x89FTR\r\n\x1a\n\x01\x00\x00\x00\x00\x00\x00\x00")
		whole = addBlock(whole, 'M', 0, 0, nil)
		whole = addBlock(whole, kind, 0, count, content)
		_, r, err := read(whole, trace.Options{Partial: true}, 7)
		if err != nil {
			t.Fatal(err)
		}
		native(t, nil, *r.Names())
	})
}

func FuzzText(f *testing.F) {
	addFile(f, "text")
	f.Add([]byte("region \"\\x00 #\"\nend # x\nobject \"#\" 1 2\n7 r 1 2"))
	fuzz(f, "text", "text")
}

func FuzzLackey(f *testing.F) {
	addFile(f, "lackey")
	fuzz(f, "lackey", "lackey")
}

func FuzzDrmemtrace(f *testing.F) {
	addFile(f, "drmemtrace")
	fuzz(f, "drmemtrace", "native")
}

func FuzzDin(f *testing.F) {
	addFile(f, "din")
	fuzz(f, "din", "din")
}

func FuzzXdin(f *testing.F) {
	addFile(f, "xdin")
	fuzz(f, "xdin", "xdin")
}

// FuzzContainers reads what gzip or zstd packed, once or twice, or what only looks so.
func FuzzContainers(f *testing.F) {
	text := file(f, "text")
	for _, whole := range [][]byte{zipped(f, text), zstded(f, text), zstded(f, zipped(f, text)), zipped(f, native(f, golden["text"].events, golden["text"].names))} {
		f.Add(whole)
		f.Add(whole[:len(whole)/2])
		f.Add(append(bytes.Clone(whole), whole...))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, partial := range []bool{false, true} {
			r, err := trace.Open(bytes.NewReader(content), trace.Options{Partial: partial})
			if err != nil {
				continue
			}
			events := make([]trace.Event, 1<<10)
			for n := 0; err == nil && n < 1<<20; {
				var k int
				k, err = r.Read(events)
				if k == 0 && err == nil {
					t.Fatal("no events and no error")
				}
				n += k
			}
			_ = r.Close()
		}
	})
}

func zipped(t testing.TB, content []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstded(t testing.TB, content []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(content, nil)
}
