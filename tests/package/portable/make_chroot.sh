#!/usr/bin/env bash
# Makes a system of a release of Debian or Ubuntu in a folder, which stays for the next run: its C library, a shell and
# what a shell needs, unpacked and not configured. Ready in seconds, unlike what debootstrap makes.
#
#   make_chroot.sh SUITE FOLDER
#
# Needs root and the archive of the release. Fails if one is missing, and leaves no folder then.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
suite=$1 folder=$2
[ -e "$folder/made" ] && exit

case $suite in
  bionic | focal | jammy | noble)
    # Debian has the keys of Ubuntu since its release 13, and debootstrap knows the archive.
    keys=build/chroots/ubuntu-keyring
    cmake/package/portable_packages.sh trixie amd64 "$keys" ubuntu-keyring
    RECALL_KEYRING=$PWD/$keys/usr/share/keyrings/ubuntu-archive-keyring.gpg
    RECALL_MIRROR=$(sed -n 's/^[[:space:]]*default_mirror \(.*archive.*\)/\1/p' "/usr/share/debootstrap/scripts/$suite" | head -n 1)
    export RECALL_KEYRING RECALL_MIRROR
    ;;
esac
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
if ! cmake/package/portable_packages.sh "$suite" amd64 "$folder" --system dash coreutils sed grep libc-bin base-files \
  2>"$folder.log"; then
  tail -n 3 "$folder.log" >&2
  rm -rf "$folder"
  exit 1
fi
[ -e "$folder/bin/sh" ] || ln -s dash "$folder/bin/sh"
mkdir -p "$folder"/{dev,proc,tmp,home}
chmod 1777 "$folder/tmp"
mknod -m 666 "$folder/dev/null" c 1 3
mknod -m 444 "$folder/dev/urandom" c 1 9
touch "$folder/made"
