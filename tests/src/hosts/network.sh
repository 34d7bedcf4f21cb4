# The first process of a set's own namespaces, with the bridge of its hosts and the folder that they share.
# Everything that the set mounts or makes is in these namespaces, so it vanishes with this process.
set -eu
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/test-hosts /run/test-hosts/shared /run/test-hosts/stage
ip link set lo up
ip link add wb-hosts type bridge
ip link set wb-hosts up
# From here on it waits for a line that is not written, without a child, and reaps the orphans of its namespace.
mkfifo /run/no-line
exec 3<> /run/no-line
trap 'exit 0' TERM
echo ready
exec > /dev/null 2>&1
while :; do read -r -u 3 || true; done
