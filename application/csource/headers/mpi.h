#error mpi.h is not read from source (MPI); use foresee mpi
