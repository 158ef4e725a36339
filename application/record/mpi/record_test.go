package mpi

import (
	"testing"

	"foresee/application/counters"
)

// TestBindings compares what testdata/ring.c and ring.F90 do with arithmetic: 3 ranks, doubles of 8 bytes, ints of 4.
func TestBindings(t *testing.T) {
	languages := []language{inC("ring.c"), fortran("MPIFH"), fortran("USEMPI"), fortran("USEMPIF08")}
	for _, flavour := range flavours {
		for _, l := range languages {
			t.Run(flavour+"/"+l.name, func(t *testing.T) {
				program := compile(t, flavour, l)
				run := recorded(t, Options{Command: command(t, flavour, 3, program), Params: map[string]float64{"n": 7}})
				checkRing(t, run, flavour)
			})
		}
	}
}

func checkRing(t *testing.T, run *counters.Run, flavour string) {
	const p = 3
	if len(run.Messages) != p || run.Params["p"] != p || run.Params["n"] != 7 {
		t.Fatalf("%d ranks, parameters %v", len(run.Messages), run.Params)
	}
	for r, m := range run.Messages {
		if m.MPI != flavour || !m.Complete || m.Rank != r || m.Size != p || m.Wall <= 0 || m.CPU <= 0 || m.Host == "" {
			t.Errorf("head of rank %d: %+v", r, m)
		}
		want := []did{
			{"MPI_Sendrecv", p, 7, 5*100*8 + 2*6*8 + 5*4},
			{"MPI_Irecv", p, 5, 5 * 10 * 8},
			{"MPI_Isend", p, 5, 5 * 10 * 8},
			{"MPI_Waitall", 0, 10, 0},
			{"MPI_Send", p, 1, 0}, // to nobody
			{"MPI_Allreduce", p, 3, 3 * 8},
			{"MPI_Reduce", p, 1, 2 * 8},
			{"MPI_Gather", p, 1, 2 * 4},
			{"MPI_Allgatherv", p, 1, float64(4 * (r + 1))},
			{"MPI_Comm_split", p, 1, 0},
			{"MPI_Recv_init", p, 1, 0},
			{"MPI_Send_init", p, 1, 0},
			{"MPI_Start", p, 8, 4 * 6 * 8},
			{"MPI_Startall", p, 1, 6 * 8},
			{"MPI_Test", 0, 200, 0},
			{"MPI_Barrier", p, 1, 0},
		}
		right := counters.Peer{Rank: (r + 1) % p, Count: 7 + 5 + 5, Bytes: 4116 + 400 + 5*48}
		peers := []counters.Peer{right}
		switch r { // in the communicator without rank 0, where rank 2 is the first and 1 the second
		case 1:
			want = append(want, did{"MPI_Recv", 2, 1, 3 * 4})
		case 2:
			want = append(want, did{"MPI_Send", 2, 1, 3 * 4})
			peers = append(peers, counters.Peer{Rank: 1, Count: 1, Bytes: 12})
		}
		compare(t, m, want)
		comparePeers(t, m, peers...)
	}
}

// TestCollectives compares testdata/collectives.c with arithmetic.
func TestCollectives(t *testing.T) {
	for _, flavour := range flavours {
		t.Run(flavour, func(t *testing.T) {
			program := compile(t, flavour, inC("collectives.c"))
			run := recorded(t, Options{Command: command(t, flavour, 3, program)})
			for r, m := range run.Messages {
				checkCollectives(t, r, m)
			}
		})
	}
}

func checkCollectives(t *testing.T, r int, m counters.Messages) {
	const p, i = 3, 4 // ranks, bytes of an int
	toAll := 0        // sum of the counts of Alltoallv
	types := 0        // bytes of Alltoallw
	for to := range p {
		toAll += to + r
		types += 4 + 4*((to+r)%2)
	}
	whole, alone := 0, 0 // Bcast of types of 1 to 20 ints
	for n := range 20 {
		if n%2 == 0 {
			whole += (n + 1) * i
		} else {
			alone += (n + 1) * i
		}
	}
	compare(t, m, []did{
		{"MPI_Alltoall", p, 2, p*3*i + p*2*i},
		{"MPI_Alltoallv", p, 2, float64(2 * toAll * i)},
		{"MPI_Alltoallw", p, 1, float64(types)},
		{"MPI_Scatter", p, 1, 5 * i},
		{"MPI_Scatterv", p, 1, float64((r + 1) * i)},
		{"MPI_Reduce_scatter", p, 1, (1 + 2 + 3) * i},
		{"MPI_Reduce_scatter_block", p, 1, 2 * p * i},
		{"MPI_Iallreduce", p, 1, 6 * i},
		{"MPI_Ibcast", p, 1, 7 * i},
		{"MPI_Wait", 0, 2, 0},
		{"MPI_Comm_split", p, 1 + 20, 0},
		{"MPI_Cart_create", p, 1, 0},
		{"MPI_Neighbor_alltoall", p, 1, 2 * 2 * i},
		{"MPI_Neighbor_allgather", p, 1, 3 * i},
		{"MPI_Neighbor_alltoallv", p, 1, (1 + 2) * i},
		{"MPI_Sendrecv", p, 1, 9 * i},
		{"MPI_Win_create", p, 1, 0},
		{"MPI_Win_fence", p, 4, 0},
		{"MPI_Put", p, 1, 4 * i},
		{"MPI_Get", p, 1, 5 * i},
		{"MPI_Accumulate", p, 1, 6 * i},
		{"MPI_Bcast", p, 10, float64(whole)},
		{"MPI_Bcast", 1, 10, float64(alone)},
		{"MPI_Scan", p, 1, 11 * i},
	})
	// The ring's next rank is the world's rank below; Put and Accumulate go to the rank above.
	below := counters.Peer{Rank: (r + p - 1) % p, Count: 1, Bytes: 9 * i}
	above := counters.Peer{Rank: (r + 1) % p, Count: 2, Bytes: (4 + 6) * i}
	if below.Rank > above.Rank {
		below, above = above, below
	}
	comparePeers(t, m, below, above)
}

// TestThreads wants no call lost when threads talk at the same time.
func TestThreads(t *testing.T) {
	for _, flavour := range flavours {
		t.Run(flavour, func(t *testing.T) {
			program := compile(t, flavour, inC("threads.c"))
			o := Options{Command: command(t, flavour, 2, program)}
			run, err := tryRecord(t, &o)
			if run != nil && err != nil && len(run.Messages[0].Calls) == 0 {
				t.Skipf("%s here has no MPI_THREAD_MULTIPLE", flavour)
			}
			if err != nil {
				t.Fatal(err)
			}
			for r, m := range run.Messages {
				compare(t, m, []did{{"MPI_Sendrecv", 2, 4 * 300, 4 * 300 * 32}, {"MPI_Comm_dup", 2, 4, 0}})
				comparePeers(t, m, counters.Peer{Rank: 1 - r, Count: 1200, Bytes: 1200 * 32})
			}
		})
	}
}
