package accuracy

import (
	"context"
	"testing"
)

// The figures that foresee can be held to without the sets that it may not carry.
func TestScaling(t *testing.T) {
	t.Parallel()
	s, err := Scaling(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]*Table{}
	for _, one := range s.Tables {
		tables[one.Title] = one
	}
	for title, limits := range map[string]map[string]float64{
		"Scaling: more processes and larger problems together": {"RELEARN, mean": 15, "halo exchange in SimGrid, mean": 15},
		"Scaling: counters of LAMMPS": {
			"instructions, 16 ranks": 0.5, "instructions, 32 ranks": 0.5, "loads, 16 ranks": 0.5, "loads, 32 ranks": 0.5, "l1_misses, 16 ranks": 5, "l1_misses, 32 ranks": 10,
		},
		"Scaling: messages of LAMMPS": {"MPI_Send bytes, 16 ranks": 1, "MPI_Send bytes, 32 ranks": 1},
	} {
		for of, most := range limits {
			if e, there := tables[title].Values[of]; !there || !(e <= most) {
				t.Errorf("%s: %s is off by %g %% (there: %t), want at most %g", title, of, e, there, most)
			}
		}
	}
	if n := len(s.Tables[0].Rows); n != 8 { // three sets at two k, and two means
		t.Errorf("%d rows", n)
	}
}
