package accuracy

import (
	"context"
	"fmt"
	"math"
	"strings"

	"foresee/application"
	"foresee/application/record"
	"foresee/application/recording"
	"foresee/internal/oracle/callgrind"
	"foresee/predict"
)

// counted is what is compared with callgrind's counts.
var counted = [3]string{"loads", "stores", "flops"}

// counts compares loads, stores and operations with callgrind's.
func (t *tracer) counts(ctx context.Context, o Options) (*Table, error) {
	size := o.size("MINI")
	table := &Table{
		Title: "Recorded loads, stores and operations",
		Text: fmt.Sprintf("Kernels at %s, -O2, without OpenMP. Recorded: what the instrumented code of the kernel did. callgrind: what its machine code did in the uninstrumented program, without register spills, "+
			"literals and returns; block copies of the C library are added to both. Differences in percent of callgrind's.", size),
		Columns: []string{"kernel", "loads", "callgrind", "diff. %", "stores", "callgrind", "diff. %", "flops", "callgrind", "diff. %", "why"},
	}
	var figures [3]Errors
	for i, k := range t.names {
		if o.Progress != nil {
			o.Progress(i, len(t.names))
		}
		recorded, err := t.countRecorded(ctx, k, size)
		if err != nil {
			return nil, err
		}
		native, err := callgrind.Count(ctx, t.compiler.Path, t.dir, k, []string{"-D" + size})
		if err != nil {
			return nil, err
		}
		truth := [3]int64{native.Loads, native.Stores, native.Flops}
		copies := copiesOf(native)
		truth[0] += copies[0]
		truth[1] += copies[1]
		row := []string{k}
		var wrong [3]float64
		for j := range 3 {
			wrong[j] = 100 * (float64(recorded[j]) - float64(truth[j])) / math.Max(float64(truth[j]), 1)
			figures[j].Add(k, math.Abs(wrong[j]))
			table.value(k+", "+counted[j], wrong[j])
			row = append(row, fmt.Sprint(recorded[j]), fmt.Sprint(truth[j]), fmt.Sprintf("%+.2f", wrong[j]))
		}
		table.Rows = append(table.Rows, append(row, why(wrong, native)))
	}
	for j, what := range counted {
		table.Summary = append(table.Summary, fmt.Sprintf("%s: median %.2f %%, %s", what, figures[j].Quantile(0.5), figures[j].line("absolute difference", "%.2f %%")))
	}
	return table, nil
}

// copiesOf are the accesses of the C library's block copies, where nothing else of it is called.
func copiesOf(n *callgrind.Counts) [2]int64 {
	for name := range n.Calls {
		if !strings.Contains(name, "mem") {
			return [2]int64{}
		}
	}
	return [2]int64{n.Library.Loads, n.Library.Stores}
}

// most is the difference, in percent, from which one is explained.
const most = 2

// why names the cause of a difference that callgrind's own counts show.
func why(wrong [3]float64, n *callgrind.Counts) string {
	var causes []string
	copies, others := false, false
	for name := range n.Calls {
		if strings.Contains(name, "mem") {
			copies = true
		} else {
			others = true
		}
	}
	if math.Abs(wrong[0]) > most || math.Abs(wrong[1]) > most {
		switch {
		case copies && others:
			causes = append(causes, "block copies of the C library, which callgrind's counts of other library functions hide")
		case copies:
			causes = append(causes, "block copies: accesses of 32 bytes here, of other lengths at their ends in the C library")
		case wrong[0] > most:
			causes = append(causes, "loads of values that machine code holds in registers or takes for spills")
		default:
			causes = append(causes, "accesses that the code generator adds, splits or merges")
		}
	}
	if math.Abs(wrong[2]) > most {
		if others {
			causes = append(causes, "a mathematical function is one operation here, and in a library there")
		} else {
			causes = append(causes, "a product in several multiply-adds counts in each here; without fused instructions machine code computes it once")
		}
	}
	return strings.Join(causes, "; ")
}

// countRecorded gives loads, stores and floating-point operations of a kernel.
func (t *tracer) countRecorded(ctx context.Context, kernel, size string) (counts [3]int64, err error) {
	program, err := t.build(ctx, kernel, size)
	if err != nil {
		return counts, err
	}
	err = t.run(ctx, record.Run{Program: program, Serial: true}, func(src recording.Source) error {
		r, err := predict.Activities(ctx, kernel, &application.Recorded{Source: src, ByFunction: true}, predict.Options{}, 1)
		if err != nil {
			return err
		}
		for _, a := range r.Regions {
			if ofKernel(a.Region) {
				counts[0] += a.Loads
				counts[1] += a.Stores
				counts[2] += a.Flops
			}
		}
		return nil
	})
	return counts, err
}

// ofKernel tells the functions that are timed from those around them.
func ofKernel(function string) bool {
	switch {
	case strings.HasPrefix(function, "init"), strings.HasPrefix(function, "checksum"), strings.HasPrefix(function, "harness"), function == "main", function == "unknown":
		return false
	}
	return true
}
