package ir

import (
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest/nesttest"
)

// TestOneRank reads a program of MPI as one rank runs it that is alone, with the header that stands in for that of an MPI, and as one of several.
func TestOneRank(t *testing.T) {
	needs(t, "clang++")
	path := write(t, "a.cpp", `#include <mpi.h>
void fill(double *a, int from, int to) { for (int i = from; i < to; i++) a[i] = 1; }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int ranks, me;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  double *a = new double[1000], sum = 0;
  fill(a, me * 1000 / ranks, (me + 1) * 1000 / ranks);
  MPI_Allreduce(a, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum > 0;
}
`)
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path, OwnMPI: true})
	if err != nil {
		t.Fatal(err)
	}
	for defines, want := range map[string]string{"": "for i = 0..999", "ranks=4 me=1": "for i = 0..249"} {
		u, err := Load("a.cpp", module, csource.Options{Defines: strings.Fields(defines)})
		if err != nil {
			t.Fatal(err)
		}
		if got := nesttest.Accesses(u.Programs[0]); !strings.Contains(got, want) {
			t.Errorf("%q: %s", defines, got)
		}
		if said := strings.Join(append(u.Warnings, u.Programs[0].Warnings...), "\n"); strings.Contains(said, "one rank (ranks = 1, me = 0)") != (defines == "") {
			t.Errorf("%q: %s", defines, said)
		}
	}
}

// TestWrapper tells commands of MPI from compilers that write LLVM IR.
func TestWrapper(t *testing.T) {
	for name, want := range map[string]bool{"mpicxx": false, "mpicc": false, "icpx": true, "/opt/bin/clang++-19": true, "flang-new": true, "x86_64-linux-gnu-g++": false} {
		if writesIR(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	for name, want := range map[string]bool{"mpicxx": true, "mpicc.openmpi": true, "mpifort": true, "mpirun": false, "g++": false} {
		if wrapper.MatchString(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
