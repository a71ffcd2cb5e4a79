#!/bin/busybox sh
# Process 1 of the guest, in the first root: brings up the host's root under /new, sets the hardware
# up as /settings asks, runs /job inside, reports "ready" and then the exit code of the job.
. /settings
bb=/bin/busybox
$bb mount -t proc proc /proc
$bb mount -t sysfs sysfs /sys
$bb mount -t devtmpfs dev /dev
while read -r file; do $bb insmod "$file"; done </mod/order

port() { for p in /sys/class/virtio-ports/*; do
    read -r name <"$p/name"
    [ "$name" = "$1" ] && echo "/dev/${p##*/}" && return
done; }
exec 3>"$(port control)"
finish() { echo "$1" >&3; $bb sleep 1000; }          # the host pulls the plug
must() { "$@" || { echo "vmlab: failed: $*"; finish 125; }; }
nine() { $bb mount -t 9p -o "$1,trans=virtio,version=9p2000.L,msize=512000" "$2" "$3"; }

must nine ro,cache=loose root /low
$bb mount -t tmpfs tmpfs /up
$bb mkdir /up/data /up/work
must $bb mount -t overlay -o lowerdir=/low,upperdir=/up/data,workdir=/up/work root /new
for d in proc sys dev; do $bb mount --bind /$d /new/$d; done
$bb mkdir -p /dev/shm /dev/pts "/new/lib/modules/${MODULES##*/}"
for d in /dev/shm /new/run; do $bb mount -t tmpfs -o mode=1777 tmpfs $d; done
$bb mount -t devpts devpts /dev/pts
$bb mount --bind "/new$MODULES" "/new/lib/modules/${MODULES##*/}"
$bb ifconfig lo up
i=0
for folder in $SHARES; do
    must nine rw,cache=mmap "share$i" "/new$folder"
    i=$((i + 1))
done

# The kernel numbers the regions as it likes: NVDIMM i is the one whose handle is i + 1.
nd=/sys/bus/nd
region_of() { for r in $nd/devices/region*; do
    IFS=, read -r dimm _ <"$r/mapping0"
    read -r handle <"$nd/devices/$dimm/nfit/handle"
    [ $((handle)) -eq $(($1 + 1)) ] && echo "${r##*region}" && return
done; }

# A new NVDIMM is a raw namespace, /dev/pmemN.  This puts it in a mode ("pfn" for fsdax,
# "dax" for devdax), which the kernel writes down on it and finds again at the next boot.
convert() {
    echo "namespace$2.0" >$nd/drivers/nd_pmem/unbind
    for d in $nd/devices/$1$2.*; do
        echo "$(cat /proc/sys/kernel/random/uuid)" >"$d/uuid"
        echo pmem >"$d/mode"
        echo "namespace$2.0" >"$d/namespace"
        echo "${d##*/}" >"$nd/drivers/$3/bind"
    done
}

i=0
for mode in $NVDIMMS; do
    r=$(region_of $i)
    read -r node <"$nd/devices/region$r/target_node"
    nodes="$nodes $node"
    [ -d "$nd/drivers/nd_pmem/namespace$r.0" ] && fresh=yes || fresh=
    name=pmem$r
    case $mode in
    fsdax)
        [ -z $fresh ] || must convert pfn "$r" nd_pmem
        [ -z $fresh ] || must $bb chroot /new mkfs.ext4 -q -b 4096 -E nodiscard "/dev/$name"
        $bb mkdir -p "/new/mnt/pmem$i"
        must $bb mount -t ext4 -o dax=always "/dev/$name" "/new/mnt/pmem$i" ;;
    devdax | kmem)
        [ -z $fresh ] || must convert dax "$r" dax_pmem
        name=dax$r.0 ;;
    esac
    if [ "$mode" = kmem ]; then
        echo "$name" >/sys/bus/dax/drivers/device_dax/unbind
        echo "$name" >/sys/bus/dax/drivers/kmem/new_id
        for m in /sys/devices/system/memory/memory*; do
            read -r state <"$m/state"
            [ "$state" = online ] || echo online_movable >"$m/state"
        done
    fi
    $bb ln -s "$name" "/dev/nvdimm$i"
    i=$((i + 1))
done
if [ -n "$CXL" ]; then
    $bb chroot /new modprobe -a cxl_acpi cxl_pci cxl_mem cxl_pmem
    r=$($bb chroot /new cxl create-region -m -d decoder0.0 -w 1 mem0 2>/dev/null |
        $bb sed -n 's/.*"region":"region\([0-9]*\)".*/\1/p')
    must [ -n "$r" ]
    [ -e "/dev/dax$r.0" ] || $bb chroot /new ndctl create-namespace -r "region$r" -m devdax --map=mem >/dev/null
    $bb ln -s "dax$r.0" /dev/cxl0
fi

echo ready >&3
export LAB_NVDIMM_NODES="${nodes# }"
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
$bb cp /job /new/run/job
$bb chroot /new /bin/sh /run/job </dev/null >"$(port out)" 2>"$(port err)" 3>&-
code=$?
$bb sync
$bb umount -a -t ext4,xfs
finish $code
