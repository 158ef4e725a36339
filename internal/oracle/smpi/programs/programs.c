/* programs.c - MPI programs of the kinds that simulations of messages are judged by: the first argument chooses one, the second is the number
 * of steps. What they compute is a time, which is told to the recorder, or to SMPI, whose hosts do 1 Gflop/s.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SMPI
#include <smpi/smpi.h>
#else
void foresee_mpi_computed(double seconds) __attribute__((weak)); /* of the recorder */
#endif

static int rank, size, steps;
static char out[1 << 22], in[1 << 22];

static void work(double seconds) {
#ifdef SMPI
    smpi_execute_flops(seconds * 1e9);
#else
    if (foresee_mpi_computed)
        foresee_mpi_computed(seconds);
#endif
}

/* uneven is a factor about 1 that differs between ranks. */
static double uneven(int salt) { return 0.9 + 0.2 * ((rank * 7 + salt * 3) % 11) / 10.0; }

static void boxes(int dimensions, int *d, int *at) {
    memset(d, 0, (size_t)dimensions * sizeof *d);
    MPI_Dims_create(size, dimensions, d);
    for (int i = dimensions - 1, r = rank; i >= 0; i--) {
        at[i] = r % d[i];
        r /= d[i];
    }
}

static int rank_at(int dimensions, const int *d, const int *at) {
    int r = 0;
    for (int i = 0; i < dimensions; i++) {
        if (at[i] < 0 || at[i] >= d[i])
            return MPI_PROC_NULL;
        r = r * d[i] + at[i];
    }
    return r;
}

/* stencil: a box's four neighbours, with a sum every tenth step. */
static void stencil(int bytes) {
    int d[2], at[2];
    boxes(2, d, at);
    for (int step = 0; step < steps; step++) {
        MPI_Request q[8];
        int n = 0;
        for (int way = 0; way < 2; way++)
            for (int i = 0; i < 4; i++) {
                int to[2] = {at[0], at[1]};
                to[i / 2] += i % 2 ? 1 : -1;
                int other = rank_at(2, d, to);
                if (way == 0)
                    MPI_Irecv(in + i * bytes, bytes, MPI_BYTE, other, i ^ 1, MPI_COMM_WORLD, &q[n++]);
                else
                    MPI_Isend(out, bytes, MPI_BYTE, other, i, MPI_COMM_WORLD, &q[n++]);
            }
        work(2e-4 * uneven(0));
        MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
        work(5e-4 * uneven(1));
        double x = 1, sum;
        if (step % 10 == 9)
            MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* cg: strips, whose ends are exchanged, and two sums a step. */
static void cg(void) {
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double x[2] = {1, 1}, sum[2];
    for (int step = 0; step < steps; step++) {
        MPI_Sendrecv(out, 32768, MPI_BYTE, right, 1, in, 32768, MPI_BYTE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(out, 32768, MPI_BYTE, left, 2, in, 32768, MPI_BYTE, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(4e-4 * uneven(0));
        MPI_Allreduce(x, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        work(2e-4);
        MPI_Allreduce(x, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* transposes: as those of a Fourier transform. */
static void transposes(int bytes) {
    for (int step = 0; step < steps; step++) {
        work(1e-3 * uneven(2));
        MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
}

/* wavefront: from each of the four corners in turn, plane by plane. */
static void wavefront(void) {
    int d[2], at[2];
    boxes(2, d, at);
    for (int step = 0; step < steps; step++)
        for (int corner = 0; corner < 4; corner++) {
            int dx = corner % 2 ? 1 : -1, dy = corner / 2 ? 1 : -1;
            int before_x[2] = {at[0] - dx, at[1]}, before_y[2] = {at[0], at[1] - dy}, behind_x[2] = {at[0] + dx, at[1]}, behind_y[2] = {at[0], at[1] + dy};
            for (int plane = 0; plane < 8; plane++) {
                MPI_Recv(in, 12000, MPI_BYTE, rank_at(2, d, before_x), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Recv(in, 12000, MPI_BYTE, rank_at(2, d, before_y), 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                work(1e-4);
                MPI_Send(out, 12000, MPI_BYTE, rank_at(2, d, behind_x), 3, MPI_COMM_WORLD);
                MPI_Send(out, 12000, MPI_BYTE, rank_at(2, d, behind_y), 4, MPI_COMM_WORLD);
            }
        }
}

/* farm: rank 0 gives work and takes results from whoever has one. */
static void farm(void) {
    for (int step = 0; step < steps; step++) {
        if (rank == 0) {
            for (int i = 1; i < size; i++)
                MPI_Send(out, 20000, MPI_BYTE, i, 5, MPI_COMM_WORLD);
            for (int i = 1; i < size; i++) {
                MPI_Status s;
                MPI_Recv(in, 4000, MPI_BYTE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &s);
            }
        } else {
            MPI_Recv(in, 20000, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            work(1e-3 * uneven(2));
            MPI_Send(out, 4000, MPI_BYTE, 0, 6, MPI_COMM_WORLD);
        }
    }
}

/* hydro: a box's 26 neighbours, in the way of LULESH, and the least of all time steps. */
static void hydro(void) {
    int d[3], at[3];
    boxes(3, d, at);
    for (int step = 0; step < steps; step++) {
        MPI_Request q[52];
        int n = 0;
        for (int way = 0; way < 2; way++)
            for (int i = 0; i < 27; i++) {
                int off[3] = {i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1}, to[3], planes = 0;
                for (int k = 0; k < 3; k++) {
                    to[k] = at[k] + off[k];
                    planes += off[k] != 0;
                }
                int other = rank_at(3, d, to), bytes = planes == 1 ? 90000 : planes == 2 ? 2400 : 64;
                if (i == 13 || other == MPI_PROC_NULL)
                    continue;
                if (way == 0)
                    MPI_Irecv(in, bytes, MPI_BYTE, other, 26 - i, MPI_COMM_WORLD, &q[n++]);
                else
                    MPI_Isend(out, bytes, MPI_BYTE, other, i, MPI_COMM_WORLD, &q[n++]);
            }
        work(8e-4 * uneven(0));
        MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
        double x = 1, least;
        MPI_Allreduce(&x, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    }
}

/* product: blocks of a matrix to rows and columns of ranks. */
static void product(void) {
    int d[2], at[2];
    boxes(2, d, at);
    MPI_Comm row, column;
    MPI_Comm_split(MPI_COMM_WORLD, at[0], at[1], &row);
    MPI_Comm_split(MPI_COMM_WORLD, at[1], at[0], &column);
    for (int step = 0; step < 10 * steps; step++) { /* so that making communicators is a small part */
        MPI_Bcast(out, 3000, MPI_BYTE, step % d[1], row);
        MPI_Bcast(in, 3000, MPI_BYTE, step % d[0], column);
        work(6e-4 * uneven(2));
    }
    MPI_Allgather(out, 2000, MPI_BYTE, in, 2000, MPI_BYTE, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *kind = argc > 1 ? argv[1] : "";
    steps = argc > 2 ? atoi(argv[2]) : 10;
    work(0);
    double begin = MPI_Wtime();
    if (strcmp(kind, "stencil") == 0)
        stencil(8000);
    else if (strcmp(kind, "stencil-large") == 0)
        stencil(200000);
    else if (strcmp(kind, "cg") == 0)
        cg();
    else if (strcmp(kind, "transposes") == 0)
        transposes(5000);
    else if (strcmp(kind, "wavefront") == 0)
        wavefront();
    else if (strcmp(kind, "farm") == 0)
        farm();
    else if (strcmp(kind, "hydro") == 0)
        hydro();
    else if (strcmp(kind, "product") == 0)
        product();
    MPI_Barrier(MPI_COMM_WORLD); /* so that rank 0 knows when all have ended */
    if (rank == 0)
        printf("%.9f\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
