package messages

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// text is the file of a rank of a ring with a sum.
const text = `foresee-events 1
rank 1
size 4
mpi openmpi
library Open MPI v4.1.4
host node1
program /bin/ring
processors 2
threads 1
Comm_split 1 0 1000 900 3 2000 c0
( 100
( 2
Irecv 200 48000 2000 1900 3 3000 p0 t5 c0
Isend 200 48000 0 0 3 3000 p2 t5 c0
Waitall 200 0 5000000 4000000 3 9000 w2-1
)
Allreduce 100 800 1000 1000 3 700000 c1
)
Sendrecv 1 16 0 0 3 50 p2 t8 s-2 u-1 c0
last 77 66
comm 0 0 0-3
comm 1 0 1,3
end
`

func TestReadWrite(t *testing.T) {
	f, err := Read("text", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, f); err != nil {
		t.Fatal(err)
	}
	if out.String() != text {
		t.Errorf("written\n%s\nread\n%s", &out, text)
	}
	if n := Count(f.Nodes); n != 1+100*(2*3+1)+1 { // by hand
		t.Errorf("%d calls", n)
	}
	var names []string
	for w := NewWalk(f.Nodes); ; {
		c := w.Next()
		if c == nil {
			break
		}
		names = append(names, c.Name)
	}
	step := strings.Repeat("Irecv Isend Waitall ", 2) + "Allreduce "
	if want := "Comm_split " + strings.Repeat(step, 100) + "Sendrecv"; strings.Join(names, " ") != want {
		t.Errorf("%d calls, %s…", len(names), strings.Join(names[:20], " "))
	}
}

// TestCutOff reads a file as far as it goes, wherever it ends.
func TestCutOff(t *testing.T) {
	whole := strings.Index(text, "Comm_split")
	for n := range len(text) {
		f, err := Read("text", strings.NewReader(text[:n]))
		if err == nil && f.Complete {
			t.Errorf("complete after %d of %d bytes", n, len(text))
		}
		if n < whole && err == nil && n < whole-1 {
			t.Errorf("a head of %d bytes is whole", n)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, change := range []struct{ from, to, why string }{
		{"foresee-events 1", "foresee-events 2", "1: format \"2\""},
		{"rank 1", "rank 4", "rank 4 of 4"},
		{"( 100", "( 0", "11: \"0\" is no number of repetitions"},
		{"p0 t5", "p4 t5", "no rank 4 among 4"},
		{"p0 t5", "q4 t5", "expected p, t, s, u, c, r or w"},
		{"w2-1", "w2-1,0", "ages"},
		{"w2-1", "w1-2000000000", "in one go"},
		{"comm 1 0 1,3", "comm 1 0 1,4", "no ranks among 4"},
		{"comm 1 0 1,3\n", "", "communicator 1"},
		{"end\n", "end\nend\n", "after the end"},
		{"last 77 66", ")", "not begun"},
	} {
		_, err := Read("text", strings.NewReader(strings.Replace(text, change.from, change.to, 1)))
		if err == nil || !strings.Contains(err.Error(), change.why) {
			t.Errorf("%q for %q: %v, want %q", change.to, change.from, err, change.why)
		}
	}
}

// TestProgram wants ranks that number their communicators differently to be put together.
func TestProgram(t *testing.T) {
	var files []*File
	for _, one := range []string{
		"rank 0\nsize 2\nX\nBarrier 1 0 0 0 0 0 c7\nBarrier 1 0 0 0 0 0 c3\nlast 0 0\ncomm 3 1 0-1\ncomm 7 0 0-1\nend\n",
		"rank 1\nsize 2\nX\nBarrier 1 0 0 0 0 0 c0\nBarrier 1 0 0 0 0 0 c1\nlast 0 0\ncomm 0 0 0-1\ncomm 1 1 0-1\nend\n",
	} {
		head := "mpi m\nlibrary l\nhost h\nprogram p\nprocessors 1\nthreads 1"
		f, err := Read("text", strings.NewReader("foresee-events 1\n"+strings.Replace(one, "X", head, 1)))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := NewProgram(files)
	if err != nil {
		t.Fatal(err)
	}
	a, b := p.Ranks[0].Nodes, p.Ranks[1].Nodes
	if len(p.Comms) != 2 || a[0].Comm != b[0].Comm || a[1].Comm != b[1].Comm || a[0].Comm == a[1].Comm {
		t.Errorf("%v %v %v", p.Comms, a, b)
	}
	if _, err := NewProgram(files[:1]); err == nil {
		t.Error("a rank may be missing")
	}
}

// FuzzRead wants an error, or what stays the same when it is written and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(text))
	f.Add([]byte(strings.Replace(text, "w2-1", "w1-3,9,7-2", 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		one, err := Read("fuzz", bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := Write(&out, one); err != nil {
			t.Fatal(err)
		}
		again, err := Read("again", bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		if !reflect.DeepEqual(one.Nodes, again.Nodes) || !reflect.DeepEqual(one.Comms, again.Comms) {
			var twice bytes.Buffer
			if err := Write(&twice, again); err != nil || twice.String() != out.String() {
				t.Errorf("written\n%s\nread and written again\n%s", &out, &twice)
			}
		}
	})
}
