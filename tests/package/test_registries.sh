#!/usr/bin/env bash
# Installs and runs what `./x package` has made for other registries, offline (docs/TESTING.md):
#   tests/package/test_registries.sh [PACKAGES [CHECK...]]
# PACKAGES, build/package, has the portable tarballs and what was made from them. Only the tools that check it are
# fetched, from npm, once. Without a CHECK all are run.
set -eEuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
packages=$(realpath "${1:-build/package}")
scripts=$PWD/cmake/package/registries
tests=$PWD/tests/package
tools=$PWD/build/package-tools
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'echo "line $LINENO fails" >&2' ERR
export RECALL_SERVE=never

fail() { echo "$*" >&2 && exit 1; }
said() { # said TEXT COMMAND...: the command fails, and its message has the text
  local text=$1
  shift
  if "$@" >"$work/said" 2>&1; then fail "does not fail: $*"; fi
  grep -qF -- "$text" "$work/said" || { cat "$work/said" >&2 && fail "\"$text\" is missing"; }
}

# Node finds packages beside the scripts, so these are copied. Installed only if the lock file has changed.
install_tools() {
  mkdir -p "$tools"
  cp "$tests"/*.mjs "$tests/package.json" "$tools"
  if ! cmp -s "$tests/package-lock.json" "$tools/package-lock.json" || [ ! -d "$tools/node_modules" ]; then
    rm -rf "$tools/node_modules"
    cp "$tests/package-lock.json" "$tools"
    (cd "$tools" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) || { rm -rf "$tools" && exit 1; }
  fi
}

unpack_program() {
  mkdir "$work/portable"
  tar -xJf "$(echo "$packages"/recall-*-linux-x86_64.tar.xz)" -C "$work/portable" --strip-components=1
  program=$work/portable/bin/recall
  expected=$("$program" version)
  version=${expected#recall }
}

check_sums() {
  (cd "$packages" && sha256sum --check --quiet SHA256SUMS)
  diff <(cd "$packages" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort) \
    <(sed 's/^[0-9a-f]*  //' "$packages/SHA256SUMS") || fail "SHA256SUMS does not have every file"
}

check_reproducible() {
  local tarballs=("$packages"/recall-*-linux-*.tar.xz) file
  "$scripts/make_registries.py" --out "$work/again" ${RECALL_REPOSITORY:+--repository "$RECALL_REPOSITORY"} \
    "${tarballs[@]}" >/dev/null
  for file in "$work/again"/*; do
    [ "${file##*/}" = SHA256SUMS ] || cmp "$file" "$packages/${file##*/}"
  done
  if find "$packages" ! -name '*.whl' -size +15M -printf '%f has more than 15 MiB\n' | grep .; then exit 1; fi
  # With the library.
  if find "$packages" -name '*.whl' -size +22M -printf '%f has more than 22 MiB\n' | grep .; then exit 1; fi
}

check_refusals() {
  local make=("$scripts/make_registries.py" --out "$work/refused") root=recall-1.0.0-linux-x86_64
  mkdir -p "$work/refused" "$work/$root"/{bin,share/doc/recall}
  said "there is no recall-VERSION-linux-MACHINE.tar.xz" "${make[@]}"
  touch "$work/recall.tar.xz"
  said "the name is not recall-VERSION-linux-MACHINE.tar.xz" "${make[@]}" "$work/recall.tar.xz"
  cp LICENSE "$work/$root/share/doc/recall"
  cp "$(command -v bash)" "$work/$root/bin/recall" # needs libtinfo
  tar -C "$work" -cJf "$work/$root.tar.xz" "$root"
  said "the program is not portable, because it needs libtinfo" "${make[@]}" "$work/$root.tar.xz"
  mv "$work/$root" "$work/recall-1.0.0-linux-aarch64"
  tar -C "$work" -cJf "$work/recall-1.0.0-linux-aarch64.tar.xz" recall-1.0.0-linux-aarch64
  said "no program for aarch64" "${make[@]}" "$work/recall-1.0.0-linux-aarch64.tar.xz"
  said "this is no library for x86_64 or aarch64" "${make[@]}" --library LICENSE "$packages"/recall-*-x86_64.tar.xz
  said "its name within is not librecall.so.1" "${make[@]}" --library "$program" "$packages"/recall-*-x86_64.tar.xz
  [ -z "$(ls "$work/refused")" ] || fail "a refused tarball leaves files"
}

# A release has the addresses of the repository that it is made in.
check_addresses() {
  local tarballs=("$packages"/recall-*-linux-*.tar.xz) release=https://github.com/ann/recall/releases/download
  "$scripts/make_registries.py" --out "$work/release" --repository https://github.com/ann/recall "${tarballs[@]}" \
    >/dev/null
  (
    cd "$work/release"
    grep -q "\"$release/v$version/recall-$version-linux-x86_64.tar.xz\"" recall.rb
    grep -q "\"$release/v$version/recall-$version-linux-x86_64.mcpb\"" server.json
    grep -q '"name": "io.github.ann/recall"' server.json
    tar -xzOf recall-db-recall-[0-9]*.tgz package/package.json | grep '"mcpName": "io.github.ann/recall"' >/dev/null
    if grep 'RELEASE_URL\|REPOSITORY_URL\|OWNER' recall.rb PKGBUILD server.json Containerfile; then exit 1; fi
  )
}

check_npm() {
  node "$tools/npm_packages.mjs" "$packages" "$program"
  "$tests/terminal_interrupt.py" "$packages"
}

check_wheel() {
  local wheels=("$packages"/*.whl) wheel pip
  "$tests/wheel_record.py" "${wheels[@]}"
  wheel=$(echo "$packages"/recall_db-*x86_64.whl)
  python3 -m venv "$work/venv"
  pip=("$work/venv/bin/python" -m pip --disable-pip-version-check --no-cache-dir --quiet)
  find "$work/venv" | sort >"$work/before"
  "${pip[@]}" install --no-index "$wheel"
  cmp "$work/venv/bin/recall" "$program"
  [ "$("$work/venv/bin/recall" version)" = "$expected" ] || fail "pip: another program"
  [ "$("$work/venv/bin/recall-db" version)" = "$expected" ] || fail "pip: the entry point is wrong"
  [ "$("$work/venv/bin/python" -m recall_db version)" = "$expected" ] || fail "pip: the module is wrong"
  [ -e "$work/venv/share/man/man1/recall.1" ] || fail "pip: there is no manual page"
  "$work/venv/bin/python" "$tests/wheel_package.py" "$program"
  "${pip[@]}" uninstall --yes recall-db
  find "$work/venv" | sort >"$work/after"
  if comm -13 "$work/before" "$work/after" | grep -i recall; then fail "pip: this stays"; fi
  "${pip[@]}" install --no-index --target "$work/target" "$wheel"
  [ "$("$work/target/bin/recall" version)" = "$expected" ] || fail "pip --target: another program"
  [ "$(PYTHONPATH="$work/target" python3 -m recall_db version)" = "$expected" ] || fail "pip --target: the module"
  PYTHONPATH="$work/target" python3 "$tests/wheel_package.py" "$program"
}

check_bundles() {
  local mcpb=(node "$tools/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js") bundle
  for bundle in "$packages"/*.mcpb; do
    rm -rf "$work/bundle"
    "${mcpb[@]}" unpack "$bundle" "$work/bundle" >/dev/null
    "${mcpb[@]}" validate "$work/bundle/manifest.json" >"$work/said" || { cat "$work/said" && exit 1; }
    "${mcpb[@]}" info "$bundle" >"$work/said" || { cat "$work/said" && exit 1; }
  done
  rm -rf "$work/bundle"
  mkdir "$work/folder"
  # As a host unpacks it that keeps modes.
  python3 - "$(echo "$packages"/*x86_64.mcpb)" "$work/bundle" <<'PYTHON'
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as bundle:
    for entry in bundle.infolist():
        os.chmod(bundle.extract(entry, sys.argv[2]), entry.external_attr >> 16 & 0o777)
PYTHON
  echo "A heron stands at the pond." >"$work/folder/pond.md"
  node "$tools/bundle_server.mjs" "$work/bundle" "$work/folder" heron | grep pond.md >/dev/null || fail "mcpb: nothing is found"
}

check_plugin() {
  local name=recall-$version-claude-plugin
  tar -xzf "$packages/$name.tar.gz" -C "$work"
  grep -q "\"version\": \"$version\"" "$work/$name/plugin/.claude-plugin/plugin.json"
  grep -q '"source": "./plugin"' "$work/$name/.claude-plugin/marketplace.json"
  diff -r --exclude=plugin.json cli/setup/plugin "$work/$name/plugin"
}

# There may be no engine. Its language is checked, each command by a shell, and the one that unpacks is run.
check_container() {
  local command unpack=
  node "$tools/lint_recipes.mjs" "$packages" .github/workflows/*.yml >"$work/commands"
  while IFS= read -r -d '' command; do
    sh -n -c "$command"
    if [[ $command == *sha256sum* ]]; then unpack=$command; fi
  done <"$work/commands"
  mkdir "$work/image"
  cp "$packages"/recall-*-linux-*.tar.xz "$work/image"
  (cd "$work/image" && sh -c "$unpack" >/dev/null && cmp bin/recall "$program")
  printf x >>"$work/image/recall-$version-linux-x86_64.tar.xz"
  (cd "$work/image" && said "did NOT match" sh -c "$unpack")
}

check_formula() {
  ruby -c "$packages/recall.rb" >/dev/null
  ruby "$tests/formula_stub.rb" "$packages/recall.rb" "$packages" "$work/brew"
}

check_pkgbuild() {
  shellcheck --shell=bash --exclude=SC2034,SC2154,SC2164 "$packages/PKGBUILD" # makepkg sets and reads variables
  (
    mkdir "$work/arch"
    cd "$work/arch"
    export CARCH=x86_64 pkgdir=$work/arch/package
    # shellcheck source=/dev/null
    . "$packages/PKGBUILD"
    # shellcheck disable=SC2154
    : "$pkgver" "${source_x86_64[*]}" "${sha256sums_x86_64[*]}"
    cp "$packages/${source_x86_64[0]##*/}" .
    echo "${sha256sums_x86_64[0]}  ${source_x86_64[0]##*/}" | sha256sum --check --quiet
    tar -xJf ./*.tar.xz
    package
    cmp "$pkgdir/usr/bin/recall" "$program"
    [ -e "$pkgdir/usr/share/man/man1/recall.1" ] && [ -e "$pkgdir/usr/share/licenses/recall-bin/LICENSE" ]
    [ "$pkgver" = "$version" ]
  )
}

check_scripts() { shellcheck "$scripts"/*.sh "$tests"/*.sh; }

install_tools
unpack_program
checks=("${@:2}")
[ ${#checks[@]} -gt 0 ] ||
  checks=(sums reproducible refusals addresses npm wheel bundles plugin container formula pkgbuild scripts)
for check in "${checks[@]}"; do
  echo "packages: $check" >&2
  "check_$check"
done
echo "${#checks[@]} passed, 0 failed"
