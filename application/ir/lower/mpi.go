package lower

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// ofMPI tells functions of MPI by their linkage names, in C and in Fortran.
func ofMPI(name string) bool {
	return len(name) > 4 && strings.EqualFold(name[:4], "MPI_")
}

// ofOneRank is what functions of MPI set in a program that one rank runs.
var ofOneRank = map[string]int64{"comm_size": 1, "comm_rank": 0}

// messages follows a call of MPI, as one rank makes it that is alone: what it accesses is not counted, and what it receives into is not known.
func (l *lowerer) messages(args []val, name string) {
	function := strings.TrimSuffix(strings.TrimRight(strings.ToLower(name[4:]), "_"), "_f08")
	if strings.HasPrefix(function, "init") { // which leaves the arguments of main as they are
		return
	}
	if n, ok := ofOneRank[function]; ok && len(args) > 1 && l.rank(args[1], n) {
		return
	}
	for _, a := range args {
		if a.kind == pointer && a.o != nil && !a.o.fixed {
			l.memory.forget(a.o)
		}
	}
	l.warn(nest.Pos{}, "what functions of MPI access is not counted, nor is the time that they take")
}

// rank gives what MPI sets its value in a run of one rank, or that which the caller has for it.
func (l *lowerer) rank(at val, n int64) bool {
	if at.kind != pointer || at.o == nil || at.o.fixed || at.e.Op != expr.OpConst {
		return false
	}
	if given, there := l.defined[at.o.Name]; there && at.o.Name != "" {
		l.used[at.o.Name], n = true, given
	} else if said := fmt.Sprintf("%s = %d", shown(at.o), n); !slices.Contains(l.mpi, said) {
		l.mpi = append(l.mpi, said)
	}
	l.memory.set(at.o, at.e.K, 4, constant(n))
	return true
}
