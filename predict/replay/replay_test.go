package replay

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/messages"
	"foresee/application/messages/ti"
	"foresee/machine/cluster"
)

const small = `name: small
nodes: {value: 8, source: here}
ranks_per_node: {value: 1, source: here}
network:
  topology: crossbar
  latency_us: {value: 1, source: here}
  bandwidth_gbs: {value: 1, source: here}
  software: {handshake_latencies: {value: 0, source: here}}
`

func described(t *testing.T, text string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Parse("small.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ranks reads the lines of calls of each rank; processors is what each may run on.
func ranks(t *testing.T, processors int, lines ...string) *messages.Program {
	t.Helper()
	var files []*messages.File
	for r, text := range lines {
		head := fmt.Sprintf("foresee-events 1\nrank %d\nsize %d\nmpi openmpi\nlibrary l\nhost h\nprogram p\nprocessors %d\nthreads 1\n", r, len(lines), processors)
		f, err := messages.Read("test", strings.NewReader(head+text+fmt.Sprintf("last 0 0\ncomm 0 0 0-%d\ncomm 1 0 0-1\nend\n", len(lines)-1)))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := messages.NewProgram(files)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRun compares with times that are worked out: a message of n bytes takes 2 µs + n ns.
func TestRun(t *testing.T) {
	exchange := func(wall, cpu, median int) string {
		return fmt.Sprintf("( 10\nIrecv 10 0 0 0 0 0 p%%d t1 c0\nIsend 10 10000 %d %d %d 0 p%%d t1 c0\nWaitall 10 0 0 0 0 0 w2-1\n)\n", wall, cpu, median)
	}
	for _, test := range []struct {
		name       string
		processors int
		o          Options
		lines      string
		want       float64
	}{
		{"wall", 2, Options{}, exchange(10e6, 5e6, 400e3), 10 * (1e-3 + 3e-6)},
		{"few processors", 1, Options{}, exchange(10e6, 5e6, 400e3), 10 * (0.5e-3 + 3e-6)},
		{"median", 2, Options{Compute: Median}, exchange(10e6, 5e6, 400e3), 10 * (0.4e-3 + 3e-6)},
		{"factor", 2, Options{Factor: 0.5}, exchange(10e6, 5e6, 400e3), 10 * (0.5e-3 + 3e-6)},
		{"on one node, at no cost", 2, Options{RanksPerNode: 2}, exchange(10e6, 5e6, 400e3), 10 * 1e-3},
		{"allreduce", 2, Options{}, "Allreduce 1 8 0 0 0 0 c0\n", 2e-6 + 8e-9},
		{"nonblocking collective", 2, Options{}, "Iallreduce 1 8 0 0 0 0 c0\nWait 1 0 0 0 0 0 w1\n", 2e-6 + 8e-9},
		{"what is not simulated", 2, Options{}, "Win_fence 4 0 4000 4000 1000 8000\n", 3e-6}, // 1 µs between and 2 µs in the call, once
	} {
		lines := []string{test.lines, test.lines}
		if n := strings.Count(test.lines, "%d"); n > 0 {
			lines = []string{strings.ReplaceAll(test.lines, "%d", "1"), strings.ReplaceAll(test.lines, "%d", "0")}
		}
		r, err := Run(ranks(t, test.processors, lines...), described(t, small), test.o)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if math.Abs(r.Seconds/test.want-1) > 1e-9 {
			t.Errorf("%s: %.9g s, want %.9g", test.name, r.Seconds, test.want)
		}
		if m := r.Mean; math.Abs(m.Compute+m.Transfer+m.Waiting+m.Idle-r.Seconds) > 1e-9 {
			t.Errorf("%s: %+v are not together %g", test.name, m, r.Seconds)
		}
	}
}

func TestTooMany(t *testing.T) {
	lines := make([]string, 9)
	for i := range lines {
		lines[i] = "Barrier 1 0 0 0 0 0 c0\n"
	}
	many := new(TooManyError)
	if _, err := Run(ranks(t, 9, lines...), described(t, small), Options{}); !errors.As(err, &many) {
		t.Errorf("9 ranks on 8 nodes: %v", err)
	}
	if r, err := Run(ranks(t, 9, lines...), described(t, small), Options{RanksPerNode: 2, RoundRobin: true}); err != nil || r.Nodes != 5 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestTraces replays what was written as traces, which must take as long.
func TestTraces(t *testing.T) {
	var lines []string
	for r := range 6 {
		right, left := (r+1)%6, (r+5)%6
		text := fmt.Sprintf("( 7\nIrecv 7 0 0 0 0 0 p%d t1 c0\nIsend 7 70000 700000 700000 100000 0 p%d t1 c0\n", left, right) +
			fmt.Sprintf("Waitall 7 0 7000 7000 1000 0 w2-1\nSendrecv 7 700 0 0 0 0 p%d t2 s%d u2 c0\nAllreduce 7 56 0 0 0 0 c0\n", left, right)
		if r < 2 { // those of a communicator, which traces have not
			text += "Bcast 7 3500 0 0 0 0 c1 r1\n"
		}
		lines = append(lines, text+")\nAlltoall 1 6000 0 0 0 0 c0\nBarrier 1 0 9000 9000 9000 0 c0\n")
	}
	p, c := ranks(t, 6, lines...), described(t, small)
	want, err := Run(p, c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	traces, err := NewTraces(p, c, Options{}, 1e9)
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for r := range traces.Ranks() {
		name := fmt.Sprintf("rank-%d.txt", r)
		names += name + "\n"
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(traces.Write(f, r), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	list := filepath.Join(dir, "list")
	if err := os.WriteFile(list, []byte(names), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := ti.ReadList(list, 1e9)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Run(again, c, Options{Library: "openmpi"})
	if err != nil || math.Abs(got.Seconds/want.Seconds-1) > 1e-6 {
		t.Errorf("%+v, want %g s, %v", got, want.Seconds, err)
	}
	if err := Platform(io.Discard, c, 1e9); err != nil {
		t.Error(err)
	}
}
