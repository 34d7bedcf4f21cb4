#!/bin/sh
# The same program by SimGrid (Debian: libsimgrid-dev) and by our model, on the same machine: simulated seconds of 100
# dissemination barriers, then of 100 binomial broadcasts of 1 KB with such a barrier after each; how long simulating took. Usage: compare.sh [RANKS]
set -eu
ranks=${1:-1024}
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
smpicc -O2 "$here/barriers.c" -o "$scratch/barriers"
seq -f 'n%g' 0 1023 > "$scratch/hosts"
echo "SimGrid, $ranks ranks: barriers and broadcasts, simulated seconds"
began=$(date +%s.%N)
# Overheads of 200 ns at either end, and none of the factors that SMPI fits to an Ethernet of its authors.
(cd "$scratch" && smpirun -np "$ranks" -platform "$here/platform.xml" -hostfile hosts \
    --cfg=smpi/privatization:mmap --cfg=smpi/simulate-computation:no --cfg=smpi/async-small-thresh:65536 \
    --cfg=smpi/os:0:2e-7:0 --cfg=smpi/ois:0:2e-7:0 --cfg=smpi/or:0:2e-7:0 --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 \
    --log=root.thres:critical ./barriers 2>/dev/null)
ended=$(date +%s.%N)
echo "took $(echo "$ended - $began" | bc) s"
cd "$here"
cargo run --quiet --release -p wb-sim --example against_simgrid -- "$ranks"
