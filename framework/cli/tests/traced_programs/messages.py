from mpi4py import MPI

world = MPI.COMM_WORLD
if world.Get_rank() == 0:
    world.Send(bytearray(24), dest=1, tag=5)
if world.Get_rank() == 1:
    world.Recv(bytearray(24), source=0, tag=5)
world.Bcast(bytearray(16), root=1)
