#!/usr/bin/env bash
# Tests the Python package with a library and the program that was built with it:
#   tests/clients/python/run_python.sh LIBRARY PROGRAM [PATTERN]
#
# LIBRARY is librecall.so.1, PROGRAM recall. Python is that of the system, with Debian's python3-numpy; Debian's mypy
# checks the types. A PATTERN such as 'python_threads*' chooses among the tests, and leaves the types out.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
RECALL_LIBRARY=$(realpath "$1")
RECALL_PROGRAM=$(realpath "$2")
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../..")
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export RECALL_LIBRARY RECALL_PROGRAM RECALL_SERVE=never PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH=$root/cli/library/python
cd "$work" # the program reads no settings of a directory above

"$python" -W error::ResourceWarning -X faulthandler -m unittest discover \
  --start-directory "$root/tests/clients/python" --pattern "${3:-python_*_test.py}"
[ $# -eq 2 ] || exit 0

# Frameworks that adapters are for need not be there.
cat >mypy.ini <<'INI'
[mypy]
strict = True
python_version = 3.8
[mypy-langchain_core.*,llama_index.*]
ignore_missing_imports = True
[mypy-recall.langchain,recall.llama_index]
disallow_subclassing_any = False
INI
MYPYPATH=$PYTHONPATH "$python" -m mypy --config-file mypy.ini --cache-dir "$work/cache" \
  "$PYTHONPATH/recall" "$PYTHONPATH/note_app.py"
