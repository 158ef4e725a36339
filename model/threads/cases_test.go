package threads_test

import (
	"context"
	"math"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/model/threads"
)

// TestCases compares curves of programs that are unlike the kernels with exact ones.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		name, source string
		team         threads.Team
		bound        float64 // of the mean error
	}{
		{"serial code, private caches", `
#define N 4096
double A[N], s, P[64];
void k(void) {
    for (int t = 0; t < 8; t++) {
        for (int i = 0; i < N; i++) s += A[i];
#pragma omp parallel for
        for (int i = 0; i < 64; i++) P[i] += 1;
    }
}`, threads.Team{Threads: 16, Group: 1}, 0.02},
		{"every second iteration is empty", `
#define N 256
double A[N][64], B[64];
void k(void) {
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for schedule(static, 1)
        for (int i = 0; i < N; i++) {
            if (i % 2 == 0) {
                for (int j = 0; j < 64; j++) A[i][j] += B[j];
            } else
                A[i][0] = 1;
        }
    }
}`, threads.Team{Threads: 8, Group: 8}, 0.03},
		{"one iteration does most", `
#define N 200
double A[N][512], B[512];
void k(void) {
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < (i == 0 ? 512 : 16); j++) A[i][j] += B[j];
}`, threads.Team{Threads: 16, Group: 1}, 0.03},
		{"copies of private arrays, threads without work", `
#define N 3
double A[N][1024], out[N];
void k(void) {
    double buf[1024];
#pragma omp parallel for private(buf)
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < 1024; j++) buf[j] = A[i][j];
        for (int j = 1; j < 1024; j++) buf[j] += buf[j - 1];
        out[i] = buf[255];
    }
}`, threads.Team{Threads: 64, Group: 64}, 0.02},
		{"serial code between, private caches", `
#define N 4096
double A[N];
void k(void) {
    double s = 0;
    for (int t = 0; t < 6; t++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++) A[i] += 1;
        for (int i = 0; i < N; i++) s += A[i];
    }
}`, threads.Team{Threads: 4, Group: 1}, 0.03},
		{"more threads than iterations", `
double A[5][300], B[300];
void k(void) {
    for (int t = 0; t < 9; t++) {
#pragma omp parallel for
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 300; j++) A[i][j] += B[j];
    }
}`, threads.Team{Threads: 32, Group: 32}, 0.03},
	} {
		unit, err := csource.Load("k.c", []byte(c.source), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := unit.Programs[0]
		s, err := threads.Analyse(context.Background(), p, threads.AnalyseOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		var sizes []float64
		for b := 16.0; b <= max(32, s.Lines*1.02); b *= math.Sqrt2 {
			sizes = append(sizes, math.Floor(b))
		}
		got, want := threads.NewModel(s).Distances(c.team).MissRatios(sizes), exact(t, p, c.team, sizes)
		sum := 0.0
		for i := range sizes {
			sum += math.Abs(got[i]-want[i]) / float64(len(sizes))
		}
		if sum > c.bound {
			t.Errorf("%s: error %.4f\n got %.3f\nwant %.3f", c.name, sum, got, want)
		}
	}
}

// TestNoAccesses: a loop that never runs has a signature, and nothing is to be said of it.
func TestNoAccesses(t *testing.T) {
	unit, err := csource.Load("k.c", []byte("double A[8];\nvoid k(void) {\n#pragma omp parallel for\nfor (int i = 0; i < 0; i++) A[i] = 1; }"), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := threads.Analyse(context.Background(), unit.Programs[0], threads.AnalyseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m := threads.NewModel(s)
	if d := m.Distances(threads.Team{Threads: 3, Group: 3}); d.Total() != 0 || m.Balance(threads.Team{Threads: 3, Group: 3}) != (nest.Balance{Imbalance: 1}) {
		t.Errorf("%+v", d)
	}
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := new(threads.Signature).UnmarshalBinary(data); err != nil {
		t.Error(err)
	}
}

// TestManyIrregularShapes: a signature stays short where every execution spreads its work in a way of its own.
func TestManyIrregularShapes(t *testing.T) {
	const source = `
#define N 900
double A[N + 1][40];
void k(void) {
    for (int t = 0; t < N; t++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            for (int j = 0; j < (i * i + t * 7) % 1009 / 28; j++) A[i][j] += A[t][j];
    }
}`
	unit, err := csource.Load("k.c", []byte(source), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := threads.Analyse(context.Background(), unit.Programs[0], threads.AnalyseOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	knots := 0
	for _, h := range s.Shapes {
		knots += len(h.Before)
	}
	if len(s.Shapes) < 600 || knots > 1<<18+33*len(s.Shapes) || len(data) > 700<<10 {
		t.Errorf("%d shapes with %d knots in %d bytes", len(s.Shapes), knots, len(data))
	}
	if err := new(threads.Signature).UnmarshalBinary(data); err != nil {
		t.Error(err)
	}
}
