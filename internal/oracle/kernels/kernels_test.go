package kernels_test

import (
	"os"
	"testing"

	"foresee/application/nest"
	"foresee/examples"
	"foresee/internal/oracle/kernels"
)

// TestLoad reads all kernels at two sizes: all are there, under their names, and larger sizes make more accesses.
func TestLoad(t *testing.T) {
	accesses := map[string]int64{}
	for _, size := range []string{"MINI", "SMALL"} {
		ks, err := kernels.Load(t.TempDir(), size)
		if err != nil {
			t.Fatal(err)
		}
		if len(ks) != len(examples.Kernels()) {
			t.Fatalf("%d kernels of %d", len(ks), len(examples.Kernels()))
		}
		for i, k := range ks {
			s, err := nest.NewStream(k.Program, nest.Options{Threads: 1, Group: 1, Line: 64})
			if err != nil {
				t.Fatalf("%s: %v", k.Name, err)
			}
			if k.Name != examples.Kernels()[i] || s.Len() <= accesses[k.Name] {
				t.Errorf("%s at %s: %d accesses, %d at the size before", k.Name, size, s.Len(), accesses[k.Name])
			}
			accesses[k.Name] = s.Len()
		}
	}
}

// TestWith gives the files while they are worked with, and removes them then.
func TestWith(t *testing.T) {
	path := ""
	err := kernels.With("MINI", []string{"gemm"}, func(ks []kernels.Kernel) error {
		path = ks[0].Path
		_, err := os.Stat(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Errorf("%s is still there", path)
	}
	if err := kernels.With("MINI", []string{"none"}, func([]kernels.Kernel) error { return nil }); err == nil {
		t.Error("there is no kernel of that name")
	}
}
