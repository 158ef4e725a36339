/* order.c - a known order of calls: a ring in steps, with a sum every second one, persistent requests and a communicator that is made anew. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size, got, token = 0, sum, index;
    double out[30] = {0}, in[30];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int step = 0; step < 600; step++) {
        MPI_Request r[2];
        MPI_Irecv(in, 30, MPI_DOUBLE, left, 5, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(out, 30, MPI_DOUBLE, right, 5, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        if (step % 2)
            MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Request p[2];
    MPI_Recv_init(in, 3, MPI_INT, left, 6, MPI_COMM_WORLD, &p[0]);
    MPI_Send_init(out, 3, MPI_INT, right, 6, MPI_COMM_WORLD, &p[1]);
    for (int step = 0; step < 4; step++) {
        MPI_Startall(2, p);
        MPI_Waitall(2, p, MPI_STATUSES_IGNORE);
    }
    for (int step = 0; step < 3; step++) {
        MPI_Comm odd;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &odd); /* the last rank comes first */
        MPI_Barrier(odd);
        MPI_Comm_free(&odd);
    }
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Request one;
        MPI_Isend(&token, 1, MPI_INT, 0, 40 + rank, MPI_COMM_WORLD, &one);
        MPI_Waitany(1, &one, &index, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(out, 2, MPI_DOUBLE, right, 8, in, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
