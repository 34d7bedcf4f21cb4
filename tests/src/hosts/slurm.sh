# Starts Slurm's daemons on one host: NAME CONTROLLER. Each goes into the background when it is ready.
set -eu
name=$1 controller=$2
shared=/run/test-hosts
mkdir -p /run/munge /run/slurmd /run/slurmctld
mount -t tmpfs -o mode=755 tmpfs /etc/slurm
cp "$shared/slurm.conf" /etc/slurm/slurm.conf
munged --key-file="$shared/munge.key" --log-file=/run/munge/log --pid-file=/run/munge/pid \
    --seed-file=/run/munge/seed --num-threads=2
[ "$name" != "$controller" ] || slurmctld
slurmd
