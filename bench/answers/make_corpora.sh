#!/bin/sh
# Makes the corpora of answered_questions.jsonl from Debian 12 packages:
#
#   bench/answers/make_corpora.sh DIR
#   recall eval --answers bench/answers/answered_questions.jsonl DIR/corpora/*
#
# Packages are downloaded to DIR/packages, not installed. Where a mirror has no longer the version
# that is named here, snapshot.debian.org has it; put the file into DIR/packages.
set -eu

dir=${1:?usage: make_corpora.sh DIR}
mkdir -p "$dir/packages" "$dir/corpora"

# take CORPUS PACKAGE=VERSION...: unpacks the packages into a corpus
take() {
  corpus=$dir/corpora/$1
  shift
  for package in "$@"; do
    (cd "$dir/packages"
     ls "${package%%=*}"_*.deb >/dev/null 2>&1 || apt-get download "$package")
    for file in "$dir/packages/${package%%=*}"_*.deb; do dpkg -x "$file" "$corpus"; done
  done
}

take git git-doc=1:2.39.5-0+deb12u3
take policy debian-policy=4.6.2.0 developers-reference=12.18
take headers libzstd-dev=1.5.4+dfsg2-5 zlib1g-dev=1:1.2.13.dfsg-1 liblzma-dev=5.4.1-1+deb12u2 \
  libcurl4-openssl-dev=7.88.1-10+deb12u15 libsqlite3-dev=3.40.1-2+deb12u2 nettle-dev=3.8.1-2
take node node-semver=7.3.5+~7.3.9-2 node-ws=8.11.0+~cs13.7.3-1 node-minimist=1.2.7+~cs5.3.2-2 \
  node-express=4.18.2+~4.17.14-1 node-lru-cache=7.14.1-1 node-commander=9.4.1-1
take rust librust-regex-dev=1.7.1-1 librust-clap-3-dev=3.2.23-4+b1 librust-toml-dev=0.5.11-1
take manual manpages=6.03-2
take systemd systemd=252.39-1~deb12u2
take changes tmux=3.3a-3 less=590-2.1~deb12u2 apt-doc=2.6.2
take sqlite sqlite3-doc=3.40.1-2+deb12u2

# One format of each document is enough, and the changes are those of the programs, in English.
(cd "$dir/corpora"
 rm -rf git/usr/share/doc/git-doc/*.txt git/usr/share/doc/git-doc/*/*.txt
 rm -rf policy/usr/share/doc/debian-policy/*.txt.gz policy/usr/share/doc/debian-policy/*.epub \
   policy/usr/share/doc/debian-policy/policy.html/_sources
 find . -name '*.pdf' -o -name '*.pdf.gz' -o -name '*.so*' -o -name '*.a' -o -name '*.epub' \
   -o -name 'changelog.Debian.gz' | xargs rm -f
 rm -rf systemd/usr/lib/x86_64-linux-gnu systemd/usr/share/locale systemd/usr/bin systemd/bin
 find changes -path '*apt*' ! -name '*.html' -type f | xargs rm -f
 find changes -regex '.*\.\(de\|es\|fr\|it\|ja\|nl\|pl\|pt\)\.html.*' -type f | xargs rm -f
 rm -rf sqlite/usr/share/doc/sqlite3-doc sqlite/usr/share/doc/sqlite3/c3ref/*.html_*)
