/* killed.c - exchanges messages until rank 1 is killed, half a second after it began. */
#include <mpi.h>
#include <signal.h>
#include <time.h>

int main(int argc, char **argv) {
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double begin = MPI_Wtime();
    for (;;) {
        MPI_Sendrecv_replace(&token, 1, MPI_INT, (rank + 1) % size, 3, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        struct timespec pause = {0, 100000};
        nanosleep(&pause, 0);
        if (rank == 1 && MPI_Wtime() > begin + 0.5)
            raise(SIGKILL);
    }
}
