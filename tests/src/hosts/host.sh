# The first process of one host: NAME ADDRESS SSH_FOLDER FOLDER...
# /proc is still that of the set, where process 1 has the network namespace with the bridge. A FOLDER lies in a place that is
# private on a host, and is to be visible there.
set -eu
name=$1 address=$2 ssh_folder=$3
shift 3
echo "$name" > /proc/sys/kernel/hostname
ip link add eth0 type veth peer name "$name" netns /proc/1/ns/net
nsenter --net=/proc/1/ns/net ip link set "$name" master wb-hosts up
ip link set lo up
ip address add "$address/24" dev eth0
ip link set eth0 up
mount -t proc proc /proc

shared=/run/test-hosts
stage=$shared/stage/$name
number=0
for folder in "$@"; do
    number=$((number + 1))
    mkdir -p "$stage/$number"
    mount --rbind "$folder" "$stage/$number"
done
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t tmpfs -o mode=1777 tmpfs /tmp
mkdir /tmp/stage
mount --rbind "$shared" /tmp/stage
mount -t tmpfs -o mode=755 tmpfs /run
mkdir "$shared"
mount --move /tmp/stage "$shared"
rmdir /tmp/stage
number=0
for folder in "$@"; do
    number=$((number + 1))
    mkdir -p "$folder"
    mount --move "$stage/$number" "$folder"
done

mount --bind "$shared/hosts" /etc/hosts
# Names are those of this file only: a question to a server of names would wait for an answer.
[ ! -e /etc/resolv.conf ] || mount --bind /dev/null /etc/resolv.conf
mount --bind "$shared/ssh_config" /etc/ssh/ssh_config
# A shell over ssh reads no settings of this machine's user: what they start may wait for what a dead host has locked.
[ ! -e "${ssh_folder%/.ssh}/.bashrc" ] || mount --bind /dev/null "${ssh_folder%/.ssh}/.bashrc"
[ ! -d "$ssh_folder" ] || mount -t tmpfs -o mode=700 tmpfs "$ssh_folder"
mkdir -p /run/sshd
"$(command -v sshd)" -f "$shared/sshd_config" -E "$shared/$name.sshd.log"
# From here on it waits for a line that is not written, without a child, and reaps the orphans of its namespace.
mkfifo /run/no-line
exec 3<> /run/no-line
trap 'exit 0' TERM
echo ready
exec > /dev/null 2>&1
while :; do read -r -u 3 || true; done
