#!/usr/bin/env python3
"""Makes questions about source code with known answers, from sources that are installed.

    make_questions.py OUT [--each N] LANGUAGE=DIR... [LANGUAGE=DIR...]

LANGUAGE: python, go, rust, java, javascript or cpp. OUT must not exist. Same sources, same bytes.

A question is the first sentence of a function's documentation. The answer is that function: a file and a
range of lines. What is asked for cannot be found by copying: the documentation of the functions asked
about is removed from the files, and the name of the function is not in the question. No search is run,
and no parser of Recall's is used: Python is read by its own `ast`, the other languages by finding the
documentation comments, the header after each and the brace that closes it.

Writes OUT/files/LANGUAGE/..., whole source files, and OUT/questions.jsonl:
{"_id", "text", "language", "path", "start", "end", "name"}; `start` and `end` are the first and the last
line of the definition in the written file, from 1. measure_questions.py asks them.

The rule, in order:

  1. Files: all of the language below DIR in UTF-8, at most 400 kB, without those of tests and examples.
  2. Functions with a body and a documentation, 4 to 150 lines without it.
  3. The question: markup and tags removed, up to the first full stop. It has 5 to 40 words of ASCII, and not the
     name of the function. The documentation of Go begins with that name, which is removed.
  4. Of functions with the same question none is taken.
  5. At most 6 functions of a file, at equal distances; then N of each language, at equal distances, in the order of
     path and line.
"""

import argparse
import ast
import bisect
import json
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass

MAX_FILE_BYTES = 400_000
MIN_LINES, MAX_LINES = 4, 150
MIN_WORDS, MAX_WORDS = 5, 40
MAX_OF_A_FILE = 6
ENDINGS = {
    "python": (".py",), "go": (".go",), "rust": (".rs",), "java": (".java",), "javascript": (".js", ".ts", ".mjs"),
    "cpp": (".h", ".hpp", ".hh", ".ipp", ".tcc", ".cc", ".cpp"),
}
SKIPPED = re.compile(r"(^|/)(tests?|testing|testdata|idlelib|lib2to3|examples?|site-packages|build|node_modules|vendor)(/|$)"
                     r"|_test\.go$|\.min\.js$|\.d\.ts$|(^|/)test_[^/]*\.py$|(^|/)dist(/|$)")


@dataclass
class Function:
    name: str
    question: str
    first: int  # offsets in the text: of the definition without its documentation, and of its end
    last: int
    doc_first: int  # what is removed from the file, whole lines
    doc_last: int


def spread(items, count):
    """`count` of the items at equal distances, all if there are fewer."""
    if len(items) <= count:
        return list(items)
    return [items[(2 * i + 1) * len(items) // (2 * count)] for i in range(count)]


def question_of(documentation, name, language):
    """The question, or None if there is none that the rule allows."""
    text = documentation
    if language == "rust":
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\{@\w+\s+([^}]*)\}", r"\1", text)
    text = re.sub(r"</?\w[^>]*>", " ", text)
    text = re.sub(r"^\s*[@\\]brief\s+", "", text)
    text = re.sub(r"[`*]|\[|\]|:\w+:", " ", text)
    text = " ".join(re.split(r"\n\s*\n|\n\s*[@\\#]\w|\n\s*[-=]{3,}", text.strip())[0].split())
    end = re.search(r"[.!?:;](\s|$)", text)
    if end:
        text = text[: end.start()]
    if language == "go":
        text = re.sub(rf"^(\w+\.)?{re.escape(name)}\b\s*", "", text)
    words = text.split()
    if not MIN_WORDS <= len(words) <= MAX_WORDS or not text.isascii() or text.startswith(("@", "\\", "TODO")):
        return None
    if re.search(rf"(?<![A-Za-z0-9]){re.escape(name.strip('_#'))}(?![A-Za-z0-9])", text, re.IGNORECASE):
        return None
    return text


def python_functions(text):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    if lines[-1] != len(text) or "\f" in text or "\v" in text:
        return
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        documentation = ast.get_docstring(node)
        # A function of nothing but a docstring would have no body.
        if not documentation or len(node.body) < 2 or node.name.startswith("__"):
            continue
        question = question_of(documentation, node.name, "python")
        first = min([node.lineno] + [d.lineno for d in node.decorator_list])
        literal = node.body[0]
        if question is None or literal.lineno <= node.lineno or node.body[1].lineno <= literal.end_lineno:
            continue
        yield Function(node.name, question, lines[first - 1], lines[node.end_lineno],
                       lines[literal.lineno - 1], lines[literal.end_lineno])


def masked(text, language):
    """The text with the contents of strings and comments as blanks, and the comments: (first, end)."""
    out = list(text)
    comments = []

    def blank(first, end):
        for i in range(first, end):
            if out[i] != "\n":
                out[i] = " "

    i = 0
    while i < len(text):
        c = text[i]
        if text.startswith("//", i):
            end = text.find("\n", i)
            end = len(text) if end < 0 else end
            comments.append((i, end))
            blank(i, end)
        elif text.startswith("/*", i):
            end = text.find("*/", i + 2)
            end = len(text) if end < 0 else end + 2
            comments.append((i, end))
            blank(i, end)
        elif language == "java" and text.startswith('"""', i):
            end = text.find('"""', i + 3)
            end = len(text) if end < 0 else end + 3
            blank(i, end)
        elif language == "rust" and (raw := re.compile(r'b?r(#*)"').match(text, i)) and not text[i - 1].isalnum():
            end = text.find('"' + raw[1], raw.end())
            end = len(text) if end < 0 else end + 1 + len(raw[1])
            blank(i, end)
        elif language == "rust" and c == "'":
            literal = re.compile(r"'(\\u\{\w+\}|\\.[^']*|[^'\\])'").match(text, i)
            end = literal.end() if literal else i + 1  # else it is a lifetime
            blank(i, end)
        elif c == "'" and language == "cpp" and i > 0 and text[i - 1].isalnum():
            end = i + 1  # 1'000
        elif c in "\"'" or (c == "`" and language in ("go", "javascript")):
            end = i + 1
            while end < len(text) and text[end] != c:
                if text[end] == "\n" and c != "`" and language != "rust":
                    break
                end += 2 if text[end] == "\\" and not (c == "`" and language == "go") else 1
            end = min(end + 1, len(text))
            blank(i, end)
        elif language == "javascript" and c == "/" and re.search(r"(^|[=(,:;!&|?{}\[]|return)\s*$", text[max(0, i - 20) : i]):
            literal = re.compile(r"/(\\.|\[(\\.|[^\]\\\n])*\]|[^/\\\n\[])+/").match(text, i)
            end = literal.end() if literal else i + 1
            blank(i, end)
        else:
            end = i + 1
        i = end
    return "".join(out), comments


def documentation_comments(text, comments, language):
    """(first, end, text without its marks) of each documentation comment that begins a line."""
    def begins_line(first):
        return text[text.rfind("\n", 0, first) + 1 : first].strip() == ""

    marks = {"go": ("//",), "rust": ("///",), "cpp": ("///", "//!")}.get(language, ())
    i = 0
    while i < len(comments):
        first, end = comments[i]
        i += 1
        comment = text[first:end]
        if not begins_line(first):
            continue
        if comment.startswith(("/**", "/*!")) and language != "go" and language != "rust" and len(comment) > 5:
            yield first, end, re.sub(r"^[ \t]*\*? ?", "", comment[3:-2], flags=re.MULTILINE)
            continue
        mark = next((m for m in marks if comment.startswith(m)), None)
        if mark is None or comment.startswith(("////", "//go:", "// +build")):
            continue
        parts = [comment[len(mark) :]]
        while i < len(comments) and text[end : comments[i][0]].strip(" \t") == "\n" and \
                text[comments[i][0] : comments[i][1]].startswith(mark):
            parts.append(text[comments[i][0] + len(mark) : comments[i][1]])
            end = comments[i][1]
            i += 1
        yield first, end, "\n".join(part[1:] if part.startswith(" ") else part for part in parts)


NO_NAMES = {"if", "for", "while", "switch", "catch", "function", "return", "new", "super", "synchronized", "match", "sizeof",
            "decltype", "noexcept", "throw", "operator", "else", "do", "try", "constructor", "requires", "explicit", "defined"}


def name_in_header(header, language):
    """The name of the function whose header, up to its brace, this is; None for what is no function."""
    header = " ".join(header.split())
    found = None
    if language == "go":
        found = re.match(r"func (?:\([^)]*\) ?)?(\w+) ?[\[(]", header)
    elif language == "rust":
        header = re.sub(r"^(#!?\[[^\]]*\]\s*)+", "", header)
        found = re.match(r"(?:pub(?:\([^)]*\))? )?(?:(?:default|const|async|unsafe|extern) )*fn (\w+)", header)
    elif language == "javascript":
        found = (re.match(r"(?:export )?(?:default )?(?:async )?function ?\*? ?(\w+) ?\(", header)
                 or re.match(r"(?:export )?(?:const|let|var) (\w+) ?= ?(?:async ?)?(?:function\b|\([^)]*\) ?=>$)", header)
                 or re.match(r"[\w.]+\.(\w+) = (?:async )?function\b", header)
                 or re.match(r"(?:(?:public|private|protected|static|async|get|set|override) )*[*#]? ?(\w+) ?(?:<[^(]*>)?\(.*\)(?: ?:.*)?$",
                             header))
    else:
        header = re.sub(r"@\w+(?:\([^)]*\))? ?", "", header) if language == "java" else header
        if re.search(r"\b(class|interface|enum|record|struct|union|namespace|concept)\b(?![^(]*>)[^(]*$", header.split("(")[0]):
            return None
        if language == "cpp":
            if header.startswith("#") or "#define" in header:
                return None
            header = re.sub(r"^template ?<", "<", header)
            depth = 0
            if header.startswith("<"):
                for i, c in enumerate(header):
                    depth += (c == "<") - (c == ">")
                    if depth == 0:
                        header = header[i + 1 :].strip()
                        break
        if "=" in header.split("(")[0] and "operator" not in header:
            return None
        found = re.match(r"[^()]*?(?<![\w~])([A-Za-z_]\w*) ?\(", header)
        if found and language == "java" and header.startswith(found[1]):
            return None  # a constructor
    if found is None or found[1] in NO_NAMES or found[1].startswith("__") or (language == "cpp" and found[1].isupper()):
        return None
    return found[1]


def brace_functions(text, language):
    code, comments = masked(text, language)
    for first, end, documentation in documentation_comments(text, comments, language):
        begin = end + len(code[end:]) - len(code[end:].lstrip())
        # The definition is in the next line; in Go nothing else makes the comment its documentation.
        if code[end:begin].count("\n") > 1 + (text[end:begin].strip() != "") * 5 or begin >= len(code):
            continue
        depth = 0
        at = begin
        while at < len(code):
            c = code[at]
            if language == "go" and (empty := re.compile(r"(interface|struct) ?\{\}").match(code, at)):
                at = empty.end()
                continue
            if c in "([":
                depth += 1
            elif c in ")]":
                depth -= 1
                if depth < 0:
                    break
            elif c in "{;" and depth == 0:
                break
            elif c == "}":
                break
            at += 1
        if at >= len(code) or code[at] != "{" or depth != 0:
            continue
        name = name_in_header(code[begin:at], language)
        question = question_of(documentation, name, language) if name else None
        if question is None:
            continue
        depth = 0
        while at < len(code):
            depth += (code[at] == "{") - (code[at] == "}")
            at += 1
            if depth == 0:
                break
        if depth != 0:
            continue
        line_end = code.find("\n", at)
        line_begin = text.rfind("\n", 0, first) + 1
        after = text.find("\n", end) + 1
        if after == 0 or text[end : after].strip():
            continue
        yield Function(name, question, after, len(text) if line_end < 0 else line_end + 1, line_begin, after)


def files_of(directory, language):
    for folder, folders, names in os.walk(directory):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, directory).replace(os.sep, "/")
            # libstdc++ names its headers without an ending, which nothing would take for code.
            if not name.endswith(ENDINGS[language]) or SKIPPED.search(relative) or os.path.islink(path):
                continue
            if os.path.getsize(path) > MAX_FILE_BYTES:
                continue
            try:
                with open(path, encoding="utf-8", newline="") as file:
                    text = file.read()
            except UnicodeDecodeError:
                continue
            yield relative, text.replace("\r\n", "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("sources", nargs="+", metavar="LANGUAGE=DIR")
    parser.add_argument("--each", type=int, default=100)
    arguments = parser.parse_args()
    if os.path.exists(arguments.out):
        sys.exit(f"{arguments.out} exists")

    files = {}  # path in OUT -> (language, text)
    functions = {}  # language -> [(path, Function)]
    for source in arguments.sources:
        language, directory = source.split("=", 1)
        if language not in ENDINGS:
            sys.exit(f"unknown language: {language}")
        label = os.path.basename(os.path.normpath(directory))
        for relative, text in files_of(directory, language):
            path = f"files/{language}/{label}/{relative}"
            if path in files:
                sys.exit(f"two files {path}")
            files[path] = (language, text)
            finder = python_functions(text) if language == "python" else brace_functions(text, language)
            for function in finder:
                body = text[function.first : function.last]
                if function.first <= function.doc_first < function.last:
                    body = text[function.first : function.doc_first] + text[function.doc_last : function.last]
                if MIN_LINES <= body.count("\n") <= MAX_LINES:
                    functions.setdefault(language, []).append((path, function))

    known = Counter(" ".join(f.question.lower().split()) for of in functions.values() for _, f in of)
    asked = {}  # path -> functions asked about
    for language, found in sorted(functions.items()):
        by_file = {}
        for path, function in sorted(found, key=lambda item: (item[0], item[1].first)):
            if known[" ".join(function.question.lower().split())] == 1:
                by_file.setdefault(path, []).append(function)
        spare = [(path, f) for path, of in by_file.items() for f in spread(of, MAX_OF_A_FILE)]
        chosen = spread(spare, arguments.each)
        for path, function in chosen:
            asked.setdefault(path, []).append(function)
        print(f"{language}: {sum(1 for lang, _ in files.values() if lang == language)} files, "
              f"{sum(len(text) for lang, text in files.values() if lang == language)} characters, "
              f"{len(found)} functions, {len(spare)} that may be asked about, {len(chosen)} questions")

    questions = []
    for path, (language, text) in sorted(files.items()):
        cuts = sorted((f.doc_first, f.doc_last) for f in asked.get(path, []))
        out, at = [], 0
        for first, end in cuts:
            out.append(text[at:first])
            at = end
        out.append(text[at:])
        target = os.path.join(arguments.out, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8", newline="") as file:
            file.write("".join(out))
        starts = [cut[0] for cut in cuts]

        def line_of(offset):
            """The line in the written file of the line that begins at an offset."""
            before = cuts[: bisect.bisect_left(starts, offset)]
            return 1 + text.count("\n", 0, offset) - sum(text.count("\n", *cut) for cut in before)

        for function in sorted(asked.get(path, []), key=lambda f: f.first):
            questions.append({"_id": "", "text": function.question, "language": language, "path": path,
                              "start": line_of(function.first), "end": line_of(function.last) - 1, "name": function.name})
    for number, question in enumerate(questions, 1):
        question["_id"] = f"q{number:04}"
    with open(os.path.join(arguments.out, "questions.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(question) + "\n" for question in questions)


main()
