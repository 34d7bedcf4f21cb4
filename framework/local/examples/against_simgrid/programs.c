/* One of three programs on all ranks: argument 1 is its name, argument 2 how many episodes it has. Rank 0 prints the simulated
   nanoseconds from the start, which is the same for everybody, to the end of the last rank. No global variables, so that SMPI
   need not give every rank a copy of them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  char data[1024] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 3) return 2;
  int barriers = strstr(argv[1], "barriers") != NULL, broadcasts = strstr(argv[1], "broadcasts") != NULL;
  int episodes = atoi(argv[2]);
  double start = MPI_Wtime();
  for (int episode = 0; episode < episodes; episode++) {
    if (broadcasts) binomial(data, sizeof data, rank, size);
    if (barriers) dissemination(rank, size);
  }
  double took = MPI_Wtime() - start, last;
  MPI_Reduce(&took, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.3f\n", last * 1e9);
  MPI_Finalize();
  return 0;
}
