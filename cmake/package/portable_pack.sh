# shellcheck shell=bash
# What portable_tarball.sh and library_tarball.sh have in common. They include it in the root of the sources.
export LC_ALL=C TZ=UTC
readonly newest_glibc=2.27

fail() {
  echo "${0##*/}: $1" >&2
  exit 1
}

# Of a commit, or of an archive of one, whose files have its time.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y cmake/archived_commit.txt)
fi
export SOURCE_DATE_EPOCH

version_of() { # version_of BUILD_DIRECTORY
  sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$1/CMakeCache.txt"
}

# As uname -m prints it.
architecture_of() { # architecture_of FILE
  case $(readelf --file-header "$1" | sed -n 's/.*Machine: *//p') in
    *X86-64*) echo x86_64 ;;
    AArch64) echo aarch64 ;;
    *) fail "$1 is for another processor" ;;
  esac
}

# What a program or a library needs: libraries of glibc, in versions up to the newest.
check_needs() { # check_needs FILE
  local needed versions
  needed=$(readelf --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -vxE 'lib(c|m|pthread|dl)\.so\.[0-9]+|ld-linux-(x86-64|aarch64)\.so\.[0-9]+' || true)
  [ -z "$needed" ] || fail "${1##*/} needs $needed"
  versions=$(readelf --version-info "$1" | grep -o 'Name: GLIBC_[0-9.]*' | sed 's/.*_//' | sort -Vu)
  [ "$(printf '%s\n' "$versions" $newest_glibc | sort -V | tail -n 1)" = $newest_glibc ] ||
    fail "${1##*/} needs glibc $(tail -n 1 <<<"$versions"), not $newest_glibc at most"
}

# Packs the folder STAGE/NAME. Files are sorted, belong to nobody, and have the time of the commit.
pack() { # pack STAGE NAME OUTPUT
  if grep -rlF "$PWD/" "$1/$2"; then fail "these files have the path $PWD/"; fi
  rm -f "$3/$2.tar.xz"
  tar --create --directory "$1" --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
    --numeric-owner --mode='u=rwX,go=rX' "$2" | xz -9e --threads=1 >"$3/$2.tar.xz.new"
  mv "$3/$2.tar.xz.new" "$3/$2.tar.xz"
}
