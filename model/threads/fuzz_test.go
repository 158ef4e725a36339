package threads

import (
	"context"
	"testing"

	"foresee/application/csource"
)

const fuzzed = `
double A[40][40], B[40], p[40];
void kernel(void)
{
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for schedule(guided) firstprivate(p)
        for (int i = 0; i < 40; i++)
            for (int j = 0; j <= i; j++)
                B[i] += A[i][j] * A[j][i] + p[j];
    }
}
`

// FuzzSignature decodes anything and asks what it takes for a signature.
func FuzzSignature(f *testing.F) {
	unit, err := csource.Load("kernel.c", []byte(fuzzed), csource.Options{})
	if err != nil {
		f.Fatal(err)
	}
	s, err := Analyse(context.Background(), unit.Programs[0], AnalyseOptions{Samples: 60})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(s.encode(), int8(3))
	f.Fuzz(func(t *testing.T, data []byte, n int8) {
		s := &Signature{}
		if s.decode(data) != nil {
			return
		}
		count := max(1, int(n))
		NewModel(s).Distances(Team{Threads: count, Group: (count + 1) / 2})
	})
}
