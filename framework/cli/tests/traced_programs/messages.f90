program messages
  use mpi
  implicit none
  integer :: rank, failed
  double precision :: values(3)
  call MPI_Init(failed)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, failed)
  values = rank
  if (rank == 0) call MPI_Send(values, 3, MPI_DOUBLE_PRECISION, 1, 5, MPI_COMM_WORLD, failed)
  if (rank == 1) call MPI_Recv(values, 3, MPI_DOUBLE_PRECISION, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, failed)
  call MPI_Bcast(values, 2, MPI_DOUBLE_PRECISION, 1, MPI_COMM_WORLD, failed)
  call MPI_Finalize(failed)
end program
