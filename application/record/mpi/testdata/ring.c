/* ring.c - does the same as ring.F90, in C. Each rank sends to the one on its right. */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size, total[16], counts[16], starts[16], flag;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    double x[200] = {0}, y[200] = {0}, sums[2] = {rank, rank};
    MPI_Request request[2];

    for (int i = 0; i < 5; i++) {
        MPI_Sendrecv(x, 100, MPI_DOUBLE, right, 0, y, 100, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(y, 10, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(x, 10, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Send(x, 100, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);

    for (int i = 0; i < 3; i++)
        MPI_Allreduce(MPI_IN_PLACE, sums, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Reduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    else
        MPI_Reduce(sums, 0, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, total, 2, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(total, 2, MPI_INT, 0, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        starts[i] = i * (i + 1) / 2;
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, total, counts, starts, MPI_INT, MPI_COMM_WORLD);

    /* all but rank 0, in reverse order: the last of the world is the first here */
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, -rank, &part);
    if (rank == size - 1)
        MPI_Send(total, 3, MPI_INT, 1, 2, part);
    if (rank == size - 2)
        MPI_Recv(total, 3, MPI_INT, 0, 2, part, MPI_STATUS_IGNORE);
    MPI_Comm_free(&part);

    MPI_Recv_init(y, 6, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(x, 6, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 4; i++) {
        MPI_Start(&request[0]);
        MPI_Start(&request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Startall(2, request);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);

    MPI_Datatype type;
    MPI_Type_vector(3, 2, 4, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(x, 2, type, right, 4, y, 2, type, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Type_contiguous(5, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(x, 1, type, right, 5, y, 1, type, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);

    request[0] = MPI_REQUEST_NULL;
    for (int i = 0; i < 200; i++)
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
