#!/usr/bin/env bash
# Fetches the grammars of cmake/grammars.lock from the npm registry into build/grammars, which all
# presets share. `./x build` and `./x setup --grammars` call this. Packages are fetched by their
# names and versions, must have the SHA-256 of the lock, and are only unpacked: none of their
# scripts runs. What is there stays. build/grammars/PACKAGE-VERSION/sha256 is written last, and
# tells CMake that all is there.
#
#   fetch_grammars.sh           fetches those that are missing; fails if one cannot be fetched
#   fetch_grammars.sh --list    only names those that are missing, a line each
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$PWD/build/grammars
lock=$PWD/cmake/grammars.lock

# The name of a package in the names of files: without the @ and the / of its scope.
file_name() {
  local name=${1#@}
  echo "${name/\//-}"
}

# Prints the lines of the lock whose grammars are not in the folder.
missing() {
  local package version sum subfolders
  while read -r package version sum subfolders; do
    case $package in '' | '#'*) continue ;; esac
    [ "$(cat "$folder/$(file_name "$package")-$version/sha256" 2>/dev/null)" = "$sum" ] && continue
    echo "$package $version $sum"
  done <"$lock"
}

if [ "${1:-}" = --list ]; then
  missing | cut -d' ' -f1,2
  exit
fi

mapfile -t lines < <(missing)
[ "${#lines[@]}" -eq 0 ] && exit
mkdir -p "$folder"
fresh=$(mktemp -d "$folder/fetch.XXXXXX")
trap 'rm -rf "$fresh"' EXIT
names=()
for line in "${lines[@]}"; do
  read -r package version _ <<<"$line"
  names+=("$package@$version")
done
echo "fetching ${names[*]}" >&2
# A registry that does not answer must not hold up a build for long.
status=0
(cd "$fresh" && npm pack --silent --ignore-scripts --fetch-retries=1 --fetch-retry-mintimeout=1000 \
  --fetch-timeout=60000 "${names[@]}" >/dev/null) || status=$?

for line in "${lines[@]}"; do
  read -r package version sum <<<"$line"
  name=$(file_name "$package")-$version
  [ -e "$fresh/$name.tgz" ] || { status=1 && continue; }
  if ! echo "$sum  $fresh/$name.tgz" | sha256sum --check --status; then
    echo "$package $version: its SHA-256 is not that of cmake/grammars.lock" >&2
    status=1
    continue
  fi
  # Sources and licence: programs that the package also has are not unpacked.
  tar -xzf "$fresh/$name.tgz" -C "$fresh" --no-same-owner --exclude='prebuilds' --exclude='*.wasm' package
  rm -rf "${folder:?}/$name"
  mv "$fresh/package" "$folder/$name"
  echo "$sum" >"$folder/$name/sha256"
done
exit "$status"
