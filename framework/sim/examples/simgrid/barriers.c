/* 100 dissemination barriers, then 100 binomial broadcasts of 1 KB with such a barrier after each: prints the simulated
   seconds of each part. */
#include <mpi.h>
#include <stdio.h>

static void dissemination(int rank, int size) {
  for (int d = 1; d < size; d *= 2)
    MPI_Sendrecv(NULL, 0, MPI_BYTE, (rank + d) % size, 1, NULL, 0, MPI_BYTE, (rank + size - d) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void binomial(char *data, int bytes, int rank, int size) {
  int step = 1;
  if (rank > 0) {
    int highest = 1;
    while (2 * highest <= rank) highest *= 2;
    MPI_Recv(data, bytes, MPI_BYTE, rank - highest, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    step = 2 * highest;
  }
  for (; rank + step < size; step *= 2) MPI_Send(data, bytes, MPI_BYTE, rank + step, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank, size;
  static char data[1024];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double start = MPI_Wtime();
  for (int i = 0; i < 100; i++) dissemination(rank, size);
  double middle = MPI_Wtime();
  for (int i = 0; i < 100; i++) {
    binomial(data, 1024, rank, size);
    dissemination(rank, size);
  }
  double end = MPI_Wtime(), mine[2] = {middle - start, end - start}, last[2];
  MPI_Reduce(mine, last, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.9f %.9f\n", last[0], last[1]);
  MPI_Finalize();
}
