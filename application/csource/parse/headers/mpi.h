#error mpi.h is not read from source (MPI); foresee cannot trace a program yet
