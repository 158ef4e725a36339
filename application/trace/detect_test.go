package trace_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"foresee/application/trace"
)

func TestDetect(t *testing.T) {
	for _, test := range []struct{ content, want string }{
		{"", ""},
		{"\n\n", ""},
		{"r 0x10", "text"},
		{"# comment\n\n3 w 100 8\n", "text"},
		{"r 10 8\nx\n", "text"},
		{"r 10 8\nw 1f 8\n", "xdin"},
		{"r 0x10 8\n", "text"},
		{"i 10 8\n", "xdin"},
		{"0 10\n", "din"},
		{"2 0x7f\n1 30 comment\n", "din"},
		{" L 1ffe,8\n", "lackey"},
		{"I  04001ef0,3\n", "lackey"},
		{"==12== Memcheck, a memory error detector\n==12== Command: ./a.out\n", ""},
		{"T12 ifetch 4 byte(s) @ 0x10\n", "drmemtrace"},
		{"int main() { return 0; }\n", ""},
		{"0 1234\nint main() {\n}\n", ""},
		{"# 1 \"gemm.c\"\nint main() {\n}\n", ""},
		{"/*\n 0 10\n 1 20\n 2 30\n*/\nint main() { return 0; }\n", ""},
		{"#if 0\n0 10\n#endif\n", ""},
		{"#include <stdio.h>\n#define r 0\n", ""},
		{"// L 10,8\n L 10,8\nint x;\n", ""},
		{"region\nend\nbarrier\n", ""},
		{"name,value\n1,2\n", ""},
		{"{\"schema\": 1}\n", ""},
		{"\x00\x01\x02\n", ""},
	} {
		if got := trace.Detect([]byte(test.content)); got != test.want {
			t.Errorf("%q is told as %q, want %q", test.content, got, test.want)
		}
	}
}

// No source file and no document of this project is a trace.
func TestDetectSources(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".c", ".h", ".md", ".yaml", ".json", ".go":
		default:
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		if format := trace.Detect(content[:min(len(content), 4096)]); format != "" {
			t.Errorf("%s is told as %s", path, format)
		}
		return nil
	})
	if err != nil || n < 30 {
		t.Errorf("%d files, %v", n, err)
	}
}

func gzipped(t testing.TB, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstandard(t testing.TB, content []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(content, nil)
}

func TestContainers(t *testing.T) {
	for format, want := range golden {
		content := file(t, format)
		for _, packed := range [][]byte{gzipped(t, content), zstandard(t, content), gzipped(t, zstandard(t, content))} {
			if got := trace.Detect(packed); got != format {
				t.Errorf("%s is told as %q", format, got)
			}
			got, r, err := read(packed, trace.Options{}, 10)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.events, got); diff != "" || r.Format() != format {
				t.Errorf("%s, told as %s: -want +got\n%s", format, r.Format(), diff)
			}
		}
	}
}

func TestContainerCutOff(t *testing.T) {
	var content strings.Builder
	for i := range 100000 {
		content.WriteString("r 0x")
		content.WriteString(strings.Repeat("1", 1+i*i%15))
		content.WriteByte('\n')
	}
	for _, packed := range [][]byte{gzipped(t, []byte(content.String())), zstandard(t, []byte(content.String()))} {
		half := packed[:len(packed)*2/3]
		_, _, err := read(half, trace.Options{}, 1000)
		if err == nil || !strings.Contains(err.Error(), "the compressed trace is cut off: unexpected EOF; what is whole before it can be taken") {
			t.Errorf("%v", err)
		}
		events, r, err := read(half, trace.Options{Partial: true}, 1000)
		if err != nil || r.Damage() == nil || len(events) == 0 {
			t.Errorf("%d events, %v, damage %v", len(events), err, r.Damage())
		}
	}
}
