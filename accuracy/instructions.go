package accuracy

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"foresee/internal/oracle/callgrind"
	"foresee/internal/oracle/kernels"
	"foresee/model/timing"
)

// instructions compares how many instructions the core model counts in sources with those that gcc makes, in scalar code.
func instructions(ctx context.Context, ks []kernels.Kernel, size string, progress func(done, total int)) (*Table, error) {
	t := &Table{
		Title: "Instructions of sources",
		Text: fmt.Sprintf("What the model of the core counts in the source of a kernel against callgrind's count of the program, compiled with gcc -O2 -fno-tree-vectorize -fopenmp, without its library, kernels at %s. "+
			"The model takes compare and branch for one, callgrind for two: one is added for each iteration of a loop. Code before and after loops, and address arithmetic that depends on the compiler, are not in the model.", size),
		Columns: []string{"kernel", "callgrind", "model", "error %"},
	}
	var all Errors
	for i, k := range ks {
		if progress != nil {
			progress(i, len(ks))
		}
		counted, err := callgrind.Count(ctx, "gcc", filepath.Dir(k.Path), k.Name, []string{"-D" + size, "-fopenmp", "-fno-tree-vectorize"})
		if err != nil {
			return nil, err
		}
		blocks, err := timing.Blocks(k.Program)
		if err != nil {
			return nil, err
		}
		model := 0.0
		for _, b := range blocks {
			model += b.Executions * b.Instructions()
			if b.Loop != nil {
				model += b.Executions
			}
		}
		off := 100 * (model/float64(counted.Instructions) - 1)
		all.Add(k.Name, math.Abs(off))
		t.value(k.Name, off)
		t.Rows = append(t.Rows, []string{k.Name, fmt.Sprint(counted.Instructions), fmt.Sprintf("%.0f", model), fmt.Sprintf("%+.1f", off)})
	}
	t.Summary = []string{all.line("instructions, %", "%.1f") + fmt.Sprintf(", median %.1f", all.Quantile(0.5))}
	return t, nil
}
