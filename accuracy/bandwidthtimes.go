package accuracy

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"foresee/application"
	"foresee/application/record"
	"foresee/application/recording"
	"foresee/examples"
	"foresee/internal/oracle/kernels"
	"foresee/internal/workspace"
	"foresee/machine"
	"foresee/predict"
)

// tracedTimes compares the times of traced kernels: what ran is what is predicted, as in the paper. It is nil without clang.
func tracedTimes(ctx context.Context, o Options, m *machine.Machine) (*Table, error) {
	tr, err := newTracer(ctx, o)
	if err != nil {
		return nil, nil //nolint:nilerr // said in the notes
	}
	defer tr.close()
	size := o.size("MEDIUM")
	t := &Table{
		Title: "Times of traced runs",
		Text: fmt.Sprintf("Kernels at %s on one thread of %s, compiled with clang -O2, caches emptied before each run, against predictions from one traced run of the same code (`predict --trace`): hit rates by simulation, operations "+
			"as compiled. Errors of the time in %%; memory is of those that a cache or memory bounds by the bandwidth model.", size, m.Title),
		Columns: []string{"kernel", "measured", "bandwidth", "error", "bound", "overlap", "error"},
	}
	var all, bound, other Errors
	for i, k := range tr.names {
		if o.Progress != nil {
			o.Progress(i, len(tr.names))
		}
		measured, err := RunKernel(ctx, []string{tr.compiler.Path, "-O2", "-fopenmp"}, filepath.Join(tr.dir, k+".c"), size, 1, FlushBytes(m))
		if err != nil {
			if i == 0 {
				return nil, nil
			}
			return nil, err
		}
		program, err := tr.build(ctx, k, size, openmp)
		if err != nil {
			return nil, err
		}
		times := map[string]float64{}
		by, most := "", 0.0
		for _, model := range []string{predict.ModelBandwidth, predict.ModelOverlap} {
			err := tr.run(ctx, record.Run{Program: program, Cuts: []int{1}}, func(src recording.Source) error {
				r, err := predict.Run(ctx, predict.Request{Signature: application.OfRun(k, src, false), Machines: []*machine.Machine{m}, Threads: []int{1}, Model: model, Options: predict.Options{Seed: o.Seed}})
				if err != nil {
					return err
				}
				for _, p := range r.Predictions {
					if p.TimeS == nil {
						return fmt.Errorf("%s: %v", k, p.Warnings)
					}
					times[model] += *p.TimeS
					if model == predict.ModelBandwidth && *p.TimeS > most {
						by, most = p.BoundBy, *p.TimeS
					}
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		a, b := times[predict.ModelBandwidth]/measured-1, times[predict.ModelOverlap]/measured-1
		all.Add(k, 100*math.Abs(a))
		other.Add(k, 100*math.Abs(b))
		if by != "compute" && by != "latency" && by != "parallel" {
			bound.Add(k, 100*math.Abs(a))
		}
		t.Rows = append(t.Rows, []string{k, Seconds(measured), Seconds(times[predict.ModelBandwidth]), fmt.Sprintf("%+.0f", 100*a), by, Seconds(times[predict.ModelOverlap]), fmt.Sprintf("%+.0f", 100*b)})
	}
	t.Summary = []string{
		bound.line("bandwidth, memory, %", "%.1f") + fmt.Sprintf(", median %.1f", bound.Quantile(0.5)),
		all.line("bandwidth, all, %", "%.1f") + fmt.Sprintf(", median %.1f", all.Quantile(0.5)),
		other.line("overlap, all, %", "%.1f") + fmt.Sprintf(", median %.1f", other.Quantile(0.5)),
	}
	return t, nil
}

// memoryBound compares the times of kernels that memory bounds, on this machine.
func memoryBound(ctx context.Context, o Options, m *machine.Machine) (*Table, error) {
	t := &Table{
		Title: "Times of loops that memory bounds",
		Text: fmt.Sprintf("Kernels on one thread of %s, compiled with gcc -O2, caches emptied before each run, against foresee's convolver (`--model bandwidth`) on what `foresee machine measure` found: of all kernels those "+
			"that either model calls bound by a cache or memory. As written: the same without vectors (-fno-tree-vectorize), which change the order of accesses where whole loops are taken together. "+
			"Errors of the time in %%. Paper: 6.6 on 876 loops, 9.3 on whole applications.", m.Title),
		Columns: []string{"kernel", "size", "measured", "bandwidth", "error", "as written", "error", "bound", "overlap", "error"},
	}
	var own, other, written Errors
	bySize := map[string]*Errors{}
	names := o.Kernels
	if len(names) == 0 {
		names = examples.Kernels()
	}
	all := []string{"MEDIUM", "LARGE"}
	if o.Size != "" {
		all = []string{o.Size}
	}
	for _, size := range all {
		bySize[size] = &Errors{}
		work, err := workspace.New("bandwidth")
		if err != nil {
			return nil, err
		}
		defer work.Remove()
		ks, err := kernels.Load(work.Path, size, names...)
		if err != nil {
			return nil, err
		}
		for i, k := range ks {
			if o.Progress != nil {
				o.Progress(i, len(ks))
			}
			predictions := map[string]predict.Prediction{}
			bound := false
			for _, model := range []string{predict.ModelBandwidth, predict.ModelOverlap} {
				r, err := predict.Run(ctx, predict.Request{Signature: application.OfLoops(k.Name, k.Program), Machines: []*machine.Machine{m}, Threads: []int{1}, Model: model, Options: predict.Options{Seed: o.Seed}})
				if err != nil {
					return nil, err
				}
				p := r.Predictions[0]
				predictions[model] = p
				bound = bound || p.TimeS != nil && p.BoundBy != "compute" && p.BoundBy != "latency" && p.BoundBy != "parallel"
			}
			p, q := predictions[predict.ModelBandwidth], predictions[predict.ModelOverlap]
			if !bound || p.TimeS == nil || q.TimeS == nil {
				continue
			}
			measured, err := RunKernel(ctx, []string{"gcc", "-O2", "-fopenmp"}, k.Path, size, 1, FlushBytes(m))
			if err != nil {
				return nil, err
			}
			scalar, err := RunKernel(ctx, []string{"gcc", "-O2", "-fopenmp", "-fno-tree-vectorize"}, k.Path, size, 1, FlushBytes(m))
			if err != nil {
				return nil, err
			}
			a, b, c := *p.TimeS/measured-1, *q.TimeS/measured-1, *p.TimeS/scalar-1
			name := k.Name + " " + size
			own.Add(name, 100*math.Abs(a))
			bySize[size].Add(name, 100*math.Abs(a))
			other.Add(name, 100*math.Abs(b))
			written.Add(name, 100*math.Abs(c))
			t.Rows = append(t.Rows, []string{k.Name, size, Seconds(measured), Seconds(*p.TimeS), fmt.Sprintf("%+.0f", 100*a), Seconds(scalar), fmt.Sprintf("%+.0f", 100*c), p.BoundBy, Seconds(*q.TimeS), fmt.Sprintf("%+.0f", 100*b)})
		}
	}
	t.Summary = append(t.Summary, own.line("bandwidth, %", "%.1f")+fmt.Sprintf(", median %.1f", own.Quantile(0.5)))
	for _, size := range all {
		t.Summary = append(t.Summary, bySize[size].line("bandwidth, "+size+", %", "%.1f"))
	}
	t.Summary = append(t.Summary, written.line("bandwidth, as written, %", "%.1f")+fmt.Sprintf(", median %.1f", written.Quantile(0.5)))
	t.Summary = append(t.Summary, other.line("overlap, %", "%.1f")+fmt.Sprintf(", median %.1f", other.Quantile(0.5)))
	return t, nil
}
