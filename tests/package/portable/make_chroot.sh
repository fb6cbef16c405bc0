#!/usr/bin/env bash
# Makes the smallest system of a release of Debian or Ubuntu in a folder, which stays for the next run.
#
#   make_chroot.sh SUITE FOLDER
#
# Needs root, debootstrap and the archive of the release. Fails if one is missing, and leaves no folder then.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
suite=$1 folder=$2
[ -e "$folder/made" ] && exit

mirror=
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
case $suite in
  bionic | focal | jammy | noble)
    # Debian has the keys of Ubuntu since its release 13.
    keys=build/chroots/ubuntu-keyring
    cmake/package/portable_packages.sh trixie amd64 "$keys" ubuntu-keyring
    keyring=$keys/usr/share/keyrings/ubuntu-archive-keyring.gpg
    ;;
  *) mirror=$(apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "Debian" && $2 !~ /-/ { print $3; exit }') ;;
esac
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
# Debootstrap knows the archive of Ubuntu. A release that is newer than debootstrap is made as the one before.
script=
[ -e "/usr/share/debootstrap/scripts/$suite" ] || script=/usr/share/debootstrap/scripts/sid
if ! debootstrap --variant=minbase --keyring="$keyring" "$suite" "$folder" ${mirror:+"$mirror"} ${script:+"$script"} \
  >"$folder.log" 2>&1; then
  tail -n 3 "$folder.log" >&2
  rm -rf "$folder"
  exit 1
fi
rm -rf "$folder"/var/cache/apt/archives/*.deb "$folder"/var/lib/apt/lists/*
touch "$folder/made"
