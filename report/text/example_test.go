package text_test

import (
	"os"

	"foresee/predict"
	"foresee/report/text"
)

// A miss ratio curve as a table. Results are plain values: whoever has one of another origin can show it as well.
func ExampleCurves() {
	curves := &predict.CurveResult{LineBytes: 64, Curves: []predict.Curve{{
		Region: "gemm", Threads: 1, Scope: "shared", Accesses: 4000000,
		Points: []predict.CurvePoint{{CacheBytes: 32 << 10, MissRatio: 0.0312}, {CacheBytes: 1 << 20, MissRatio: 0.0004}},
	}}}
	if err := text.Curves(os.Stdout, curves, text.Options{}); err != nil {
		panic(err)
	}
	// Output:
	// gemm: miss ratios of a fully associative LRU cache, lines of 64 B
	//
	// 1 thread, shared  █▁  4,000,000 accesses
	//
	//  cache  1 thread, shared
	// 32 KiB            0.0312
	//  1 MiB          0.000400
}
