#!/usr/bin/env bash
# Messages that nodemailer wrote, and messages that mailparser reads as well, are read by the test program extract_mail:
# tests/clients/mail/run_mail.sh build/dev/tests/index/extract_mail [COUNT [SEED]]
set -euo pipefail
program=$(realpath "$1")
count=${2:-2000}
seed=${3:-1}
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

# Node finds packages beside the scripts, so these are copied. Installed only if the lock file has changed.
dir=$PWD/build/clients/mail
mkdir -p "$dir"
cp tests/clients/mail/*.mjs tests/clients/mail/package.json "$dir"
if ! cmp -s tests/clients/mail/package-lock.json "$dir/package-lock.json" || [ ! -d "$dir/node_modules" ]; then
  rm -rf "$dir/node_modules"
  cp tests/clients/mail/package-lock.json "$dir"
  (cd "$dir" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) || { rm -rf "$dir"; exit 1; }
fi
node "$dir/roundtrip.mjs" "$program" "$count" "$seed"
node "$dir/compare.mjs" "$program" "$count" "$seed"
