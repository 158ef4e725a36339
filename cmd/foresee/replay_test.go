package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// clusterText is a small cluster for examples.
const clusterText = `name: small
nodes: {value: 8, source: chosen}
ranks_per_node: {value: 2, source: chosen}
network:
  topology: crossbar
  latency_us: {value: 1.5, source: chosen}
  bandwidth_gbs: {value: 10, source: chosen}
`

// ringEvents is what a rank of two calls, which send each other 800 bytes a hundred times and compute 1 ms before.
func ringEvents(rank int) string {
	return fmt.Sprintf("foresee-events 1\nrank %d\nsize 2\nmpi openmpi\nlibrary l\nhost h\nprogram p\nprocessors 2\nthreads 1\n( 100\n"+
		"Sendrecv 100 80000 100000000 100000000 1000000 5000 p%d t1 s%d u1 c0\n)\nlast 0 0\ncomm 0 0 0-1\nend\n", rank, 1-rank, 1-rank)
}

// writeRing writes a recording, of a name, and a cluster for it into a folder.
func writeRing(t *testing.T, folder, recording string) {
	t.Helper()
	dir := filepath.Join(folder, recording)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	run := `{"schema":"foresee.run/v1","version":"0","input":"x","warnings":[],"command":["x"],"parameters":{"p":2},"ranks":2,"complete":true,"files":[` +
		`{"rank":0,"events":"events.0.txt"},{"rank":1,"events":"events.1.txt"}]}`
	for name, text := range map[string]string{
		filepath.Join(dir, "run.json"): run, filepath.Join(dir, "events.0.txt"): ringEvents(0), filepath.Join(dir, "events.1.txt"): ringEvents(1),
		filepath.Join(folder, "cluster.yaml"): clusterText,
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReplayScaled: of a kernel, on the machine and threads that it was recorded with, computing takes as long; all splits of a node are listed.
func TestReplayScaled(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRing(t, ".", "ring")
	if err := os.WriteFile("k.c", []byte("double a[100], b[100];\nvoid k(void) { for (int i = 0; i < 100; i++) b[i] = a[i] * 3; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"replay", "--cluster", "cluster.yaml", "--recorded-on", "zen4", "--machine", "zen4", "--signature", "k.c", "--format", "json", "ring"}
	if code, out, stderr := command(arguments...); code != 0 || !strings.Contains(out, `"factor": 1,`) {
		t.Errorf("code %d, %s\n%s", code, stderr, out)
	}
	code, out, stderr := command(append(arguments[:len(arguments)-3:len(arguments)-3], "--splits", "ring")...)
	if code != 0 || !strings.Contains(out, "the best split of a node") || !strings.Contains(out, "ranks of a node") {
		t.Errorf("code %d, %s\n%s", code, stderr, out)
	}
}

// TestReplay compares with a time that is worked out: both compute 1 ms, then each sends 800 bytes over two links of 10 GB/s and 1.5 µs.
func TestReplay(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRing(t, ".", "ring")
	code, out, stderr := command("replay", "--cluster", "cluster.yaml", "--ranks-per-node", "1", "--format", "csv", "ring")
	if want := 100 * (1e-3 + 2*1.5e-6 + 800/10e9); code != 0 || !strings.Contains(out, fmt.Sprintf("small,0,%.6g", want)) {
		t.Errorf("code %d, %s\n%s\nwant %.6g s", code, stderr, out, want)
	}
	code, out, _ = command("replay", "--cluster", "cluster.yaml", "--compute-factor", "0.5", "--format", "csv", "ring") // on one node, at no cost
	if code != 0 || !strings.Contains(out, "small,0,0.05,0.05,0,0,0") && !strings.Contains(out, "small,0,0.0500") {
		t.Errorf("code %d\n%s", code, out)
	}
	code, out, stderr = command("replay", "--cluster", "cluster.yaml", "--at", "p=16", "ring")
	if code != 0 || !strings.Contains(out, "a grid of 2 to one of 16") || !strings.Contains(stderr, "taken as open") {
		t.Errorf("code %d\n%s\n%s", code, out, stderr)
	}
	code, out, stderr = command("replay", "--cluster", "cluster.yaml", "--at", "p=4", "--fixed-problem", "--ranks-per-node", "1", "--format", "csv", "ring")
	if code != 0 || !strings.Contains(out, "small,0,0.05") || !strings.Contains(stderr, "each computes its part") { // of a line, the faces stay
		t.Errorf("code %d\n%s\n%s", code, out, stderr)
	}
	for _, wrong := range []struct {
		arguments, why string
		code           int
	}{
		{"ring", "say on what", 2},
		{"--cluster cluster.yaml", "takes one recording", 2},
		{"--cluster cluster.yaml --compute quick ring", "--compute", 2},
		{"--cluster none.yaml ring", "no such cluster file", 1},
		{"--cluster cluster.yaml --at 16 ring", "write p=64", 2},
		{"--cluster cluster.yaml --at p=1 ring", "no rank of the grid", 1},
		{"--cluster cluster.yaml --fixed-problem ring", "give --at", 2},
		{"--cluster cluster.yaml --splits ring", "name it with --signature", 2},
		{"--cluster cluster.yaml --signature none.c ring", "says no machine of a node", 2},
		{"--cluster cluster.yaml --machine zen4 --recorded-on zen4 --signature none.c ring", "none.c", 1},
		{"--cluster cluster.yaml --machine zen4 --signature x.c --threads -1 ring", "--threads -1", 2},
		{"--cluster cluster.yaml --machine zen4 --signature x.c --splits --at p=8 ring", "leave out --at", 2},
		{"--cluster cluster.yaml none", "record one: foresee mpi --events", 1},
		{"--cluster cluster.yaml --events 10 ring", "allow more with --events", 1},
	} {
		code, _, stderr := command(append([]string{"replay"}, strings.Fields(wrong.arguments)...)...)
		if code != wrong.code || !strings.Contains(stderr, wrong.why) {
			t.Errorf("replay %s: code %d, %s, want %d, %q", wrong.arguments, code, stderr, wrong.code, wrong.why)
		}
	}
}

// TestReplayOutputs: traces are written over no input, and none is written where one could not be; names are no formulas of spreadsheets.
func TestReplayOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRing(t, ".", "ring")
	if code, _, stderr := command("replay", "--cluster", "cluster.yaml", "--write-ti", "t", "ring"); code != 0 {
		t.Fatal(stderr)
	}
	for _, name := range []string{"rank-0.txt", "rank-1.txt"} { // SimGrid's names are others
		if err := os.Rename(filepath.Join("t", name), filepath.Join("t", "of-"+name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("t/traces.list", []byte("of-rank-0.txt\nof-rank-1.txt\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := command("replay", "--cluster", "cluster.yaml", "--write-ti", "t", "t/traces.list")
	if _, err := os.Stat("t/rank-0.txt"); code != 2 || !strings.Contains(stderr, "t/traces.list is the input") || err == nil {
		t.Errorf("code %d, %s, %v", code, stderr, err)
	}
	code, _, stderr = command("replay", "--cluster", "cluster.yaml", "--write-ti", "new", "-o", "new", "ring")
	if _, err := os.Stat("new"); code != 2 || !strings.Contains(stderr, "new cannot hold two results") || err == nil {
		t.Errorf("code %d, %s, %v", code, stderr, err)
	}
	code, _, stderr = command("replay", "--cluster", "cluster.yaml", "--write-ti", "cluster.yaml/t", "ring")
	if code != 1 || !strings.Contains(stderr, "cannot make the folder: not a directory; name another one") {
		t.Errorf("code %d, %s", code, stderr)
	}
	text, err := os.ReadFile("cluster.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("named.yaml", []byte(strings.Replace(string(text), "name: small", "name: '=cmd|x'", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := command("replay", "--cluster", "named.yaml", "--format", "csv", "ring"); code != 0 || !strings.Contains(out, "\n'=cmd|x,0,") {
		t.Errorf("code %d, %s\n%s", code, stderr, out)
	}
}
