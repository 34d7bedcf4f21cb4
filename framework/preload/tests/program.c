/* A program that uses MPI as programs do, and knows nothing of the library that is preloaded into it.
 *
 * program results FILE   makes every call in many forms, and writes a checksum of each result to FILE.RANK
 * program leaks          makes and frees 100,000 communicators, 2,000 of them of all ranks, and prints what the process has more of
 * program differ WHAT    the last rank makes another call than the others
 * program exit           the last rank ends; the others wait for it
 */
#include <complex.h>
#include <dirent.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static int rank, size;
static FILE *out;

/* Writes a checksum of memory. */
static void show(const char *what, int number, const void *memory, size_t bytes) {
    unsigned long sum = 14695981039346656037ul;
    for (size_t at = 0; at < bytes; at++) sum = (sum ^ ((const unsigned char *)memory)[at]) * 1099511628211ul;
    fprintf(out, "%s %d %lx\n", what, number, sum);
}

/* Bytes from the first element to the end of the last one, or a few more. */
static size_t span(MPI_Datatype type, size_t elements) {
    MPI_Aint lower, extent, true_extent;
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &lower, &true_extent);
    return elements * extent + (true_extent > extent ? true_extent : 0);
}

/* Memory with values that differ by rank, place and call. */
static void *filled(MPI_Datatype type, size_t elements, int number) {
    size_t bytes = span(type, elements);
    char *memory = malloc(bytes);
    for (size_t at = 0; at < bytes; at++) memory[at] = (char)(at * 7 + rank * 31 + number * 13);
    if (type == MPI_DOUBLE || type == MPI_FLOAT || type == MPI_LONG_DOUBLE || type == MPI_C_DOUBLE_COMPLEX)
        for (size_t at = 0; at < elements; at++) {
            double value = (double)((at * 5 + rank * 3 + number) % 7) - 2;
            if (type == MPI_DOUBLE) ((double *)memory)[at] = value;
            if (type == MPI_FLOAT) ((float *)memory)[at] = (float)value;
            if (type == MPI_LONG_DOUBLE) {
                memset((long double *)memory + at, 0, sizeof(long double));
                ((long double *)memory)[at] = value;
            }
            if (type == MPI_C_DOUBLE_COMPLEX) ((double complex *)memory)[at] = value + 2 * I;
        }
    /* Open MPI 4.1 compares MPI_UNSIGNED_LONG, and MPICH 4.0 MPI_UINT32_T, as if they had a sign, and sums of short integers saturate in Open MPI: no
     * number is that large. */
    if (type == MPI_UINT32_T)
        for (size_t at = 0; at < elements; at++) ((unsigned *)memory)[at] >>= 1;
    if (type == MPI_UNSIGNED_LONG)
        for (size_t at = 0; at < elements; at++) ((unsigned long *)memory)[at] >>= 1;
    if (type == MPI_SHORT)
        for (size_t at = 0; at < elements; at++) ((short *)memory)[at] = (short)((at + rank + number) % 3);
    if (type == MPI_UNSIGNED_CHAR || type == MPI_INT8_T)
        for (size_t at = 0; at < elements; at++) memory[at] = (char)((at + rank + number) % 3);
    struct pair { double value; int index; };
    if (type == MPI_DOUBLE_INT)
        for (size_t at = 0; at < elements; at++) {
            memset((struct pair *)memory + at, 0, sizeof(struct pair));
            ((struct pair *)memory)[at] = (struct pair){(double)((at + rank) % 3), rank};
        }
    return memory;
}

/* Every operation that moves data, with these types; the root may describe its blocks by another one. */
static void move(MPI_Comm comm, int count, MPI_Datatype type, int root_count, MPI_Datatype root_type, int number) {
    int me, ranks;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    int root = number % ranks, is_root = me == root;
    MPI_Datatype own = is_root ? root_type : type;
    int own_count = is_root ? root_count : count;
    char *a = filled(own, (size_t)ranks * own_count, number), *b = filled(own, (size_t)ranks * own_count, number + 1);
    size_t all = span(own, (size_t)ranks * own_count);
    if (number % 5 == 0) usleep(rank * 200);
    MPI_Bcast(a, own_count, own, root, comm);
    show("bcast", number, a, all);
    MPI_Scatter(a, own_count, own, is_root && number % 3 == 0 ? MPI_IN_PLACE : b, own_count, own, root, comm);
    show("scatter", number, b, all);
    MPI_Gather(is_root && number % 3 == 0 ? MPI_IN_PLACE : a, own_count, own, b, own_count, own, root, comm);
    show("gather", number, b, all);
    MPI_Allgather(number % 3 == 1 ? MPI_IN_PLACE : a, own_count, own, b, own_count, own, comm);
    show("allgather", number, b, all);
    MPI_Alltoall(number % 3 == 2 ? MPI_IN_PLACE : a, own_count, own, b, own_count, own, comm);
    show("alltoall", number, b, all);
    MPI_Allgather(b, own_count, own, a, count, type, comm);
    show("allgather", number, a, all);
    if (number % 7 == 0) MPI_Barrier(comm);
    free(a);
    free(b);
}

static void reduce(MPI_Comm comm, int count, MPI_Datatype type, MPI_Op op, int number) {
    int me, ranks;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    int root = number % ranks;
    void *a = filled(type, count, number), *b = filled(type, count, number + 1);
    MPI_Allreduce(a, b, count, type, op, comm);
    show("allreduce", number, b, span(type, count));
    MPI_Allreduce(MPI_IN_PLACE, a, count, type, op, comm);
    show("allreduce in place", number, a, span(type, count));
    free(a);
    a = filled(type, count, number + 2);
    /* MPICH 4.0 reads from MPI_IN_PLACE at a root that is not 0, in long reductions and in those that do not commute. */
    int is_in_place = number % 2 == 0 && (root == 0 || count <= 100);
    if (!is_in_place)
        MPI_Reduce(a, b, count, type, op, root, comm);
    else
        MPI_Reduce(me == root ? MPI_IN_PLACE : a, a, count, type, op, root, comm);
    show("reduce", number, is_in_place ? a : b, span(type, count));
    free(a);
    free(b);
}

/* Calls that differ from the one before them in one argument: what is kept of that one does not hold for them. */
static void vary(MPI_Comm comm) {
    int me;
    MPI_Comm_rank(comm, &me);
    const struct { int count; MPI_Op op; int root; size_t offset; } calls[] = {
        {5, MPI_SUM, 0, 0}, {6, MPI_SUM, 0, 0}, {5, MPI_SUM, 0, 0}, {5, MPI_MAX, 0, 0}, {5, MPI_SUM, 0, 0}, {5, MPI_SUM, 1, 0},
        {5, MPI_SUM, 0, 0}, {5, MPI_SUM, 0, 4}, {5, MPI_SUM, 0, 0}, {5, MPI_SUM, 0, 3}, {0, MPI_SUM, 0, 0}, {5, MPI_SUM, 0, 0},
    };
    for (size_t at = 0; at < LENGTH(calls); at++) {
        int count = calls[at].count, root = calls[at].root, number = (int)at;
        MPI_Op op = calls[at].op;
        char *memory[] = {filled(MPI_INT, 100, number), filled(MPI_INT, 100, number + 1)};
        char *a = memory[0] + calls[at].offset, *b = memory[1] + calls[at].offset;
        MPI_Allreduce(a, b, count, MPI_INT, op, comm);
        MPI_Reduce(b, a, count, MPI_INT, op, root, comm);
        if (me == root) show("reduce again", number, memory[0], 400);
        MPI_Bcast(b, count, MPI_INT, root, comm);
        /* Only the root's number of the other blocks counts. */
        int all = me == root ? count : 0;
        MPI_Gather(b, count, MPI_INT, a, all, MPI_INT, root, comm);
        show("gather again", number, memory[0], 400);
        MPI_Scatter(a, all, MPI_INT, b, count, MPI_INT, root, comm);
        show("scatter again", number, memory[1], 400);
        free(memory[0]);
        free(memory[1]);
    }
}

/* x -> a x + b, composed: it does not commute. */
static void compose(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    unsigned *left = in, *right = inout;
    for (int at = 0; at < *length; at++, left += 2, right += 2) {
        right[1] = left[0] * right[1] + left[1];
        right[0] = left[0] * right[0];
    }
}

static const int counts[] = {0, 1, 2, 3, 7, 8, 33, 100, 1000, 4099, 9000};

static void reductions(MPI_Comm comm) {
    static const struct { MPI_Datatype type; int is_integer; } types[] = {
        {MPI_INT, 1}, {MPI_DOUBLE, 0}, {MPI_FLOAT, 0}, {MPI_LONG, 1}, {MPI_SHORT, 1}, {MPI_UNSIGNED_CHAR, 1},
        {MPI_UNSIGNED_LONG, 1}, {MPI_INT8_T, 1}, {MPI_UINT32_T, 1}, {MPI_LONG_DOUBLE, 0}, {MPI_C_DOUBLE_COMPLEX, 2},
    };
    const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
    int number = 0;
    for (size_t type = 0; type < LENGTH(types); type++)
        for (size_t op = 0; op < LENGTH(ops); op++) {
            if (types[type].is_integer == 0 && op > 3) continue;
            if (types[type].is_integer == 2 && op > 1) continue;
            number++;
            reduce(comm, counts[(number + op) % LENGTH(counts)], types[type].type, ops[op], number);
            reduce(comm, counts[number % LENGTH(counts)], types[type].type, ops[op], number);
        }
    for (number = 0; number < 12; number++) {
        reduce(comm, counts[number % LENGTH(counts)], MPI_2INT, number % 2 ? MPI_MINLOC : MPI_MAXLOC, number);
        reduce(comm, counts[number % LENGTH(counts)], MPI_DOUBLE_INT, number % 2 ? MPI_MINLOC : MPI_MAXLOC, number);
    }
    MPI_Datatype two;
    MPI_Op composition;
    MPI_Type_contiguous(2, MPI_UNSIGNED, &two);
    MPI_Type_commit(&two);
    MPI_Op_create(compose, 0, &composition);
    /* Odd numbers: not in place. */
    for (number = 0; number < 11; number++) reduce(comm, counts[number], two, composition, 2 * number + 1);
    MPI_Op_free(&composition);
    MPI_Type_free(&two);
    /* An address that is not aligned for its type. */
    char memory[2][8 * 50 + 4];
    memset(memory, 0, sizeof memory);
    memory[0][4 + 8] = (char)(rank + 1);
    MPI_Allreduce(memory[0] + 4, memory[1] + 4, 50, MPI_LONG, MPI_SUM, comm);
    show("not aligned", 0, memory[1], sizeof memory[1]);
}

static void moves(MPI_Comm comm) {
    static const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_BYTE, MPI_C_DOUBLE_COMPLEX, MPI_DOUBLE_INT, MPI_SHORT_INT};
    int number = 0;
    for (size_t type = 0; type < LENGTH(types); type++)
        for (size_t count = 0; count < LENGTH(counts); count++, number++) {
            /* MPICH 4.0 has errors in long messages of types with gaps. */
            if (type > 4 && counts[count] > 100) continue;
            move(comm, counts[count], types[type], counts[count], types[type], number);
        }
    MPI_Datatype column, columns, record, gap;
    MPI_Type_vector(6, 1, 32, MPI_DOUBLE, &column);
    MPI_Type_create_resized(column, 0, sizeof(double), &columns);
    MPI_Type_commit(&columns);
    struct fields { char letter; double value; short last; };
    int lengths[] = {1, 1, 1};
    MPI_Aint places[] = {offsetof(struct fields, letter), offsetof(struct fields, value), offsetof(struct fields, last)};
    MPI_Datatype parts[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
    MPI_Type_create_struct(3, lengths, places, parts, &record);
    MPI_Type_create_resized(record, 0, sizeof(struct fields), &gap);
    MPI_Type_commit(&gap);
    for (size_t count = 0; count < LENGTH(counts); count++, number++) {
        int some = counts[count] < 100 ? counts[count] : 100;
        move(comm, some, gap, some, gap, number);
        /* The root has columns of a matrix, the others plain numbers. */
        move(comm, 24, MPI_DOUBLE, 4, columns, number);
    }
    MPI_Type_free(&column);
    MPI_Type_free(&columns);
    MPI_Type_free(&record);
    MPI_Type_free(&gap);
}

/* What the library has to judge. */
static void errors(MPI_Comm comm) {
    int data[4] = {0}, class[4] = {0};
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Bcast(data, -1, MPI_INT, 0, comm), class);
    MPI_Error_class(MPI_Bcast(data, 1, MPI_INT, size + 7, comm), class + 1);
    MPI_Error_class(MPI_Allreduce(data, data + 1, 1, MPI_DATATYPE_NULL, MPI_SUM, comm), class + 2);
    MPI_Error_class(MPI_Allreduce(data, data + 1, 1, MPI_INT, MPI_OP_NULL, comm), class + 3);
    show("errors", class[0] + class[1] + class[2] + class[3], class, sizeof class);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

/* A rank that waits in a collective receives: the long message of a rank that has not come yet. */
static void progress(MPI_Comm comm) {
    int sum, count = 1 << 22;
    char *data = calloc(count, 1);
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0 && size > 1) MPI_Irecv(data, count, MPI_CHAR, size - 1, 3, MPI_COMM_WORLD, &request);
    if (rank == size - 1 && size > 1) {
        data[count - 1] = 5;
        MPI_Ssend(data, count, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show("progress", sum, data + count - 1, rank == 0);
    free(data);
}

static void inter_communicator(void) {
    MPI_Comm part, inter;
    int is_first = rank == 0;
    MPI_Comm_split(MPI_COMM_WORLD, is_first, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, is_first ? 1 : 0, 9, &inter);
    for (int number = 0; number < 5; number++) {
        int own = rank + number, sum = -1, root = is_first ? MPI_ROOT : 0;
        MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, inter);
        MPI_Bcast(&own, 1, MPI_INT, root, inter);
        MPI_Barrier(inter);
        int both[] = {sum, own};
        show("inter", number, both, sizeof both);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&part);
}

static void results(const char *file) {
    char name[4096];
    snprintf(name, sizeof name, "%s.%d", file, rank);
    out = fopen(name, "w");
    MPI_Comm twin, part, ring;
    int periodic = 1;
    moves(MPI_COMM_WORLD);
    reductions(MPI_COMM_WORLD);
    vary(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_split(twin, rank % 2, -rank, &part);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    errors(twin);
    reductions(twin);
    moves(part);
    reductions(part);
    moves(ring);
    progress(ring);
    progress(twin);
    moves(MPI_COMM_SELF);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&part);
    MPI_Comm_free(&ring);
    if (size > 1) inter_communicator();
    fclose(out);
}

struct resources { long maps, files, kib; };

static struct resources resources(void) {
    struct resources found = {0, 0, 0};
    FILE *maps = fopen("/proc/self/maps", "r");
    for (int letter; (letter = fgetc(maps)) != EOF;) found.maps += letter == '\n';
    fclose(maps);
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder)) found.files++;
    closedir(folder);
    long pages = 0;
    FILE *memory = fopen("/proc/self/statm", "r");
    if (fscanf(memory, "%*d %ld", &pages) != 1) pages = -1;
    fclose(memory);
    found.kib = pages * (sysconf(_SC_PAGESIZE) / 1024);
    return found;
}

static void leaks(void) {
    struct resources before = {0, 0, 0};
    for (int number = 0; number < 100000; number++) {
        if (number == 2000) before = resources();
        int is_common = number % 50 == 0;
        MPI_Comm twin;
        MPI_Comm_dup(is_common ? MPI_COMM_WORLD : MPI_COMM_SELF, &twin);
        for (int call = 0; call < (is_common ? 4 : 1); call++) MPI_Bcast(&number, 1, MPI_INT, 0, twin);
        MPI_Comm_free(&twin);
    }
    struct resources after = resources();
    if (rank == 0)
        printf("%ld maps, %ld files, %ld KiB more\n", after.maps - before.maps, after.files - before.files, after.kib - before.kib);
}

static void differ(const char *what) {
    static double data[1 << 20], result[1 << 20];
    int is_last = rank == size - 1;
    for (int call = 0; call < 10; call++) MPI_Allreduce(data, result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!strcmp(what, "root")) MPI_Bcast(data, 4, MPI_DOUBLE, is_last, MPI_COMM_WORLD);
    if (!strcmp(what, "count")) MPI_Allreduce(data, result, is_last ? 5 : 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!strcmp(what, "operation"))
        MPI_Allreduce(data, result, 4, MPI_DOUBLE, is_last ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    if (!strcmp(what, "length")) MPI_Bcast(data, is_last ? 1 << 20 : 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (!strcmp(what, "verb")) {
        if (is_last)
            MPI_Barrier(MPI_COMM_WORLD);
        else
            MPI_Allgather(data, 1, MPI_DOUBLE, result, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A process that may not make long files has no memory to share. */
static void no_room(const char *file) {
    struct rlimit limit = {1 << 16, 1 << 16};
    if (rank == 0) setrlimit(RLIMIT_FSIZE, &limit);
    char name[4096];
    snprintf(name, sizeof name, "%s.%d", file, rank);
    out = fopen(name, "w");
    for (int number = 0; number < 20; number++) reduce(MPI_COMM_WORLD, 3, MPI_INT, MPI_SUM, number);
    fclose(out);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *mode = argc > 1 ? argv[1] : "", *argument = argc > 2 ? argv[2] : "";
    if (!strcmp(mode, "results")) results(argument);
    if (!strcmp(mode, "leaks")) leaks();
    if (!strcmp(mode, "differ")) differ(argument);
    if (!strcmp(mode, "no_room")) no_room(argument);
    if (!strcmp(mode, "exit")) {
        for (int call = 0; call < 10; call++) MPI_Barrier(MPI_COMM_WORLD);
        if (rank == size - 1) _exit(3);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
