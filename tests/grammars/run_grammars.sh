#!/usr/bin/env bash
# Tests what ./x and cmake/fetch_grammars.sh do to have the grammars of source code, in a copy, with
# an npm, an apt and a cmake of its own:
#
#     tests/grammars/run_grammars.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir cmake bin registry
cp "$root/x" .
cp "$root/cmake/fetch_grammars.sh" cmake/

fail() {
  echo "FAILED: $*" >&2
  cat out >&2 || true
  exit 1
}

# The registry is a folder: npm pack copies archives from it. It may be gone.
cat >bin/npm <<'FAKE'
#!/usr/bin/env bash
echo "npm $*" >>"$WORK/calls"
[ -d "$WORK/registry" ] || exit 1
for spec in "$@"; do
  case $spec in *@*) ;; *) continue ;; esac
  name=${spec%@*} && name=${name#@} && name=${name/\//-}
  cp "$WORK/registry/$name-${spec##*@}.tgz" . || exit 1
done
FAKE
cat >bin/cmake <<'FAKE'
#!/usr/bin/env bash
echo "cmake $*" >>"$WORK/calls"
FAKE
printf '#!/bin/sh\necho "install ok installed"\n' >bin/dpkg-query
chmod +x bin/*
export WORK=$work PATH=$work/bin:$PATH

# archive NAME VERSION: an archive of a package, and its line of the lock.
archive() {
  local file
  file=$(echo "${1#@}" | tr / -)-$2.tgz
  mkdir -p package/src
  echo "/* $1 */" >package/src/parser.c
  tar -czf "registry/$file" package
  rm -r package
  echo "$1 $2 $(sha256sum <"registry/$file" | cut -d' ' -f1) ." >>cmake/grammars.lock
}
echo "# package version SHA-256 folders" >cmake/grammars.lock
archive tree-sitter-one 1.0.0
archive @scope/tree-sitter-two 2.0.0

# A build fetches by name and version, and then links.
./x build release >out 2>&1 || fail "a build with a registry"
grep -q '^npm pack .* tree-sitter-one@1.0.0 @scope/tree-sitter-two@2.0.0$' calls || fail "not fetched by name"
grep -q '^cmake --build --preset release' calls || fail "not built"
grep -q 'tree-sitter-one' build/grammars/tree-sitter-one-1.0.0/src/parser.c || fail "not unpacked"
grep -q 'tree-sitter-two' build/grammars/scope-tree-sitter-two-2.0.0/src/parser.c || fail "no package of a scope"

# Nothing is fetched when all is there.
rm calls
./x build release >out 2>&1 && ./x setup --grammars >>out 2>&1 || fail "a second build"
! grep -q '^npm' calls || fail "fetched again"

# Without a registry a build goes on, and says in one line what it lacks; setup fails.
mv registry gone
rm -r calls build/grammars/scope-tree-sitter-two-2.0.0
./x build release >out 2>&1 || fail "a build without a registry"
grep -q '^cmake --build --preset release' calls || fail "not built without a registry"
[ "$(grep -c 'npm does not give the grammars of two:' out)" = 1 ] || fail "not said what is missing"
! ./x setup --grammars >out 2>&1 || fail "setup --grammars without a registry"
mv gone registry

# Another archive than that of the lock is not used, and the others are.
rm -r build/grammars
sed -i '/tree-sitter-one/s/ [0-9a-f]\{64\} / 0123 /' cmake/grammars.lock
! cmake/fetch_grammars.sh >out 2>&1 || fail "a wrong SHA-256"
grep -q 'tree-sitter-one 1.0.0: its SHA-256 is not that' out || fail "not said which is wrong"
[ ! -e build/grammars/tree-sitter-one-1.0.0 ] || fail "used in spite of its SHA-256"
[ -e build/grammars/scope-tree-sitter-two-2.0.0/sha256 ] || fail "the right one was not used"
[ "$(cmake/fetch_grammars.sh --list)" = "tree-sitter-one 1.0.0" ] || fail "the list of what is missing"
[ "$(find build/grammars -maxdepth 1 -name 'fetch.*')" = "" ] || fail "left a temporary folder"
echo "ok"
