package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"foresee/internal/hostile"
)

// pretend gives a bench whose program is a shell script, which stands for foresee; $1 is the path that it writes.
func pretend(t *testing.T, script string) *bench {
	t.Helper()
	program := filepath.Join(t.TempDir(), "pretended")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	b, err := newBench(t.Context(), t.TempDir(), program)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestKillsFindWhatIsBroken(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		script string
		wants  string // in what failed; "": nothing fails
	}{
		"renames and clears":    {`rm -f .out.*; echo half >.out.$$; sleep 0.2; echo rest >>.out.$$; mv .out.$$ $1`, ""},
		"writes in place":       {`echo half >$1; sleep 0.2; echo rest >>$1`, "the result is damaged"},
		"removes before":        {`rm -f $1; sleep 0.2; echo whole >.$1; mv .$1 $1`, "the result is not there"},
		"leaves files":          {`echo half >.out.$$; sleep 0.2; echo rest >>.out.$$; mv .out.$$ $1`, "leaves .out."},
		"leaves temporary ones": {`echo x >$TMPDIR/mine.$$; sleep 0.2; echo whole >.x; mv .x $1; rm $TMPDIR/mine.$$`, "leaves mine."},
		"fails on leftovers":    {`[ -e lock ] && exit 1; touch lock; sleep 0.2; echo whole >.x; mv .x $1; rm lock`, "ended with 1"},
		"other bytes each time": {`sleep 0.2; echo $$ >.x; mv .x $1`, "its result is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := pretend(t, test.script)
			s := &section{}
			v := &victim{bench: b, w: &writer{name: "w", out: "out", args: []string{"OUT"}}, s: s, dir: filepath.Join(b.dir, "k")}
			if err := v.run(t.Context(), 8); err != nil {
				t.Fatal(err)
			}
			found := strings.Join(s.failed, "\n")
			if test.wants == "" && found != "" || !strings.Contains(found, test.wants) {
				t.Errorf("found %q, want %q", found, test.wants)
			}
			if v.killed+v.before != 8 || v.old+v.new+v.broken != 8 {
				t.Errorf("%+v", v)
			}
		})
	}
}

// TestLeftovers takes OpenMPI's own files and the private cache for none, but no cache that others could look into.
func TestLeftovers(t *testing.T) {
	b := pretend(t, "")
	w, dir := &writer{out: "out"}, t.TempDir()
	cache := filepath.Join(b.temp, fmt.Sprintf("foresee-%d", os.Geteuid()))
	for _, folder := range []string{filepath.Join(b.temp, "ompi.here.0"), filepath.Join(b.temp, "foresee-cc-1"), filepath.Join(dir, "out"), cache} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := b.leftovers(w, dir); err != nil || fmt.Sprint(left) != "[foresee-cc-1]" {
		t.Error(left, err)
	}
	if err := os.Chmod(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	if left, err := b.leftovers(w, dir); err != nil || len(left) != 2 {
		t.Error(left, err)
	}
}

func TestMoments(t *testing.T) {
	v := &victim{takes: time.Second}
	late, last := 0, time.Duration(0)
	for i := range 100 {
		at := v.moment(i, 100)
		if at <= 0 || at > 1050*time.Millisecond {
			t.Errorf("moment %d is %v", i, at)
		}
		if at > 900*time.Millisecond {
			late++
		}
		last = max(last, at)
	}
	if late < 50 || late > 60 || last < time.Second {
		t.Errorf("%d moments in the last tenth, the last at %v", late, last)
	}
}

func TestJudge(t *testing.T) {
	full := &fault{may: []int{1}, says: []string{"no space left"}}
	either := &fault{may: []int{0, 1}, says: []string{"temporary"}}
	for _, test := range []struct {
		f    *fault
		e    ended
		at   state
		left []string
		want string // in what is wrong; "": nothing
	}{
		{full, ended{1, "foresee: x: No space left on device"}, kept, nil, ""},
		{full, ended{0, ""}, whole, nil, "exit code 0"},
		{full, ended{2, "no space left"}, kept, nil, "exit code 2"},
		{full, ended{1, "no space left"}, damaged, nil, "the result is damaged"},
		{full, ended{1, "no space left"}, gone, nil, "the result is not there"},
		{full, ended{1, "it failed"}, kept, nil, "names none of"},
		{full, ended{1, "no space left"}, kept, []string{".out.1"}, "leaves .out.1"},
		{either, ended{0, ""}, whole, nil, ""},
		{either, ended{0, ""}, kept, nil, "ended well and the result is the earlier one"},
		{either, ended{1, "no temporary folder"}, kept, nil, ""},
	} {
		got := test.f.judge(test.e, test.at, test.left)
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%+v, %s, %v: %q, want %q", test.e, test.at, test.left, got, test.want)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	b := pretend(t, `[ -n "$HOME" ] || { echo "no home" >&2; exit 1; }; touch "$TMPDIR/x" || exit 1; rm "$TMPDIR/x"; echo whole >.x && mv .x $1`)
	s := &section{}
	fields, err := prepare(t.Context(), b, s, []writer{{name: "w", out: "out", args: []string{"OUT"}}}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults() {
		if f.disk {
			continue
		}
		if err := f.try(t.Context(), s, fields); err != nil {
			t.Fatal(err)
		}
	}
	var table []string
	for _, row := range s.rows {
		table = append(table, strings.Join(row[1:], " "))
	}
	// Without HOME it is refused, which is wrong; without TMPDIR it is refused, and names it.
	if got, want := strings.Join(table, ", "), "1 0 0 0, 1 1 1 0, 1 1 0 1, 1 1 0 1"; got != want || len(s.failed) != 1 {
		t.Errorf("%s, want %s; failed: %q", got, want, s.failed)
	}
}

// TestLonger wants the cases that may take longer to be told with their reasons and bounds.
func TestLonger(t *testing.T) {
	got := longer([]hostile.Case{{Why: "a"}, {}, {Why: "b", Ends: 30 * time.Second}, {Why: "a"}})
	if want := " Of these, 2 must end within a second of being told to, with what they have: a. Of these, 1 have 30 s: b."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMarkdown(t *testing.T) {
	s := &section{title: "Faults", text: "What is tried.", columns: []string{"fault", "n"}}
	s.add("a|b", 3)
	d := &document{titles: []string{"Faults"}, made: []*section{s}}
	if got := d.markdown(); !strings.Contains(got, "This is the whole.\n\nEverything that was tried ended as it should.") || !strings.Contains(got, "| a\\|b | 3 |\n") {
		t.Error(got)
	}
	s.skip("disks: needs root")
	s.fail("w: \x1b[31mred\nline <script>")
	for range mostShown + 2 {
		s.fail("x")
	}
	got := d.markdown()
	for _, want := range []string{"Of a part, as each says: Faults.", "**203 did not end as they should**", "Not tried:\n\n- disks: needs root\n", "- w: [31mred line script>\n", "and 3 more."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestReadFuzz(t *testing.T) {
	got := readFuzz(`== foresee/machine FuzzParse
fuzz: elapsed: 0s, gathering baseline coverage: 0/10 completed
fuzz: elapsed: 3s, execs: 1200 (400/sec), new interesting: 2 (total: 12)
fuzz: elapsed: 5s, execs: 2500 (500/sec), new interesting: 3 (total: 13)
PASS
== foresee/application/trace FuzzOpen
fuzz: elapsed: 1s, execs: 70 (70/sec), new interesting: 0 (total: 3)
--- FAIL: FuzzOpen (1.00s)
    --- FAIL: FuzzOpen (0.00s)
== foresee/application/trace FuzzDin
fuzz: elapsed: 10s, execs: 90 (70/sec), new interesting: 0 (total: 3)
--- FAIL: FuzzDin (10.26s)
    context deadline exceeded
== foresee/application/trace FuzzText
--- FAIL: FuzzText (10.26s)
    context deadline exceeded
    Failing input written to testdata/fuzz/FuzzText/1
!! foresee/predict
`)
	want := []target{
		{"machine FuzzParse", 2500, "", false, false},
		{"application/trace FuzzOpen", 70, "--- FAIL: FuzzOpen (1.00s)", false, false},
		{"application/trace FuzzDin", 90, "--- FAIL: FuzzDin (10.26s)", true, false},
		{"application/trace FuzzText", 0, "--- FAIL: FuzzText (10.26s)", true, true},
		{"foresee/predict", 0, "its tests cannot be built", false, false},
	}
	var well []bool
	for i := range got {
		well = append(well, got[i].well())
	}
	if !slices.Equal(got, want) || !slices.Equal(well, []bool{true, false, true, false, false}) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestMemory(t *testing.T) {
	r := &soaking{}
	for i := range 100 {
		r.samples = append(r.samples, int64(50+i%10))
	}
	r.samples[3], r.samples[77] = 80, 95
	if first, later := r.memory(); first != 80 || later != 95 {
		t.Errorf("%d and %d", first, later)
	}
	if n := residentNow(os.Getpid()); n < 1<<20 {
		t.Errorf("this process has %d bytes", n)
	}
}

func TestAccessesIn(t *testing.T) {
	for result, want := range map[string]uint64{`{"region":"x","accesses": 10000000000,"levels":[]}`: 10_000_000_000, `{}`: 0, `{"accesses":`: 0} {
		if got := accessesIn(result); got != want {
			t.Errorf("%s: %d, want %d", result, got, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	b := &bench{home: "/h", temp: "/t"}
	env := "\n" + strings.Join(b.env("TMPDIR=/other", "HOME"), "\n") + "\n"
	if strings.Contains(env, "\nHOME=") || !strings.Contains(env, "\nTMPDIR=/other\n") || !strings.Contains(env, "\nPATH=") {
		t.Error(env)
	}
}

// TestWriters wants each to have a name of its own, so that rows can be told apart.
func TestWriters(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range writers() {
		if seen[w.name] || w.out == "" || len(w.args) < 3 {
			t.Errorf("%+v", w)
		}
		seen[w.name] = true
	}
	if len(seen) < 25 {
		t.Errorf("%d writers", len(seen))
	}
}
