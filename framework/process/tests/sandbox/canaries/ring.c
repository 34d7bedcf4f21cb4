#include <mpi.h>
#include <stdio.h>
static int sent[1 << 20], received[1 << 20];
int main(int argc, char **argv) {
    int rank, size, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 1 << 20; i++) sent[i] = rank + 1;
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Sendrecv(sent, 1 << 20, MPI_INT, next, 0, received, 1 << 20, MPI_INT, previous, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(&received[(1 << 20) - 1], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %d of %d\n", sum, size);
    return MPI_Finalize();
}
