package compiled_test

import (
	"math"
	"strconv"
	"testing"

	"foresee/application/codegen"
	"foresee/application/csource"
	"foresee/predict/compiled"
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

// relaxed is shortest paths, whose minima are found ever more seldom, and behind them a triangle whose work grows: data decide there too, always alike.
const relaxed = `static double d[N][N], L[M][M];
void fill(void) {
    unsigned s = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            s = s * 1664525u + 1013904223u;
            d[i][j] = (s >> 8) % 1000;
        }
}
void paths(void) {
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
}
void triangle(void) {
    for (int j = 0; j < M; j++)
        for (int i = j + 1; i < M; i++) {
            double t = L[i][j];
            for (int k = 0; k < j; k++)
                if (L[i][k] < 0.5)
                    t -= L[i][k] * L[j][k];
            L[i][j] = t / (1 + L[j][j]);
        }
}
int main(void) {
    fill();
    paths();
    triangle();
    return d[1][2] + L[1][2];
}
`

// TestRelaxed follows a program whose data decide its course and which is too long to be followed whole. An iteration of its triangle costs what it does of a
// smaller one, and one of its paths less than in the first two steps, in which one in six finds a shorter path, of all 500 one in 40.
func TestRelaxed(t *testing.T) {
	needs(t, "gcc")
	m := zen4(t)
	each := func(n, steps, size int) (paths, triangle float64) {
		code, programs, blocks := read(t, "relaxed.c", relaxed, csource.Options{Defines: []string{"N=" + strconv.Itoa(n), "STEPS=" + strconv.Itoa(steps), "M=" + strconv.Itoa(size)}})
		given, _ := follow(t, m, []string{"gcc", "-O2"}, code, programs).Give(programs, blocks)
		for i, p := range programs {
			switch all, _ := total(given[i]); p.Region {
			case "paths":
				paths = all / float64(n*n*steps)
			case "triangle":
				triangle = all / math.Pow(float64(size), 3) * 6
			}
		}
		return paths, triangle
	}
	first, small := each(500, 2, 120)
	all, behind := each(500, 500, 400)
	if math.Abs(behind/small-1) > 0.1 {
		t.Errorf("%.2f cycles an iteration of a triangle of 400, %.2f of 120", behind, small)
	}
	if all < 0.2*first || all > 0.7*first {
		t.Errorf("%.2f cycles an iteration of shortest paths, %.2f in the first steps", all, first)
	}
}

// vectors is a dot product by hand, whose instructions have the lines of the compiler's header.
const vectors = `#include <immintrin.h>
double a[1024], b[1024], c[4];
void dot(void) {
    __m256d s = _mm256_setzero_pd();
    for (int r = 0; r < 50; r++)
        for (int i = 0; i < 1024; i += 4)
            s = _mm256_fmadd_pd(_mm256_loadu_pd(a + i), _mm256_loadu_pd(b + i), s);
    _mm256_storeu_pd(c, s);
}
int main(void) { dot(); return c[0] > 0; }
`

// TestIntrinsics: code of intrinsics belongs to where they are called. It waits for its sum, of which each addition takes 4 cycles (Zen 4); so does the code as
// foresee makes it, which takes a product and an addition: 3 cycles.
func TestIntrinsics(t *testing.T) {
	needs(t, "gcc")
	m := zen4(t)
	code, programs, blocks := read(t, "dot.c", vectors, csource.Options{Regions: []string{"dot"}})
	given, _ := follow(t, m, []string{"gcc", "-O2", "-mavx2", "-mfma"}, code, programs).Give(programs, blocks)
	if cycles, _ := total(given[0]); math.Abs(cycles/(50*256)-4) > 0.4 {
		t.Errorf("%.2f cycles for four elements of compiled code", cycles/(50*256))
	}
	made, err := codegen.Make(programs[0], codegen.Plain)
	if err != nil {
		t.Fatal(err)
	}
	assumed, err := compiled.Assume(t.Context(), made, blocks[0], m, 1)
	if err != nil {
		t.Fatal(err)
	}
	if cycles, _ := total(assumed); math.Abs(cycles/(50*256)-3) > 0.4 {
		t.Errorf("%.2f cycles for four elements of code as foresee makes it", cycles/(50*256))
	}
}
