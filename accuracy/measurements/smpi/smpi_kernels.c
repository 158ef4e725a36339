// SPDX-License-Identifier: Apache-2.0
//
// MPI kernels for SimGrid SMPI: their messages are sent, their arithmetic is told the simulator as operations, so that the simulated time is
// the same on any machine. Problems are of one size in all, whatever the number of ranks.
//
//   solver    conjugate gradients of a 5-point stencil on 2048² cells: halo exchange in two directions, two sums over all
//   spectral  a transform of 128³ points, two transpositions: all to all
//   sweep     a wavefront over 512² columns of 64 cells in blocks of 8: each rank waits for its left and upper neighbours
//   gather    particles on 64³ cells, dealt by rows; every step rank 0 collects what all found and does a part by itself
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static double waited;
static char *out, *in;

#define TIMED(call)                      \
    do {                                 \
        double begin = MPI_Wtime();      \
        call;                            \
        waited += MPI_Wtime() - begin;   \
    } while (0)

static int share(int n, int parts, int part) { return n / parts + (part < n % parts); }

static void exchange(MPI_Comm grid, int direction, int bytes) {
    int down, up;
    MPI_Cart_shift(grid, direction, 1, &down, &up);
    TIMED(MPI_Sendrecv(out, bytes, MPI_BYTE, up, 0, in, bytes, MPI_BYTE, down, 0, grid, MPI_STATUS_IGNORE));
    TIMED(MPI_Sendrecv(out, bytes, MPI_BYTE, down, 1, in, bytes, MPI_BYTE, up, 1, grid, MPI_STATUS_IGNORE));
}

static MPI_Comm grid_of(int *sizes, int *at) {
    int periods[2] = {0, 0};
    MPI_Comm grid;
    sizes[0] = sizes[1] = 0;
    MPI_Dims_create(ranks, 2, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, at);
    return grid;
}

static void solver(void) {
    int sizes[2], at[2];
    MPI_Comm grid = grid_of(sizes, at);
    int x = share(2048, sizes[0], at[0]), y = share(2048, sizes[1], at[1]);
    for (int step = 0; step < 20; step++) {
        double sum = 1, all;
        exchange(grid, 0, 8 * y);
        exchange(grid, 1, 8 * x);
        smpi_execute_flops(10.0 * x * y);
        TIMED(MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, grid));
        smpi_execute_flops(10.0 * x * y);
        TIMED(MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, grid));
    }
}

static void spectral(void) {
    const int n = 128, points = n * n * n, bytes = 16LL * points / ranks / ranks;
    for (int step = 0; step < 2; step++)
        for (int way = 0; way < 2; way++) {
            smpi_execute_flops(5.0 * 7 * 1.5 * points / ranks);
            TIMED(MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD));
        }
}

static void sweep(void) {
    int sizes[2], at[2], left, right, above, below;
    MPI_Comm grid = grid_of(sizes, at);
    int x = share(512, sizes[0], at[0]), y = share(512, sizes[1], at[1]);
    MPI_Cart_shift(grid, 0, 1, &left, &right);
    MPI_Cart_shift(grid, 1, 1, &above, &below);
    for (int step = 0; step < 4; step++)
        for (int block = 0; block < 8; block++) {
            TIMED(MPI_Recv(in, 64 * y, MPI_BYTE, left, 0, grid, MPI_STATUS_IGNORE));
            TIMED(MPI_Recv(in, 64 * x, MPI_BYTE, above, 1, grid, MPI_STATUS_IGNORE));
            smpi_execute_flops(25.0 * 8 * x * y);
            TIMED(MPI_Send(out, 64 * y, MPI_BYTE, right, 0, grid));
            TIMED(MPI_Send(out, 64 * x, MPI_BYTE, below, 1, grid));
        }
}

static void gather(void) {
    int rows = share(64 * 64, ranks, rank);
    for (int step = 0; step < 20; step++) {
        smpi_execute_flops(600.0 * 64 * rows);
        TIMED(MPI_Gather(out, 2048, MPI_BYTE, in, 2048, MPI_BYTE, 0, MPI_COMM_WORLD));
        if (rank == 0)
            smpi_execute_flops(2e5 + 2e3 * ranks);
        TIMED(MPI_Bcast(out, 4096, MPI_BYTE, 0, MPI_COMM_WORLD));
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} kernels[] = {{"solver", solver}, {"spectral", spectral}, {"sweep", sweep}, {"gather", gather}};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    size_t bytes = 64 << 20;
    out = SMPI_SHARED_MALLOC(bytes);
    in = SMPI_SHARED_MALLOC(bytes);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        double mine[2], most[2];
        waited = 0;
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        kernels[i].run();
        mine[0] = MPI_Wtime() - begin;
        mine[1] = waited;
        MPI_Reduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        for (int j = 0; j < 2 && rank == 0; j++)
            if (most[j] > 0)
                printf("{\"params\":{\"p\":%d},\"callpath\":\"%s%s\",\"metric\":\"time\",\"value\":%.9g}\n", ranks, kernels[i].name, j ? "->messages" : "", most[j]);
    }
    SMPI_SHARED_FREE(out);
    SMPI_SHARED_FREE(in);
    MPI_Finalize();
    return 0;
}
