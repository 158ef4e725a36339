package scaling_test

import (
	"fmt"

	"foresee/model/scaling"
)

// Seconds of a program on 2 to 16 processes, of which one hundredth does not run in parallel, predicted on 64: the prediction has an interval,
// as forms that agree on small runs differ on large ones.
func Example() {
	series := &scaling.Series{Name: "time", Parameters: []string{"p"}}
	const serial, parallel = 1.0, 99.0
	for _, p := range []float64{2, 4, 8, 16} {
		series.At = append(series.At, []float64{p})
		series.Y = append(series.Y, serial+parallel/p)
		series.Spread = append(series.Spread, 0)
	}
	fitted, err := scaling.Fit(series, scaling.DefaultPrior(1))
	if err != nil {
		panic(err)
	}
	at := fitted.At([]float64{64})
	truth := serial + parallel/64
	fmt.Printf("%.2f s, most likely between %.2f and %.2f s; the truth is %.2f s\n", at.Value, at.Low, at.High, truth)
	// Output:
	// 2.55 s, most likely between 2.29 and 2.79 s; the truth is 2.55 s
}
