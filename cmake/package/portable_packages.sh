#!/usr/bin/env bash
# Unpacks packages of a release of Debian into a folder. Nothing is installed, and no script of a package runs. They come
# from the mirror that this machine's apt uses, and apt verifies their signatures; it gets lists of its own.
#
#   portable_packages.sh SUITE ARCHITECTURE FOLDER PACKAGE...      unpacks packages, without what they depend on
#   portable_packages.sh SUITE ARCHITECTURE FOLDER --system PACKAGE...    and all that they depend on, as a system
#   portable_packages.sh SUITE source FOLDER PACKAGE[=VERSION]...  unpacks sources, a folder PACKAGE each
#
# FOLDER/packages is written last: the versions of the packages, a line each. A folder that has these packages stays.
# RECALL_MIRROR and RECALL_KEYRING name another archive, and the file that has its keys.
set -euo pipefail
suite=$1 architecture=$2 folder=$3
shift 3
system=
if [ "${1:-}" = --system ]; then system=yes && shift; fi
[ "$(cut -d= -f1 "$folder/packages" 2>/dev/null | xargs)" = "$(printf '%s\n' "${@%%=*}" | xargs)" ] && exit

keyring=${RECALL_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}
mirror=${RECALL_MIRROR:-$(apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
  awk '$1 == "Debian" && $2 == "main" && $3 !~ /security/ { print $3; exit }')}
[ -n "$mirror" ] || { echo "apt has no mirror of Debian: run apt-get update" >&2 && exit 1; }

state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state"/{lists,archives}/partial "$state/download"
: >"$state/status"
kind=deb
[ "$architecture" != source ] || kind=deb-src
echo "$kind [signed-by=$keyring] $mirror $suite main" >"$state/sources.list"
apt=(apt-get -qq -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state" -o Debug::NoLocking=1
  -o APT::Sandbox::User="$(id -un)")
[ "$architecture" = source ] || apt+=(-o APT::Architecture="$architecture" -o APT::Architectures="$architecture")
"${apt[@]}" update

rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$state/download"
if [ "$architecture" = source ]; then
  # The archive of the authors, without Debian's patches and rules.
  "${apt[@]}" source --tar-only "$@" >/dev/null
  for archive in *.orig.tar.*; do
    name=${archive%%_*} version=${archive#*_}
    mkdir "$folder/$name"
    tar -xf "$archive" -C "$folder/$name" --strip-components=1 --no-same-owner
    echo "$name=${version%.orig.tar.*}" >>"$state/packages"
  done
else
  if [ -n "$system" ]; then
    "${apt[@]}" install -y --no-install-recommends --download-only "$@" >/dev/null
    mv "$state"/archives/*.deb .
    # Older releases have these folders twice, newer ones have links.
    mkdir -p "$folder"/usr/{bin,sbin,lib,lib64}
    ln -s usr/{bin,sbin,lib,lib64} "$folder"
  else
    "${apt[@]}" download "$@"
  fi
  for package in *.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$folder" --keep-directory-symlink
    dpkg-deb --showformat '${Package}=${Version}\n' --show "$package" >>"$state/packages"
  done
fi
# Absolute links lead out of the folder.
find "$folder" -type l -lname '/*' | while read -r link; do
  target=$(readlink "$link")
  if [ -e "$folder$target" ]; then ln -sfr "$folder$target" "$link"; fi
done
# In the order of the arguments, which the next call compares.
for name in "${@%%=*}"; do grep "^$name=" "$state/packages"; done >"$folder/packages"
