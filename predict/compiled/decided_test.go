package compiled_test

import (
	"math"
	"strconv"
	"testing"

	"foresee/application/csource"
)

// threshold copies numbers that are as good as random and cuts them at half of their range, over and over.
const threshold = `static float in[N], out[N];
void fill(void) {
    unsigned s = 1;
    for (int i = 0; i < N; i++) {
        s = s * 1664525u + 1013904223u;
        in[i] = (s >> 8) % RANGE;
    }
}
void cut(void) {
    for (int t = 0; t < TIMES; t++) {
        for (int i = 0; i < N; i++)
            out[i] = in[i];
        for (int i = 0; i < N; i++)
            if (out[i] > 128)
                out[i] = 255;
            else if (out[i] < 100)
                out[i] = 0;
    }
}
int main(void) {
    fill();
    cut();
    return out[5];
}
`

// TestDecided follows a program whose branches hang on data. Of the numbers below 256 half are above 128, and of the rest one in four and a half is not below 100: 0.6
// wrong guesses an iteration where each goes by the more frequent way, of 16 cycles and what the core must do again; of the numbers below 100 none. And the larger
// program, which is not followed whole, costs an iteration what the smaller does. (A Zen 4 took 14 to 20 cycles an iteration.)
func TestDecided(t *testing.T) {
	needs(t, "gcc")
	m := zen4(t)
	each := func(n, times int, values string) float64 {
		code, programs, blocks := read(t, "cut.c", threshold, csource.Options{Defines: []string{"RANGE=" + values, "N=" + strconv.Itoa(n), "TIMES=" + strconv.Itoa(times)}})
		given, _ := follow(t, m, []string{"gcc", "-O2"}, code, programs).Give(programs, blocks)
		for i, p := range programs {
			if p.Region == "cut" {
				all, _ := total(given[i])
				return all / float64(n*times)
			}
		}
		t.Fatal("no region cut")
		return 0
	}
	random, plain := each(20_000, 2, "256"), each(20_000, 2, "100")
	if more := random - plain; more < 0.6*14 || more > 0.6*26 {
		t.Errorf("%.2f cycles an iteration of numbers about the threshold, %.2f of others", random, plain)
	}
	if long := each(400_000, 8, "256"); math.Abs(long/random-1) > 0.15 {
		t.Errorf("%.2f cycles an iteration of a long program, %.2f of a short one", long, random)
	}
}
