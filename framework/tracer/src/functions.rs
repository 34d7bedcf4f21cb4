//! The functions that this library defines, by their names and arguments, and what each records.
use wb_record::CollectiveShape::{All, From, Prefix, To};

use crate::{
    recorder::{bytes, bytes_of_all, bytes_of_types, is_in_place},
    trampoline::functions,
};

functions! {
    MPI_Init(argc, argv) => |call| call.invoke().1;
    MPI_Init_thread(argc, argv, required, provided) => |call| call.invoke().1;
    MPI_Finalize() => |call| call.finalize();
}

// Messages.
functions! {
    MPI_Send(buf, count, datatype, dest, tag, comm) => |call| call.send(comm, [count, datatype, dest, tag], false);
    MPI_Bsend(buf, count, datatype, dest, tag, comm) => |call| call.send(comm, [count, datatype, dest, tag], false);
    MPI_Rsend(buf, count, datatype, dest, tag, comm) => |call| call.send(comm, [count, datatype, dest, tag], false);
    MPI_Ssend(buf, count, datatype, dest, tag, comm) => |call| call.send(comm, [count, datatype, dest, tag], true);
    MPI_Recv(buf, count, datatype, source, tag, comm, status) => |call| call.receive(comm, 6);
    MPI_Sendrecv(sendbuf, count, datatype, dest, tag, recvbuf, recvcount, recvtype, source, recvtag, comm, status) => |call|
        call.exchange(comm, [count, datatype, dest, tag], 11);
    MPI_Sendrecv_replace(buf, count, datatype, dest, tag, source, recvtag, comm, status) => |call|
        call.exchange(comm, [count, datatype, dest, tag], 8);
    MPI_Isend(buf, count, datatype, dest, tag, comm, request) => |call|
        call.start(comm, request, Some([count, datatype, dest, tag]));
    MPI_Ibsend(buf, count, datatype, dest, tag, comm, request) => |call|
        call.start(comm, request, Some([count, datatype, dest, tag]));
    MPI_Irsend(buf, count, datatype, dest, tag, comm, request) => |call|
        call.start(comm, request, Some([count, datatype, dest, tag]));
    MPI_Issend(buf, count, datatype, dest, tag, comm, request) => |call|
        call.start(comm, request, Some([count, datatype, dest, tag]));
    MPI_Irecv(buf, count, datatype, source, tag, comm, request) => |call| call.start(comm, request, None);
    MPI_Probe(source, tag, comm, status) => |call| call.local(comm);
    MPI_Iprobe(source, tag, comm, flag, status) => |call| call.local(comm);
    MPI_Mprobe(source, tag, comm, message, status) => |call| call.probe_message(comm, message, None);
    MPI_Improbe(source, tag, comm, flag, message, status) => |call| call.probe_message(comm, message, Some(flag));
    MPI_Mrecv(buf, count, datatype, message, status) => |call| {
        let comm = call.take_message(message);
        call.receive(comm, 4)
    };
    MPI_Imrecv(buf, count, datatype, message, request) => |call| {
        let comm = call.take_message(message);
        call.start(comm, request, None)
    };
    MPI_Send_init(buf, count, datatype, dest, tag, comm, request) => |call|
        call.prepare(comm, request, Some([count, datatype, dest, tag]));
    MPI_Bsend_init(buf, count, datatype, dest, tag, comm, request) => |call|
        call.prepare(comm, request, Some([count, datatype, dest, tag]));
    MPI_Rsend_init(buf, count, datatype, dest, tag, comm, request) => |call|
        call.prepare(comm, request, Some([count, datatype, dest, tag]));
    MPI_Ssend_init(buf, count, datatype, dest, tag, comm, request) => |call|
        call.prepare(comm, request, Some([count, datatype, dest, tag]));
    MPI_Recv_init(buf, count, datatype, source, tag, comm, request) => |call| call.prepare(comm, request, None);
    MPI_Start(request) => |call| call.start_persistent(1, request);
    MPI_Startall(count, requests) => |call| call.start_persistent(count.length(), requests);
}

// Requests. The numbers are the positions of statuses among the arguments.
functions! {
    MPI_Wait(request, status) => |call| call.complete_one(request, 1, None);
    MPI_Test(request, flag, status) => |call| call.complete_one(request, 2, Some(flag));
    MPI_Waitall(count, requests, statuses) => |call| call.wait_all(count.length(), requests, statuses);
    MPI_Testall(count, requests, flag, statuses) => |call| call.test_all(count.length(), requests, flag, 3);
    MPI_Waitany(count, requests, index, status) => |call| call.complete_any(count.length(), requests, index, 3);
    MPI_Testany(count, requests, index, flag, status) => |call| call.complete_any(count.length(), requests, index, 4);
    MPI_Waitsome(count, requests, done, indices, statuses) => |call| call.complete_some([count, requests, done, indices], 4);
    MPI_Testsome(count, requests, done, indices, statuses) => |call| call.complete_some([count, requests, done, indices], 4);
    MPI_Request_free(request) => |call| call.free_request(request);
}

/// Defines a collective function and the function that starts it: the shape, and the larger of input and output in bytes.
macro_rules! collectives {
    ($($name:ident $start:ident($($argument:ident),*) of $comm:ident => |$communicator:ident| $shape:expr;)*) => {
        functions! {$(
            $name($($argument),*) => |call| call.collective($comm, None, |$communicator| $shape);
            $start($($argument,)* request) => |call| call.collective($comm, Some(request), |$communicator| $shape);
        )*}
    };
}

collectives! {
    MPI_Barrier MPI_Ibarrier(comm) of comm => |_communicator| (All, 0);
    MPI_Bcast MPI_Ibcast(buffer, count, datatype, root, comm) of comm => |_communicator| (From(root.rank()), bytes(count, datatype));
    MPI_Gather MPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm) of comm => |communicator| {
        let bytes = match communicator.rank == root.rank() {
            true => bytes(recvcount, recvtype) * u64::from(communicator.size),
            false => bytes(sendcount, sendtype),
        };
        (To(root.rank()), bytes)
    };
    MPI_Gatherv MPI_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm) of comm => |communicator| {
        let bytes = match communicator.rank == root.rank() {
            true => bytes_of_all(recvcounts, recvtype, communicator.size),
            false => bytes(sendcount, sendtype),
        };
        (To(root.rank()), bytes)
    };
    MPI_Scatter MPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm) of comm => |communicator| {
        let bytes = match communicator.rank == root.rank() {
            true => bytes(sendcount, sendtype) * u64::from(communicator.size),
            false => bytes(recvcount, recvtype),
        };
        (From(root.rank()), bytes)
    };
    MPI_Scatterv MPI_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm) of comm => |communicator| {
        let bytes = match communicator.rank == root.rank() {
            true => bytes_of_all(sendcounts, sendtype, communicator.size),
            false => bytes(recvcount, recvtype),
        };
        (From(root.rank()), bytes)
    };
    MPI_Allgather MPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm) of comm => |communicator|
        (All, bytes(recvcount, recvtype) * u64::from(communicator.size));
    MPI_Allgatherv MPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm) of comm => |communicator|
        (All, bytes_of_all(recvcounts, recvtype, communicator.size));
    MPI_Alltoall MPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm) of comm => |communicator|
        (All, bytes(recvcount, recvtype) * u64::from(communicator.size));
    MPI_Alltoallv MPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm) of comm =>
        |communicator| {
            let output = bytes_of_all(recvcounts, recvtype, communicator.size);
            let input = if is_in_place(sendbuf) { 0 } else { bytes_of_all(sendcounts, sendtype, communicator.size) };
            (All, output.max(input))
        };
    MPI_Alltoallw MPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm) of comm =>
        |communicator| {
            let output = bytes_of_types(recvcounts, recvtypes, communicator.size);
            let input = if is_in_place(sendbuf) { 0 } else { bytes_of_types(sendcounts, sendtypes, communicator.size) };
            (All, output.max(input))
        };
    MPI_Reduce MPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm) of comm => |_communicator|
        (To(root.rank()), bytes(count, datatype));
    MPI_Allreduce MPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm) of comm => |_communicator| (All, bytes(count, datatype));
    MPI_Reduce_scatter MPI_Ireduce_scatter(sendbuf, recvbuf, counts, datatype, op, comm) of comm => |communicator|
        (All, bytes_of_all(counts, datatype, communicator.size));
    MPI_Reduce_scatter_block MPI_Ireduce_scatter_block(sendbuf, recvbuf, count, datatype, op, comm) of comm => |communicator|
        (All, bytes(count, datatype) * u64::from(communicator.size));
    MPI_Scan MPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm) of comm => |_communicator| (Prefix, bytes(count, datatype));
    MPI_Exscan MPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm) of comm => |_communicator| (Prefix, bytes(count, datatype));
}

// Communicators.
functions! {
    MPI_Comm_dup(comm, made) => |call| call.communicator(comm, made, None);
    MPI_Comm_dup_with_info(comm, info, made) => |call| call.communicator(comm, made, None);
    MPI_Comm_split(comm, color, key, made) => |call| call.communicator(comm, made, Some(color));
    MPI_Comm_split_type(comm, split_type, key, info, made) => |call| call.communicator(comm, made, None);
    MPI_Comm_create(comm, group, made) => |call| call.communicator(comm, made, None);
    MPI_Comm_create_group(comm, group, tag, made) => |call| call.communicator_of_group(comm, made, tag.int());
    MPI_Cart_create(comm, dimensions, sizes, periods, reorder, made) => |call| call.communicator(comm, made, None);
    MPI_Cart_sub(comm, remaining, made) => |call| call.communicator(comm, made, None);
    MPI_Graph_create(comm, nodes, index, edges, reorder, made) => |call| call.communicator(comm, made, None);
    MPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, made) => |call|
        call.communicator(comm, made, None);
    MPI_Dist_graph_create_adjacent(
        comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, made
    ) => |call| call.communicator(comm, made, None);
    MPI_Comm_free(comm) => |call| call.free_communicator(comm);
    MPI_Comm_disconnect(comm) => |call| call.free_communicator(comm);
}

/// Defines functions that are only counted, by the names of their arguments.
macro_rules! counted {
    ($($arguments:tt $($name:ident)*;)*) => {$( counted! { @each $arguments $($name)* } )*};
    (@each $arguments:tt $($name:ident)*) => {$( counted! { @one $name $arguments } )*};
    (@one $name:ident ($($argument:ident)*)) => {
        functions! { $name($($argument),*) => |call| call.unrecorded(); }
    };
}

// What a trace does not contain: access to windows and files, neighbourhoods, two groups, other programs.
counted! {
    (a) MPI_Win_free MPI_Win_complete MPI_Win_wait MPI_Win_lock_all MPI_Win_unlock_all MPI_Win_flush_all MPI_Win_flush_local_all
        MPI_File_close MPI_File_sync;
    (a b) MPI_Win_fence MPI_Win_test MPI_Win_unlock MPI_Win_flush MPI_Win_flush_local MPI_File_set_size;
    (a b c) MPI_Win_post MPI_Win_start MPI_Win_create_dynamic MPI_Intercomm_merge MPI_Comm_idup;
    (a b c d) MPI_Win_lock;
    (a b c d e) MPI_File_open MPI_File_read MPI_File_read_all MPI_File_write MPI_File_write_all MPI_File_read_shared MPI_File_write_shared
        MPI_File_read_ordered MPI_File_write_ordered MPI_File_iread MPI_File_iwrite MPI_Comm_accept MPI_Comm_connect;
    (a b c d e f) MPI_Win_create MPI_Win_allocate MPI_Win_allocate_shared MPI_File_read_at MPI_File_read_at_all MPI_File_write_at
        MPI_File_write_at_all MPI_File_iread_at MPI_File_iwrite_at MPI_Intercomm_create MPI_File_set_view;
    (a b c d e f g) MPI_Compare_and_swap MPI_Fetch_and_op MPI_Neighbor_allgather MPI_Neighbor_alltoall;
    (a b c d e f g h) MPI_Put MPI_Get MPI_Neighbor_allgatherv MPI_Ineighbor_allgather MPI_Ineighbor_alltoall MPI_Comm_spawn;
    (a b c d e f g h i) MPI_Accumulate MPI_Rput MPI_Rget MPI_Neighbor_alltoallv MPI_Neighbor_alltoallw MPI_Ineighbor_allgatherv
        MPI_Comm_spawn_multiple;
    (a b c d e f g h i j) MPI_Raccumulate MPI_Ineighbor_alltoallv MPI_Ineighbor_alltoallw;
    (a b c d e f g h i j k l) MPI_Get_accumulate;
    (a b c d e f g h i j k l m) MPI_Rget_accumulate;
}
