package accuracy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"foresee/accuracy/measurements"
	"foresee/application"
	"foresee/application/counters"
	"foresee/application/csource"
	"foresee/examples"
	"foresee/internal/workspace"
	"foresee/model/cache"
	"foresee/model/scaling"
	"foresee/predict"
	"foresee/predict/scale"
)

const haloFile = "run_halo.jsonl"

// callgrindLine is the line, in bytes, of the first-level cache that callgrind simulated while the programs were recorded: 32 KiB of 8 ways, its
// --cache D1=32KiB,8,64 (measurements/README.md).
const callgrindLine = 64

// recordedPrograms is the table of programs recorded with foresee mpi --counters callgrind, fitted on 1 to 8 ranks.
func recordedPrograms(ctx context.Context, o Options) (*Table, error) {
	t := &Table{
		Title:   "Scaling: recorded programs, end to end",
		Text:    "Programs recorded with foresee mpi --counters callgrind on 1 to 32 ranks, and predicted with foresee scale --holdout 2: fitted on 1, 2, 4 and 8 ranks. Counts are of the program between MPI_Init and MPI_Finalize, without what its main thread does in MPI. LAMMPS is the melt of 32 000 atoms; the halo exchange a 7-point stencil on 64³ cells, and on 61×67×71, which no number of ranks divides. With reuse profiles: those of examples/measurements/halo-step.c, of the cells of a rank at 1, 2, 4 and 8 ranks, on the caches that callgrind simulated. Errors in percent.",
		Columns: []string{"program", "metric", "16 ranks", "32 ranks"},
	}
	for _, program := range []struct{ name, file string }{{"LAMMPS", "run_lammps.jsonl"}, {"halo exchange", haloFile}, {"halo exchange, uneven", "run_halo_uneven.jsonl"}} {
		set, err := measurements.Read("", program.file)
		if err != nil {
			return nil, err
		}
		r, err := scale.Predict(ctx, set, scale.Options{HoldOut: 2})
		if err != nil {
			return nil, err
		}
		for _, metric := range []struct{ callpath, metric, name string }{
			{counters.WholeRun, "instructions", "instructions"},
			{counters.WholeRun, "instructions" + counters.MaxSuffix, "instructions, slowest rank"},
			{counters.WholeRun, "l1_misses", "L1 misses"},
			{counters.PointToPoint, "bytes", "bytes, point to point"},
			{counters.PointToPoint, "calls", "messages, point to point"},
		} {
			t.Rows = append(t.Rows, heldOutRow(r, program.name, metric.name, metric.callpath, metric.metric))
		}
		if program.file == haloFile {
			if r, err = haloByCapacity(ctx, o); err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, heldOutRow(r, program.name+", with reuse profiles", "L1 misses", counters.WholeRun, "l1_misses"))
		}
		t.Summary = append(t.Summary, program.name+": "+coverage(r.Kernels))
	}
	return t, nil
}

// coverage tells how many kernels there are and how much of the instructions they have in the run where that is least. A kernel's shares are by
// run; scaling.Rest is not one of them, but what all of them leave.
func coverage(kernels []scale.Kernel) string {
	n, least := 0, 1.0
	for _, k := range kernels {
		if k.Name == scaling.Rest {
			for _, share := range k.Shares {
				least = min(least, 1-share)
			}
		} else {
			n++
		}
	}
	return fmt.Sprintf("%d kernels, with at least %.1f %% of the instructions", n, 100*least)
}

// heldOutRow is a row of the table: a program, what is predicted of it, and the errors of one metric of one callpath at the held-out points, in
// percent.
func heldOutRow(r *scale.Result, program, name, callpath, metric string) []string {
	row := []string{program, name}
	for _, h := range r.HeldOut {
		if h.Callpath == callpath && h.Metric == metric {
			row = append(row, fmt.Sprintf("%.2f", 100*h.Error))
		}
	}
	return row
}

// haloByCapacity predicts the halo exchange with reuse profiles of a rank's cells, as MPI_Dims_create deals 64³.
func haloByCapacity(ctx context.Context, o Options) (*scale.Result, error) {
	set, err := measurements.Read("", haloFile)
	if err != nil {
		return nil, err
	}
	work, err := workspace.New("halo")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	path := filepath.Join(work.Path, "halo-step.c")
	if err := os.WriteFile(path, examples.HaloStep, 0o644); err != nil {
		return nil, err
	}
	for _, run := range []struct {
		p     float64
		cells [3]int
	}{{1, [3]int{64, 64, 64}}, {2, [3]int{32, 64, 64}}, {4, [3]int{32, 32, 64}}, {8, [3]int{32, 32, 32}}} {
		unit, err := csource.Load(path, nil, csource.Options{Defines: []string{fmt.Sprint("LX=", run.cells[0]), fmt.Sprint("LY=", run.cells[1]), fmt.Sprint("LZ=", run.cells[2])}})
		if err != nil {
			return nil, err
		}
		found, err := predict.Profiles(ctx, predict.ProfileRequest{Signature: application.OfLoops("", unit.Programs...), Threads: []int{1}, Line: callgrindLine, Options: predict.Options{Seed: o.Seed}})
		if err != nil {
			return nil, err
		}
		var profiles []counters.Reuse
		for _, p := range found.Profiles {
			r := counters.Reuse{Region: p.Region, LineBytes: found.LineBytes, Cold: float64(p.Cold)}
			for _, b := range p.Histogram {
				r.Bins = append(r.Bins, counters.ReuseBin{Low: float64(b.Low), High: float64(b.High), Count: float64(b.Count)})
			}
			profiles = append(profiles, r)
		}
		if err := set.AddReuse(map[string]float64{"p": run.p}, profiles); err != nil {
			return nil, err
		}
	}
	return scale.Predict(ctx, set, scale.Options{HoldOut: 2, Caches: []scale.Cache{
		{Metric: "l1_misses", Name: "L1", Line: callgrindLine, Geometry: cache.Geometry{Lines: 32 << 10 / callgrindLine, Ways: 8}},
	}})
}
