#!/usr/bin/env python3
# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks every link of every page: the file must be there, and the section in it.

usage: links.py ROOT    prints what is wrong; exit code 1 if anything is
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def anchor(heading):
    """A heading as GitHub names its section."""
    text = re.sub(r"[`*]|\[|\]\([^)]*\)", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(page):
    text = FENCE.sub("", page.read_text())
    return {anchor(line) for line in re.findall(r"^#+ (.*)$", text, re.M)}


def wrong_links(root, page):
    for target in LINK.findall(FENCE.sub("", page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, section = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"{page.relative_to(root)}: no file for {target}"
        elif section and section not in anchors(file):
            yield f"{page.relative_to(root)}: no section for {target}"


def unlisted_pages(root):
    """Pages of docs/ that its index does not name."""
    index = root / "docs" / "README.md"
    named = {link.partition("#")[0] for link in LINK.findall(index.read_text())}
    for page in sorted((root / "docs").glob("*.md")):
        if page != index and page.name not in named:
            yield f"docs/README.md does not name {page.name}"


def main(root):
    folders = [root, root / "docs", root / "docs" / "decisions", root / "benchmarks"]
    pages = [page for folder in folders for page in sorted(folder.glob("*.md"))]
    wrong = [line for page in pages for line in wrong_links(root, page)]
    wrong += unlisted_pages(root)
    print("\n".join(wrong) or f"{len(pages)} pages: every link leads somewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
