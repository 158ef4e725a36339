! ring.F90 - does the same as ring.c, in the binding that is chosen: -DMPIFH, -DUSEMPI or -DUSEMPIF08.
#ifdef USEMPIF08
#define COMM type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define DATATYPE type(MPI_Datatype)
#else
#define COMM integer
#define REQUEST integer
#define DATATYPE integer
#endif
program ring
#if defined(USEMPIF08)
  use mpi_f08
#elif defined(USEMPI)
  use mpi
#endif
  implicit none
#ifdef MPIFH
  include 'mpif.h'
#endif
  integer :: error, rank, size, right, left, i
  integer :: total(16), counts(16), starts(16)
  double precision :: x(200), y(200), sums(2)
  logical :: flag
  REQUEST :: request(2)
  DATATYPE :: type
  COMM :: part

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  x = 0
  sums = rank

  do i = 1, 5
    call MPI_Sendrecv(x, 100, MPI_DOUBLE_PRECISION, right, 0, y, 100, MPI_DOUBLE_PRECISION, left, 0, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Irecv(y, 10, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, request(1), error)
    call MPI_Isend(x, 10, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, request(2), error)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, error)
  end do
  call MPI_Send(x, 100, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 0, MPI_COMM_WORLD, error)

  do i = 1, 3
    call MPI_Allreduce(MPI_IN_PLACE, sums, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end do
  if (rank == 0) then
    call MPI_Reduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, total, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  else
    call MPI_Reduce(sums, y, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    call MPI_Gather(total, 2, MPI_INTEGER, starts, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, error)
  end if
  do i = 1, size
    counts(i) = i
    starts(i) = (i - 1) * i / 2
  end do
  call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, total, counts, starts, MPI_INTEGER, MPI_COMM_WORLD, error)

  call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, rank == 0), -rank, part, error)
  if (rank == size - 1) call MPI_Send(total, 3, MPI_INTEGER, 1, 2, part, error)
  if (rank == size - 2) call MPI_Recv(total, 3, MPI_INTEGER, 0, 2, part, MPI_STATUS_IGNORE, error)
  call MPI_Comm_free(part, error)

  call MPI_Recv_init(y, 6, MPI_DOUBLE_PRECISION, left, 3, MPI_COMM_WORLD, request(1), error)
  call MPI_Send_init(x, 6, MPI_DOUBLE_PRECISION, right, 3, MPI_COMM_WORLD, request(2), error)
  do i = 1, 4
    call MPI_Start(request(1), error)
    call MPI_Start(request(2), error)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, error)
  end do
  call MPI_Startall(2, request, error)
  call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, error)
  call MPI_Request_free(request(1), error)
  call MPI_Request_free(request(2), error)

  call MPI_Type_vector(3, 2, 4, MPI_DOUBLE_PRECISION, type, error)
  call MPI_Type_commit(type, error)
  call MPI_Sendrecv(x, 2, type, right, 4, y, 2, type, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Type_free(type, error)
  call MPI_Type_contiguous(5, MPI_INTEGER, type, error)
  call MPI_Type_commit(type, error)
  call MPI_Sendrecv(x, 1, type, right, 5, y, 1, type, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Type_free(type, error)

  request(1) = MPI_REQUEST_NULL
  do i = 1, 200
    call MPI_Test(request(1), flag, MPI_STATUS_IGNORE, error)
  end do
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program
