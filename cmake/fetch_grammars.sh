#!/usr/bin/env bash
# Fetches the grammars of cmake/grammars.lock from the npm registry into build/grammars, which all
# presets share. `./x setup --grammars` calls this. A package is fetched by its name and version,
# must have the SHA-256 of the lock, and is only unpacked: none of its scripts runs. What is there
# stays. build/grammars/PACKAGE-VERSION/sha256 is written last, and tells CMake that all is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$PWD/build/grammars
lock=$PWD/cmake/grammars.lock
mkdir -p "$folder"

while read -r package version sum subfolders; do
  case $package in '' | '#'*) continue ;; esac
  target=$folder/$package-$version
  [ "$(cat "$target/sha256" 2>/dev/null)" = "$sum" ] && continue
  echo "fetching $package $version" >&2
  fresh=$(mktemp -d "$folder/fetch.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  (cd "$fresh" && npm pack --silent --ignore-scripts "$package@$version" >/dev/null)
  if ! echo "$sum  $fresh/$package-$version.tgz" | sha256sum --check --status; then
    echo "$package $version: its SHA-256 is not that of cmake/grammars.lock" >&2
    exit 1
  fi
  # Sources and licence: programs that the package also has are not unpacked.
  tar -xzf "$fresh/$package-$version.tgz" -C "$fresh" --no-same-owner --exclude='prebuilds' --exclude='*.wasm' package
  rm -rf "$target"
  mv "$fresh/package" "$target"
  echo "$sum" >"$target/sha256"
  rm -rf "$fresh"
done <"$lock"
