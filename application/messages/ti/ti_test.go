package ti

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/messages"
)

// write writes traces and their list.
func write(t testing.TB, ranks ...string) string {
	t.Helper()
	dir, list := t.TempDir(), ""
	for r, text := range ranks {
		name := "rank-" + string(rune('0'+r)) + ".txt"
		list += name + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "list")
	if err := os.WriteFile(path, []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRead reads what smpirun -trace-ti of SimGrid 3.32 wrote of a step of a stencil, shortened.
func TestRead(t *testing.T) {
	p, err := ReadList(write(t, "0 init\n0 irecv -333 1 8000 6\n0 irecv 1 0 1000 0\n0 isend 1 1 8000 6\n0 compute 180000\n0 waitall 8\n0 compute 1e6\n0 allreduce 2 0 0\n0 alltoall 10 10 1 1\n0 reducescatter 4 4\n0 finalize\n",
		"1 init\n1 isend 0 0 1000 0\n1 recv -333 1 8000 6\n1 wait 1 0 0\n1 bcast 5 0 1\n1 compute 2e9\n1 finalize\n"), 1e9)
	if err != nil {
		t.Fatal(err)
	}
	a, b := p.Ranks[0], p.Ranks[1]
	if len(a.Nodes) != 6 || len(b.Nodes) != 4 || b.LastWall != 2 {
		t.Fatalf("%+v\n%+v", a, b)
	}
	if n := a.Nodes; n[0].Peer != messages.Nobody || n[1].Bytes != 8000 || n[3].Wall != 180e-6 || len(n[3].Completes) != 3 || n[3].Completes[0] != 3 ||
		n[4].Bytes != 16 || n[4].Wall != 1e-3 || n[5].Bytes != 2*40 {
		t.Errorf("%+v", n)
	}
	if n := b.Nodes; n[1].Peer != messages.Any || len(n[2].Completes) != 1 || n[2].Completes[0] != 1 || n[3].Bytes != 20 || n[3].Root != 0 {
		t.Errorf("%+v", n)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "reducescatter") {
		t.Errorf("%q", p.Warnings)
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct{ text, why string }{
		{"1 init\n", "rank-0.txt:1: an action of rank 1 in the file of rank 0"},
		{"0 send 4 0 8 6\n", "no rank 4 among 1"},
		{"0 send 0 0\n", "argument 3: it is missing"},
		{"0 compute fast\n", "no number from 0"},
		{"0 bcast 8 0 99\n", "type 99 is not known"},
		{"0\n", "no action"},
	} {
		if _, err := ReadList(write(t, test.text), 1e9); err == nil || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%q: %v, want %q", test.text, err, test.why)
		}
	}
}

// FuzzRead wants an error, or calls whose ranks are there.
func FuzzRead(f *testing.F) {
	f.Add("0 init\n0 irecv 0 1 8000 6\n0 isend 0 1 8000 6\n0 compute 180000\n0 waitall 8\n0 allreduce 1 0 0\n")
	f.Add("0 sendrecv 5 0 5 0 1 1\n0 wait 0 0 1\n0 sleep 2\n0 barrier\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ReadList(write(t, text), 1e9)
		if err != nil {
			return
		}
		for _, n := range p.Ranks[0].Nodes {
			if n.Peer >= 1 || n.Wall < 0 {
				t.Fatalf("%+v", n)
			}
		}
	})
}
