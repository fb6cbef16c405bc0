#!/usr/bin/env bash
# Makes librecall1 and librecall-dev for Debian of the folder that library_tarball.sh packs:
#
#   library_debs.sh FOLDER VERSION OUTPUT
#
# They need nothing but libc6, so one package does for Debian 10 and later and for Ubuntu 18.04 and later.
# SOURCE_DATE_EPOCH is the time of the files.
set -euo pipefail
readonly from=$1 version=$2 output=$3
readonly triplet=x86_64-linux-gnu architecture=amd64
readonly apache='On Debian systems, the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.'
readonly maintainer='The Recall authors <recall@localhost>'
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
umask 022

# Fields that both packages have.
control() { # control PACKAGE SECTION DEPENDS SUMMARY DESCRIPTION
  local root=$stage/$1
  mkdir -p "$root/DEBIAN"
  cat >"$root/DEBIAN/control" <<TEXT
Package: $1
Source: recall
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du --summarize --apparent-size --block-size=1024 "$root" | cut -f 1)
Depends: $3
Section: $2
Priority: optional
Multi-Arch: same
Description: $4
 Recall is a search database for documents in one file: lexical and semantic
 search, exact filters, and passages packed into a token budget with citations.
 .
$5
TEXT
}

# What each package has in share/doc.
documents() { # documents PACKAGE
  local folder=$stage/$1/usr/share/doc/$1
  mkdir -p "$folder"
  {
    printf 'Recall, SQLite for document data.\n\nCopyright: The Recall authors\nLicense: Apache-2.0\n\n%s\n' "$apache"
    printf '\nWhat is linked into the library:\n'
    for licence in "$from"/share/doc/librecall/licenses/*; do
      # Debian has these.
      case ${licence##*/} in common-*) continue ;; esac
      printf '\n==== %s ====\n\n' "${licence##*/}"
      if grep -q 'TERMS AND CONDITIONS FOR USE' "$licence"; then
        printf 'License: Apache-2.0\n\n%s\n' "$apache"
      else
        cat "$licence"
      fi
    done
  } >"$folder/copyright"
  printf 'recall (%s) unstable; urgency=medium\n\n  * CHANGELOG.md of the sources says what is new.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -R --date="@$SOURCE_DATE_EPOCH")" | gzip -9n >"$folder/changelog.gz"
}

build() { # build PACKAGE
  local root=$stage/$1
  (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
  find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz --build "$root" "$output/$1_${version}_$architecture.deb" >/dev/null
}

# The library.
libraries=$stage/librecall1/usr/lib/$triplet
overrides=$stage/librecall1/usr/share/lintian/overrides
mkdir -p "$libraries" "$stage/librecall1/DEBIAN" "$overrides"
cp -a "$from"/lib/librecall.so.1* "$libraries"
chmod 644 "$libraries"/librecall.so.1.*
echo 'activate-noawait ldconfig' >"$stage/librecall1/DEBIAN/triggers"
echo "librecall 1 librecall1 (>= $version)" >"$stage/librecall1/DEBIAN/shlibs"
functions=$(nm --dynamic --defined-only "$libraries/librecall.so.1" | sed -n 's/.* \(recall_[a-z_]*\)@@.*/\1/p' | sort)
{
  echo "librecall.so.1 librecall1 (>= $version)"
  for function in $functions; do echo " $function@RECALL_1 $version"; done
} >"$stage/librecall1/DEBIAN/symbols"
# On purpose: one package does for many releases (docs/decisions/0096-portable-library.md).
echo 'librecall1: embedded-library *' >"$overrides/librecall1"
documents librecall1
control librecall1 libs 'libc6 (>= 2.27)' 'local search database in a library' \
  ' This package has the shared library, for programs that were built with it. It
 has its own SQLite.'
build librecall1

# What a program is built with. The files find the library from where they lie, and lie one folder deeper here.
root=$stage/librecall-dev/usr
mkdir -p "$root/lib/$triplet" "$root/share/man/man3" "$root/share/doc/librecall-dev/examples"
cp -a "$from/include" "$root"
cp -a "$from"/lib/librecall.so "$from/lib/pkgconfig" "$from/lib/cmake" "$root/lib/$triplet"
sed -i "s|^prefix=.*|prefix=\${pcfiledir}/../../..|; s|^libdir=.*|libdir=\${prefix}/lib/$triplet|" \
  "$root/lib/$triplet/pkgconfig/recall.pc"
sed -i "s|CMAKE_CURRENT_LIST_DIR}/|&../|; s|/lib/librecall|/lib/$triplet/librecall|" \
  "$root/lib/$triplet/cmake/recall/recallConfig.cmake"
gzip -9nc "$from/share/man/man3/recall.3" >"$root/share/man/man3/recall.3.gz"
for function in $functions; do ln -s recall.3.gz "$root/share/man/man3/$function.3.gz"; done
cp "$from/share/doc/librecall/c-api.md" "$from/share/doc/librecall/CHANGELOG.md" "$root/share/doc/librecall-dev/"
cp "$from/share/doc/librecall/ask_program.c" "$root/share/doc/librecall-dev/examples/"
find "$root" -type f -exec chmod 644 {} +
documents librecall-dev
control librecall-dev libdevel "librecall1 (= $version)" 'local search database in a library (development files)' \
  ' This package has the header, recall(3), and files for pkg-config and CMake.'
build librecall-dev
