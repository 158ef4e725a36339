#error mpi.h is not read from source (MPI); trace the program: foresee trace
