"""What mkdocs must be told to make a site of documents that are written for GitHub.

The documents link to each other and to sources by relative paths, and have the anchors, the lists and the tables of
GitHub's Markdown. mkdocs knows only the files in docs/, and its Markdown has other rules in three places:

- A link that leaves docs/ leads to a page if that file is one (CHANGELOG.md), else it becomes its text.
- What belongs to a list item is indented by four columns, where GitHub takes two or three.
- A pipe within code in a table is not escaped.
"""

import os
import re
import unicodedata

from mkdocs.structure.files import File

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
ROOT_PAGES = ["CHANGELOG.md"]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchor_of(text, separator="-"):
    """The anchor that a heading has on GitHub."""
    kept = [c for c in text.strip().lower() if c in " -_" or unicodedata.category(c)[0] in "LNM"]
    return "".join(kept).replace(" ", separator)


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = anchor_of
    return config


def on_files(files, config):
    for name in ROOT_PAGES:
        files.append(File(name, ROOT, config["site_dir"], config["use_directory_urls"]))
    return files


def link_target(link, page):
    """Where a link of `page`, a path below docs/, leads on the site; None: nowhere."""
    path, hash_mark, anchor = link.partition("#")
    if not path or ":" in path:
        return link
    base = "" if page in ROOT_PAGES else "docs"
    target = os.path.normpath(os.path.join(base, os.path.dirname(page), path))
    if os.path.isdir(os.path.join(ROOT, target)):
        target = os.path.join(target, "README.md")
    if not os.path.isfile(os.path.join(ROOT, target)):
        return None
    if target in ROOT_PAGES:
        target = os.path.join("docs", target)
    if not target.startswith("docs/"):
        return None
    here = os.path.dirname(page) or "."
    return os.path.relpath(target[len("docs/"):], here) + hash_mark + anchor


def with_links(line, page):
    """The line with the links of the site; code stays as it is."""
    spans = [match.span() for match in re.finditer(r"`[^`]*`", line)]

    def replace(match):
        if any(start < match.start() and match.end() < end for start, end in spans):
            return match.group(0)
        target = link_target(match.group(1), page)
        return "](%s)" % target if target else "\0"

    line = LINK.sub(replace, line)
    # "[text\0" was a link that leads nowhere here; the text has no brackets of its own.
    return re.sub(r"\[([^\[\]]*)\0", r"\1", line)


def joined_links(markdown):
    """Links that are broken between two lines are put on one."""
    return re.sub(r"(\[[^\[\]\n]*)\n +([^\[\]\n]*\]\()|(\[[^\[\]\n]*)\n([^\[\]\n|#>-][^\[\]\n]*\]\()",
                  lambda m: (m.group(1) or m.group(3)) + " " + (m.group(2) or m.group(4)), markdown)


def on_page_markdown(markdown, page, **_):
    name = page.file.src_path.replace(os.sep, "/")
    result = []
    fence = None  # the indentation of the open fence
    for line in joined_links(markdown).split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if line.lstrip(" ").startswith("```"):
            fence = indent if fence is None else None
            result.append(line if indent == 0 else "")  # code in a list is indented instead
            continue
        if fence is not None:
            result.append(line if fence == 0 else " " * 8 + line[fence:])
            continue
        if line.startswith("|"):
            line = re.sub(r"`[^`]*`", lambda m: m.group(0).replace("\\|", "|"), line)
        if indent > 0:
            line = " " * (4 * ((indent + 2) // 4 + (1 if indent < 2 else 0))) + line.lstrip(" ")
        result.append(with_links(line, name))
    return "\n".join(result)
