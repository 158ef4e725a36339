package cube_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

// Oracle: the values as they stand in the archive, read by another program (struct and zlib of Python), and what is called subtracted by hand.
func TestArchive(t *testing.T) {
	file := check.Load(t, "cube/threads.cubex")
	if len(file.Profiles) != 2 || file.Format != "cube" {
		t.Fatalf("%d profiles of %s", len(file.Profiles), file.Format)
	}
	for _, c := range []struct {
		process     int
		path, event string
		want        float64
	}{
		{0, "main", "time [sec]", 14 - 5 - 4.2 - 3.5}, // of thread 0; thread 1 has 3.2 - 3.2
		{1, "main", "time [sec]", 13.9 - 4.9 - 4.1 - 3.4},
		{0, "main->omp parallel", "time [sec]", 3.5}, // threads run side by side
		{1, "main->foo", "time [sec]", 4.9},
		{0, "main->omp parallel", "visits", 12}, // and both count
		{1, "main->zero", "visits", 1},
	} {
		p := &file.Profiles[c.process]
		if got := check.Value(t, p, c.path, c.event); !(got > c.want-1e-9 && got < c.want+1e-9) {
			t.Errorf("process %d, %s of %s: %g, not %g", c.process, c.event, c.path, got, c.want)
		}
		if p.Rank != c.process || p.Params["p"] != 2 {
			t.Errorf("rank %d, parameters %v", p.Rank, p.Params)
		}
	}
	p := check.Profile(t, "cube/matmul.cubex") // whose values are packed
	if got, want := check.Value(t, p, "main", "PAPI_FP_OPS"), 7800.0-3766-4028; got != want {
		t.Errorf("packed: %g, not %g", got, want)
	}
	if got := check.Value(t, p, "main->mat_mul", "time [sec]"); got != 6.546e-06 {
		t.Errorf("packed: %g", got)
	}
	if strings.Contains(strings.Join(p.Events, " "), "min_time") {
		t.Error("smallest values do not add up")
	}
}

const cube3 = `<?xml version="1.0" encoding="ISO-8859-1"?>
<cube version="3.0">
 <metrics>
  <metric id="0"><disp_name>Time</disp_name><uniq_name>time</uniq_name><dtype>FLOAT</dtype><uom>sec</uom>
   <metric id="1"><uniq_name>mpi</uniq_name><dtype>FLOAT</dtype><uom>sec</uom></metric>
  </metric>
  <metric id="2"><uniq_name>visits</uniq_name><dtype>INTEGER</dtype><uom>occ</uom></metric>
 </metrics>
 <program>
  <region id="0" mod="a.c" begin="1" end="9"><name>main</name></region>
  <region id="1" mod="a.c" begin="1" end="9"><name>MPI_Bcast</name></region>
  <csite id="0" line="2" mod="a.c"><callee>1</callee></csite>
  <cnode id="0" calleeId="0"><cnode id="1" calleeId="1"></cnode></cnode>
 </program>
 <system><machine Id="0"><name>m</name><node Id="0"><name>n</name>
  <process Id="0"><name>p</name><rank>0</rank><thread Id="0"><name>t</name><rank>0</rank></thread></process>
  <process Id="1"><name>p</name><rank>1</rank><thread Id="1"><name>t</name><rank>0</rank></thread></process>
 </node></machine></system>
 <severity>
  <matrix metricId="0"><row cnodeId="0">1.5
2.5
</row></matrix>
  <matrix metricId="1"><row cnodeId="1">0.5
0.25
</row></matrix>
  <matrix metricId="2"><row cnodeId="0">1
1
</row><row cnodeId="1">7
7
</row></matrix>
 </severity>
</cube>
`

// The matrices of CUBE 3 leave out callees and the metrics below: the time of MPI_Bcast stands with mpi alone.
func TestXML(t *testing.T) {
	file, err := open.Read("old.cube", strings.NewReader(cube3))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rank        int
		path, event string
		want        float64
	}{
		{0, "main", "time [sec]", 1.5}, {1, "main->MPI_Bcast", "time [sec]", 0.25}, {1, "main->MPI_Bcast", "mpi [sec]", 0.25}, {0, "main->MPI_Bcast", "visits", 7},
	} {
		if got := check.Value(t, &file.Profiles[c.rank], c.path, c.event); got != c.want {
			t.Errorf("%v: %g", c, got)
		}
	}
}

func TestDump(t *testing.T) {
	file := check.Load(t, "tools/cube-dump.csv")
	if len(file.Profiles) != 2 || file.Format != "cube-dump" {
		t.Fatalf("%d profiles of %s", len(file.Profiles), file.Format)
	}
	if check.Value(t, &file.Profiles[1], "cnode 1", "time [sec]") != 3 || check.Value(t, &file.Profiles[0], "cnode 0", "visits") != 1 || !check.HasWarning(file.Profiles[0].Warnings, "-z excl") {
		t.Errorf("%+v", file.Profiles)
	}
	file, err := open.Read("x", strings.NewReader("Region ID,time,Subroutines\n4,1.5,3\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p := &file.Profiles[0]; !p.Summed || check.Value(t, p, "region 4", "time [sec]") != 1.5 || len(p.Events) != 1 {
		t.Errorf("%+v", p)
	}
}

// Every cut is an error that says what to do; none is taken for a whole file.
func TestErrors(t *testing.T) {
	whole, err := os.ReadFile("../testdata/cube/threads.cubex")
	if err != nil {
		t.Fatal(err)
	}
	for n := 600; n < len(whole)-2000; n += 511 {
		if _, err := open.Read("x", bytes.NewReader(whole[:n])); err == nil {
			t.Errorf("cut to %d of %d bytes: no error", n, len(whole))
		}
	}
	anchor := cube3[:strings.Index(cube3, "<severity>")] + "</cube>"
	for _, c := range []struct{ text, want string }{
		{anchor, "give the archive itself"},
		{cube3[:strings.Index(cube3, "</severity>")], "x: line"},
		{strings.Replace(cube3, "1.5\n", "one\n", 1), `"one" is not a number`},
		{"Cnode ID,time\n0,1,2\n", "x:2: the row has 3 columns and the head 2"},
		{"Cnode ID, Thread ID,time\n0,a,2\n", "x:2: \"a\": the number of a location"},
		{"Cnode ID,time\n", "the table has no row"},
	} {
		if _, err := open.Read("x", strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}

func FuzzCube(f *testing.F) {
	f.Add([]byte(cube3))
	check.Fuzz(f, "cube/*.cubex")
}

func FuzzDump(f *testing.F) { check.Fuzz(f, "tools/cube-dump.csv") }
