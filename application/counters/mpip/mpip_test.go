package mpip_test

import (
	"strings"
	"testing"

	"foresee/application/counters"
	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

// The sample is made by hand after the user guide; sums by hand: rank 0 waits 20 times 70 ms in MPI_Allreduce.
func TestReport(t *testing.T) {
	file := check.Load(t, "tools/solver.2.100.1.mpiP")
	if file.Run == nil || file.Run.Params["p"] != 2 || len(file.Run.Warnings) != 0 {
		t.Fatalf("%+v", file.Run)
	}
	quantities, err := counters.LoadQuantities(nil)
	if err != nil {
		t.Fatal(err)
	}
	set := &counters.Set{}
	if err := file.Run.AddTo(set, quantities); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		callpath, metric string
		want             float64
	}{
		{counters.WholeRun, "time", 10},
		{counters.Collective, "time", (1.4 + 1.0) / 2},
		{counters.Collective + "->MPI_Allreduce", "time.max", 1.4},
		{counters.PointToPoint, "time", (0.05 + 0.55 + 0.05 + 0.45) / 2},
		{counters.PointToPoint, "bytes", 655400},
		{counters.PointToPoint + "->MPI_Isend", "calls", 20},
		{counters.Computing, "time", (8.0 + 8.5) / 2},
	} {
		s := set.Find(c.callpath, c.metric)
		if s == nil {
			t.Errorf("%s %s is missing", c.callpath, c.metric)
			continue
		}
		if got := s.Points[0].Median(); !check.Near(got, c.want) {
			t.Errorf("%s %s is %g instead of %g", c.callpath, c.metric, got, c.want)
		}
	}
	if set.Find(counters.WholeRun, "cpu") != nil {
		t.Error("mpiP measures no processor time")
	}
}

const concise = "@ mpiP\n@ Command : ./a\n----\n@--- MPI Time (seconds) ----\n----\nTask    AppTime    MPITime     MPI%\n   0         10          2    20.00\n   *         10          2    20.00\n"

func TestConcise(t *testing.T) {
	file, err := open.Read("x", strings.NewReader(concise))
	if err != nil {
		t.Fatal(err)
	}
	if m := file.Run.Messages[0]; len(m.Calls) != 1 || m.Calls[0].Seconds != 2 || !check.HasWarning(file.Run.Warnings, "concise") {
		t.Errorf("%+v", file.Run)
	}
}

func TestErrors(t *testing.T) {
	section := "@--- Callsite Time statistics (all, milliseconds): 1 ---\n"
	for _, c := range []struct{ text, want string }{
		{"@ mpiP\n@ Command : ./a\n", "x:2: the report has no section MPI Time"},
		{"@ mpiP\n@--- MPI Time (seconds) ---\n 1 2 3 4\n", "x:3: \"1\": the tasks must come one after the other"},
		{"@ mpiP\n@--- MPI Time (seconds) ---\n 0 2\n", "x:3: the row of a task has 2 of 4 columns"},
		{concise + section + "Send 1 7 1 1 1 1 1 1\n", `"7" is none of the 1 ranks`},
		{concise + section + "Send 1 0 1\n", "has 4 of 9 columns"},
		{concise + section + "Send 1 0 1 a 1 1 1 1\n", `Send of rank 0: "a" is not a number`},
	} {
		if _, err := open.Read("x", strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}

func FuzzMpiP(f *testing.F) {
	f.Add([]byte(concise))
	check.Fuzz(f, "tools/*.mpiP")
}
