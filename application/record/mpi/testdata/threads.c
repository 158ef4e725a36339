/* threads.c - four threads of each of two ranks talk at the same time. Exit code 77: this MPI does not do that. */
#include <mpi.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 300 };

static int rank;

static void *talk(void *comm) {
    int x[8] = {0}, y[8];
    for (int i = 0; i < ROUNDS; i++)
        MPI_Sendrecv(x, 8, MPI_INT, 1 - rank, 0, y, 8, MPI_INT, 1 - rank, 0, *(MPI_Comm *)comm, MPI_STATUS_IGNORE);
    return 0;
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_t threads[THREADS];
    MPI_Comm comms[THREADS];
    if (provided == MPI_THREAD_MULTIPLE) {
        for (int i = 0; i < THREADS; i++)
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], 0, talk, &comms[i]);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], 0);
    }
    MPI_Finalize();
    return provided == MPI_THREAD_MULTIPLE ? 0 : 77;
}
