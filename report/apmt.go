package report

import (
	"fmt"

	"foresee/predict/scale"
)

// APMTKernels is the table of the published model's kernels: CPI with its deviation, the memory blocking factor at each point asked for, and how often
// they go to memory.
func APMTKernels(r *scale.Result) (columns []string, rows [][]string) {
	columns = []string{"kernel", "CPI", "deviation", "E"}
	for i, k := range r.APMT.Kernels {
		row := []string{k.Name, Significant(k.CPI, 3), fmt.Sprintf("%.2g", k.Deviation), fmt.Sprintf("%.2g", k.Contention)}
		for _, b := range k.BFMem {
			if i == 0 {
				columns = append(columns, "BF_mem at "+ScalingPoint(r, b.Params))
			}
			row = append(row, fmt.Sprintf("%.3g", b.Value))
		}
		rows = append(rows, row)
	}
	return columns, rows
}

// APMTFunctions are the functions of the published model, a line each.
func APMTFunctions(r *scale.Result) []string {
	m := r.APMT
	out := []string{fmt.Sprintf("BF_comm %.3g", m.BFComm)}
	if m.NRMSE != nil {
		out[0] += fmt.Sprintf(", NRMSE of shares by cycles against those by time %.2g", *m.NRMSE)
	}
	for _, k := range m.Kernels {
		for _, f := range [][2]string{{"instructions", k.Instructions}, {"L1 hits", k.L1}, {"L2 hits", k.L2}, {"LLC hits", k.LLC}, {"memory", k.Memory}, {"stalls", k.Stalls}} {
			out = append(out, fmt.Sprintf("%s, %s: %s", k.Name, f[0], f[1]))
		}
	}
	out = append(out, "point to point, s: "+m.PointToPoint)
	for _, c := range m.Collectives {
		out = append(out, fmt.Sprintf("%s, s: %s; bytes: %s", c.Name, c.Time, c.Bytes))
	}
	return out
}
