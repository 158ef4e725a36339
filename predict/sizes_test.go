package predict_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/predict"
)

// sized are programs whose size is N: products of matrices by rows, steps over a grid, and a matrix that is walked by rows and then by columns.
var sized = map[string]string{
	"product": "double A[N][N], B[N][N], C[N][N];\nvoid f(void) {\n#pragma omp parallel for\n for (int i = 0; i < N; i++) for (int k = 0; k < N; k++) for (int j = 0; j < N; j++) C[i][j] += A[i][k] * B[k][j];\n}\n",
	"steps":   "double A[N][N], B[N][N];\nvoid f(void) { for (int t = 0; t < 4; t++) { for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) B[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j]; for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) A[i][j] = B[i][j]; } }\n",
	"both":    "double A[N][N], x[N], y[N];\nvoid f(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) x[i] += A[i][j]; for (int j = 0; j < N; j++) for (int i = 0; i < N; i++) y[j] += A[i][j]; }\n",
}

// opener reads one of them at a size.
func opener(t *testing.T, name string) func(int64) (*application.Signature, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".c")
	if err := os.WriteFile(path, []byte(sized[name]), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(n int64) (*application.Signature, error) {
		u, err := csource.Load(path, nil, csource.Options{Defines: []string{fmt.Sprintf("N=%d", n)}})
		if err != nil {
			return nil, err
		}
		return application.OfLoops(name+".c", u.Programs...), nil
	}
}

// missesAgain is the share of the accesses that an LRU cache of any lines misses besides first uses, by a walk through all accesses.
func missesAgain(t *testing.T, s *application.Signature, bytes int64) float64 {
	t.Helper()
	r, err := predict.Curves(t.Context(), predict.CurveRequest{
		Signature: s, Threads: []int{1}, Sizes: []int64{bytes, 1 << 40}, Line: 64, Method: predict.MethodExact, Options: predict.Options{Seed: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.Curves[0].Points[0].MissRatio - r.Curves[0].Points[1].MissRatio
}

// TestHoldings: at the greatest size that a level is said to hold, a walk through all accesses misses no more than a hundredth besides first uses, and
// at the next one more. Where it is too long to be walked through for that, sampling may be off by a hundredth of the size.
func TestHoldings(t *testing.T) {
	m := *load(t, "i7-5960x")
	m.Levels = append([]machine.Level{}, m.Levels[:2]...)
	m.Levels[1].Size = &machine.Value[machine.Size]{Value: 96 << 10, Source: "invented"} // small enough to walk through what does not fit
	for name := range sized {
		open := opener(t, name)
		r, err := predict.RunSizes(t.Context(), predict.SizesRequest{
			Request: predict.Request{Machines: []*machine.Machine{&m}, Threads: []int{1}, Options: predict.Options{Seed: 1}},
			Name:    "N", Values: []int64{8, 24, 72, 216}, Between: true, Open: open,
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Holdings) != 2 || len(r.Predictions) != 4 || r.Predictions[2].Size.Value != 72 {
			t.Fatalf("%s: %+v", name, r.Holdings)
		}
		for i, h := range r.Holdings {
			if h.Until == nil || h.Over == nil || *h.Over != *h.Until+1 || h.Name != "N" {
				t.Errorf("%s: %+v", name, h)
				continue
			}
			size, _ := m.Levels[i].Size.Get()
			off := int64(0)
			if s, err := open(*h.Until); err != nil {
				t.Fatal(err)
			} else if n, err := nest.NewStream(s.Loops[0], nest.Options{Threads: 1, Group: 1, Line: 64}); err != nil {
				t.Fatal(err)
			} else if n.Len() > 2<<20 {
				off = 1 + *h.Until/100
			}
			for n, held := range map[int64]bool{*h.Until - off: true, *h.Over + off: false} {
				s, err := open(n)
				if err != nil {
					t.Fatal(err)
				}
				if again := missesAgain(t, s, int64(size)); (again <= 0.01) != held {
					t.Errorf("%s, %s until %d: of %d it misses %.4f", name, h.Level, *h.Until, n, again)
				}
			}
		}
	}
}

// TestHoldingsAtEnds: what all sizes or none of them hold.
func TestHoldingsAtEnds(t *testing.T) {
	r, err := predict.RunSizes(t.Context(), predict.SizesRequest{
		Request: predict.Request{Machines: []*machine.Machine{load(t, "i7-5960x")}, Threads: []int{1}, Options: predict.Options{Seed: 1}},
		Name:    "N", Values: []int64{100, 120}, Between: true, Open: opener(t, "product"),
	})
	if err != nil {
		t.Fatal(err)
	}
	// Of 100 × 100 doubles L1 (32 KiB) holds not the one matrix that is used again, of 120 × 120 L2 (256 KiB) does.
	if l1 := r.Holdings[0]; l1.Until != nil || l1.Over == nil || *l1.Over != 100 {
		t.Errorf("%+v", l1)
	}
	if l2 := r.Holdings[1]; l2.Over != nil || l2.Until == nil || *l2.Until != 120 {
		t.Errorf("%+v", l2)
	}
}

// TestSizesAreAsAlone: a size among others is predicted as it is alone, and what is wrong with one is said with it.
func TestSizesAreAsAlone(t *testing.T) {
	open := opener(t, "both")
	request := predict.Request{Machines: []*machine.Machine{load(t, "zen4")}, Threads: []int{1, 4}, Options: predict.Options{Seed: 1}}
	r, err := predict.RunSizes(t.Context(), predict.SizesRequest{Request: request, Name: "N", Values: []int64{50, 150}, Open: open})
	if err != nil {
		t.Fatal(err)
	}
	request.Signature, _ = open(150)
	alone := run(t, request)
	for i, p := range alone.Predictions {
		if got := r.Predictions[2+i]; *got.TimeS != *p.TimeS || got.Accesses != p.Accesses || got.HitRates[0].HitRate != p.HitRates[0].HitRate {
			t.Errorf("%+v, alone %+v", got, p)
		}
	}
	if len(r.Holdings) != 0 {
		t.Errorf("%+v", r.Holdings)
	}
	wrong := errors.New("no such size")
	_, err = predict.RunSizes(t.Context(), predict.SizesRequest{Request: request, Name: "N", Values: []int64{50}, Open: func(int64) (*application.Signature, error) { return nil, wrong }})
	if !errors.Is(err, wrong) || err.Error() != "N=50: no such size" {
		t.Errorf("%v", err)
	}
}
