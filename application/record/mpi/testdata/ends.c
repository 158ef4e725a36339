/* ends.c - rank 1 ends in the way that the argument says, after five barriers. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    const char *way = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(way, "fail") == 0) {
        MPI_Finalize();
        return rank == 1 ? 3 : 0;
    }
    if (rank == 1) {
        if (strcmp(way, "abort") == 0)
            MPI_Abort(MPI_COMM_WORLD, 4);
        if (strcmp(way, "exit") == 0)
            exit(5);
        if (strcmp(way, "kill") == 0)
            raise(SIGKILL);
        if (strcmp(way, "terminate") == 0)
            raise(SIGTERM);
    }
    if (strcmp(way, "wait") == 0) { /* until somebody ends this; the file says that it has begun */
        if (rank == 0)
            (void)!symlink("begun", argv[2]);
        sleep(60);
    }
    if (*way)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
