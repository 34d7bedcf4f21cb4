#include <mpi.h>

static void swap(int peer, double *values) {
    MPI_Sendrecv(values, 2, MPI_DOUBLE, peer, 4, values + 2, 4, MPI_DOUBLE, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank, size, flag, index;
    double values[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int other = 1 - rank;
    if (rank == 0)
        MPI_Ssend(values, 3, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    else
        MPI_Recv(values, 8, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    swap(other, values);
    MPI_Send(values, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Request requests[3];
    MPI_Irecv(values, 4, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(values + 4, 4, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(values, 2, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Send(values, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Send_init(values, 1, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(values + 1, 1, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1 - index], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Comm copy, alone;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(copy, rank, 0, &alone);
    MPI_Barrier(alone);
    int counts[2] = {1, 2}, starts[2] = {0, 1};
    MPI_Gatherv(values, 1 + rank, MPI_DOUBLE, values + 2, counts, starts, MPI_DOUBLE, 1, copy);
    MPI_Iallreduce(MPI_IN_PLACE, values, 4, MPI_DOUBLE, MPI_SUM, copy, &requests[0]);
    do MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE); while (!flag);
    MPI_Win window;
    MPI_Win_create(values, 64, 8, MPI_INFO_NULL, copy, &window);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Comm_free(&alone);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
