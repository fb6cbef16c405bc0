#!/usr/bin/env python3
"""check_site.py SITE: every link of the pages in SITE leads to a file of it, and to an anchor if it names one.

Links to other sites are counted and not followed. Exit code 1 if a link leads nowhere.
"""

import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links = []
        self.anchors = {"", "top"}
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


def main(site):
    pages = {}
    for folder, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                pages[os.path.realpath(path)] = Page(path)
    wrong = []
    inside = outside = 0
    for path, page in sorted(pages.items()):
        # The page for addresses that do not exist is shown below any address.
        if os.path.basename(path) == "404.html":
            continue
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                outside += 1
                continue
            inside += 1
            name = urllib.parse.unquote(parts.path)
            target = os.path.realpath(os.path.join(os.path.dirname(path), name)) if name else path
            if os.path.isdir(target):
                target = os.path.join(target, "index.html")
            anchor = urllib.parse.unquote(parts.fragment)
            if not os.path.isfile(target):
                wrong.append(f"{os.path.relpath(path, site)}: no file {link}")
            elif target in pages and anchor not in pages[target].anchors:
                wrong.append(f"{os.path.relpath(path, site)}: no anchor {link}")
    print("\n".join(wrong) or f"{len(pages)} pages, {inside} links within the site, {outside} to others: all lead somewhere")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
