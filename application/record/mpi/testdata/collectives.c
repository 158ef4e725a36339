/* collectives.c - collective, one-sided and neighbourhood operations, and handles that are used again. */
#include <mpi.h>

enum { MOST = 16 };

static int rank, size, ints[4 * MOST * MOST], more[4 * MOST * MOST];

static void alltoalls(void) {
    int counts[MOST], back[MOST], starts[MOST], bytes[MOST];
    MPI_Datatype types[MOST];
    for (int i = 0; i < size; i++) { /* to rank i: i + rank */
        counts[i] = back[i] = i + rank;
        starts[i] = i * 2 * size;
        bytes[i] = starts[i] * 4;
        types[i] = i % 2 ? MPI_INT : MPI_FLOAT;
    }
    MPI_Alltoall(ints, 3, MPI_INT, more, 3, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, more, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(ints, counts, starts, MPI_INT, more, back, starts, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, 0, 0, MPI_DATATYPE_NULL, more, back, starts, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) { /* what both ends call the same */
        types[i] = (i + rank) % 2 ? MPI_DOUBLE : MPI_INT;
        counts[i] = 1;
    }
    MPI_Alltoallw(ints, counts, bytes, types, more, counts, bytes, types, MPI_COMM_WORLD);
}

static void scatters(void) {
    int counts[MOST], starts[MOST];
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        starts[i] = i * MOST;
    }
    if (rank == 0) {
        MPI_Scatter(ints, 5, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
        MPI_Scatterv(ints, counts, starts, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    } else {
        MPI_Scatter(0, 0, MPI_DATATYPE_NULL, more, 5, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Scatterv(0, 0, 0, MPI_DATATYPE_NULL, more, counts[rank], MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Reduce_scatter(ints, more, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(ints, more, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void nonblocking(void) {
    MPI_Request request;
    MPI_Iallreduce(ints, more, 6, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibcast(ints, 7, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A ring in which ranks have other numbers than in the world. */
static void neighbours(void) {
    MPI_Comm reversed, ring;
    int periodic = 1, counts[2] = {1, 2}, starts[2] = {0, 4};
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Cart_create(reversed, 1, &size, &periodic, 0, &ring);
    MPI_Neighbor_alltoall(ints, 2, MPI_INT, more, 2, MPI_INT, ring);
    MPI_Neighbor_allgather(ints, 3, MPI_INT, more, 3, MPI_INT, ring);
    int back[2] = {counts[1], counts[0]};
    MPI_Neighbor_alltoallv(ints, counts, starts, MPI_INT, more, back, starts, MPI_INT, ring);
    int to, from; /* one up in the ring is one down in the world */
    MPI_Cart_shift(ring, 0, 1, &from, &to);
    MPI_Sendrecv(ints, 9, MPI_INT, to, 0, more, 9, MPI_INT, from, 0, ring, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&reversed);
}

static void one_sided(void) {
    MPI_Win window;
    MPI_Win_create(more, sizeof more, sizeof *more, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(ints, 4, MPI_INT, (rank + 1) % size, 0, 4, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Get(ints, 5, MPI_INT, (rank + 1) % size, 0, 5, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Accumulate(ints, 6, MPI_INT, (rank + 1) % size, 0, 6, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

/* Communicators of one process and of all take turns, and types of 1 to 20 ints, so that handles come again. */
static void handles(void) {
    for (int i = 0; i < 20; i++) {
        MPI_Comm comm;
        MPI_Datatype type;
        MPI_Comm_split(MPI_COMM_WORLD, i % 2 ? rank : 0, 0, &comm);
        MPI_Type_contiguous(i + 1, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Bcast(ints, 1, type, 0, comm);
        MPI_Type_free(&type);
        MPI_Comm_free(&comm);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    alltoalls();
    scatters();
    nonblocking();
    neighbours();
    one_sided();
    handles();
#if MPI_VERSION >= 4
    MPI_Scan_c(ints, more, 11, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#else
    MPI_Scan(ints, more, 11, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
}
