/* MPI's predefined handles and constants as objects that Rust can read.
 *
 * In mpi.h they are macros: integers in MPICH, addresses of library objects in Open MPI. bindgen sees neither, and rsmpi
 * exports only those that its own safe interface needs. Each object is named after the macro with the prefix wb_. */
#include <mpi.h>

#define HANDLE(type, name) const type wb_##name = name

HANDLE(MPI_Datatype, MPI_DATATYPE_NULL);
HANDLE(MPI_Datatype, MPI_BYTE);
HANDLE(MPI_Datatype, MPI_INT);
HANDLE(MPI_Datatype, MPI_FLOAT);
HANDLE(MPI_Datatype, MPI_DOUBLE);
HANDLE(MPI_Datatype, MPI_INT8_T);
HANDLE(MPI_Datatype, MPI_INT16_T);
HANDLE(MPI_Datatype, MPI_INT64_T);
HANDLE(MPI_Datatype, MPI_UINT8_T);
HANDLE(MPI_Datatype, MPI_UINT16_T);
HANDLE(MPI_Datatype, MPI_UINT32_T);
HANDLE(MPI_Datatype, MPI_UINT64_T);
HANDLE(MPI_Datatype, MPI_2INT);
HANDLE(MPI_Datatype, MPI_LONG_INT);
HANDLE(MPI_Datatype, MPI_FLOAT_INT);
HANDLE(MPI_Datatype, MPI_DOUBLE_INT);

HANDLE(MPI_Op, MPI_SUM);
HANDLE(MPI_Op, MPI_PROD);
HANDLE(MPI_Op, MPI_MIN);
HANDLE(MPI_Op, MPI_MAX);
HANDLE(MPI_Op, MPI_BAND);
HANDLE(MPI_Op, MPI_BOR);
HANDLE(MPI_Op, MPI_BXOR);
HANDLE(MPI_Op, MPI_LAND);
HANDLE(MPI_Op, MPI_LOR);
HANDLE(MPI_Op, MPI_LXOR);
HANDLE(MPI_Op, MPI_MINLOC);
HANDLE(MPI_Op, MPI_MAXLOC);
HANDLE(MPI_Op, MPI_REPLACE);
HANDLE(MPI_Op, MPI_NO_OP);

HANDLE(MPI_Comm, MPI_COMM_WORLD);
HANDLE(MPI_Comm, MPI_COMM_SELF);
HANDLE(MPI_Comm, MPI_COMM_NULL);
HANDLE(MPI_Request, MPI_REQUEST_NULL);
HANDLE(MPI_Errhandler, MPI_ERRORS_RETURN);
HANDLE(MPI_Win, MPI_WIN_NULL);
HANDLE(MPI_Info, MPI_INFO_NULL);
HANDLE(MPI_File, MPI_FILE_NULL);
HANDLE(MPI_Group, MPI_GROUP_NULL);

/* The address of a list of weights that stands for no weights. In MPICH it is an object, which initialises no constant. */
int *wb_unweighted(void);
int *wb_unweighted(void) { return MPI_UNWEIGHTED; }
/* The buffer of a rank whose contribution is in its other buffer. */
void *const wb_MPI_IN_PLACE = MPI_IN_PLACE;
HANDLE(int, MPI_ANY_SOURCE);
HANDLE(int, MPI_ANY_TAG);
HANDLE(int, MPI_ORDER_C);
HANDLE(int, MPI_UNDEFINED);
HANDLE(int, MPI_COMBINER_NAMED);
HANDLE(int, MPI_SUCCESS);
HANDLE(int, MPI_ERR_BUFFER);
HANDLE(int, MPI_ERR_IN_STATUS);
HANDLE(MPI_Message, MPI_MESSAGE_NULL);
HANDLE(int, MPI_ERR_PENDING);
HANDLE(int, MPI_ERR_TRUNCATE);
HANDLE(int, MPI_ERR_WIN);
HANDLE(int, MPI_COMM_TYPE_SHARED);
HANDLE(int, MPI_WIN_MODEL);
HANDLE(int, MPI_WIN_UNIFIED);
HANDLE(int, MPI_LOCK_SHARED);
HANDLE(int, MPI_LOCK_EXCLUSIVE);
HANDLE(int, MPI_MODE_NOCHECK);
HANDLE(int, MPI_MODE_NOSTORE);
HANDLE(int, MPI_MODE_NOPUT);
HANDLE(int, MPI_MODE_NOPRECEDE);
HANDLE(int, MPI_MODE_NOSUCCEED);
HANDLE(int, MPI_MODE_RDONLY);
HANDLE(int, MPI_MODE_WRONLY);
HANDLE(int, MPI_MODE_RDWR);
HANDLE(int, MPI_MODE_CREATE);
HANDLE(int, MPI_MODE_EXCL);
HANDLE(int, MPI_MODE_DELETE_ON_CLOSE);
HANDLE(int, MPI_ERR_NO_SUCH_FILE);
HANDLE(int, MPI_ERR_FILE_EXISTS);
HANDLE(int, MPI_ERR_ACCESS);
HANDLE(int, MPI_ERR_READ_ONLY);
HANDLE(int, MPI_MAX_ERROR_STRING);

/* The widths that this file was compiled with, held against those of the Rust bindings: a target directory shared by
 * two MPI implementations mixes them. */
const int wb_bytes_of_comm = sizeof(MPI_Comm);
const int wb_bytes_of_status = sizeof(MPI_Status);
/* Whether the library is Open MPI. */
#ifdef OPEN_MPI
const int wb_is_open_mpi = 1;
#else
const int wb_is_open_mpi = 0;
#endif
/* MPI_INT stands for i32. */
_Static_assert(sizeof(int) == 4, "int has 32 bits");
