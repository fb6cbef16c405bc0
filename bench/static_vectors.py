#!/usr/bin/env python3
"""Trains word vectors on freely licensed documentation of Debian 12, for docs/decisions/0014-static-vectors.md.

    bench/static_vectors.py MODEL SCRATCH

MODEL becomes a Model2Vec directory of 7 MB (docs/format/model2vec.md). SCRATCH keeps the downloads.
bench/static_vectors_quality.py measures the quality of the vectors. Needs numpy, apt, dpkg and 5 GB of memory.
"""

import argparse
import gzip
import html
import json
import os
import pathlib
import re
import subprocess

import numpy as np

# The licence of each package requires no more than a notice; docs/decisions/0014 lists them.
PACKAGES = """apache2-doc clang-14-doc cmake-doc dict-jargon erlang-doc ghc-doc libboost1.81-doc libssl-doc
llvm-14-doc nodejs-doc perl-doc postgresql-doc-15 python-astropy-doc python-biopython-doc python-django-doc
python-nibabel-doc python-scipy-doc python-skimage-doc python-sklearn-doc python-sqlalchemy-doc
python-statsmodels-doc python-sympy-doc python3.11-doc rust-doc sqlite3-doc tcl8.6-doc tk8.6-doc
wordnet-base""".split()

STEMS, CONTEXTS, DIMENSIONS, WINDOW = 24000, 4096, 256, 8
STEPS, BATCH, RATE, TEMPERATURE = 5000, 512, 0.03, 1 / 20

STOP = set("""a about above after again against all also am an and any are as at be because been before being below
between both but by can cannot could did do does doing down during each few for from further had has have having he
her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or
other our ours out over own same she should so some such than that the their theirs them then there these they this
those through to too under until up very was we were what when where which while who whom why will with would you
your yours""".split())


# ---- Texts

HIDDEN = re.compile(r"<(script|style|head|nav)\b.*?</\1>|<!--.*?-->", re.S | re.I)
BLOCK = re.compile(r"</?(?:p|div|li|h\d|tr|dt|dd|pre|br|section|table|ul|td)\b[^>]*>", re.I)
TAG = re.compile(r"<[^>]+>")
REQUEST = re.compile(r"^\.(?:PP|P|TP|SH|IP|SS)\b.*$", re.M)
GAP = re.compile(r"\n\s*\n|\0")
NO_LETTERS = bytes(c for c in range(256) if not chr(c).isalpha() or c > 127)


def fetch(scratch):
    scratch.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        if not (scratch / package).exists():
            subprocess.run(["apt-get", "download", "-q", package], check=True, cwd=scratch)
            archive = next(scratch.glob(package + "_*.deb"))
            subprocess.run(["dpkg", "-x", archive, scratch / package], check=True)


def plain(name, path):
    """The text of a file, or None; paragraphs are separated by empty lines or NULs."""
    packed = name.endswith((".gz", ".dz"))
    suffix = name.removesuffix(".gz").removesuffix(".dz").rpartition(".")[2]
    synsets = path.match("dict/data.*") or path.match("wordnet/data.*")
    manual = suffix[:1] in "13n" and "/man/" in str(path)
    if not (suffix in ("html", "htm", "txt", "rst", "pod", "md", "dict") or manual or synsets):
        return None
    text = (gzip.open(path) if packed else open(path, "rb")).read().decode("utf-8", "ignore")
    if suffix in ("html", "htm"):
        return html.unescape(TAG.sub("", BLOCK.sub("\0", HIDDEN.sub(" ", text))))
    if manual:
        return re.sub(r"\\f.|\\&|^\.[A-Z]+ ?", "", REQUEST.sub("\n\n", text), flags=re.M)
    if synsets:  # a synonym set: its words and their gloss
        entries = [line.partition("|") for line in text.splitlines() if "|" in line]
        words = [" ".join(fields.split()[4:4 + 2 * int(fields.split()[3], 16):2]) for fields, _, _ in entries]
        return "\0".join(f"{w} : {gloss} {w}".replace("_", " ") for w, (_, _, gloss) in zip(words, entries))
    return text


def paragraphs(scratch):
    seen = set()
    for package in PACKAGES:
        kept = 0
        for directory, below, names in os.walk(scratch / package):
            below.sort()
            for name in sorted(names):
                path = pathlib.Path(directory, name)
                text = None if path.is_symlink() else plain(name, path)
                for paragraph in GAP.split(text or ""):
                    paragraph = " ".join(paragraph.split())
                    letters = len(paragraph.encode("ascii", "ignore").translate(None, NO_LETTERS))
                    if len(paragraph) < 40 or letters < 0.6 * len(paragraph) or paragraph in seen:
                        continue
                    seen.add(paragraph)
                    kept += len(paragraph)
                    yield paragraph
        print(f"{package}: {kept / 1e6:.1f} MB", flush=True)


# ---- Stems (Porter, 1980)

SECOND = """ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble logi:log alli:al entli:ent eli:e ousli:ous
ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble"""
THIRD = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"
FOURTH = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split()
RULES = [[rule.split(":") for rule in sorted(step.split(), key=lambda r: -len(r.split(":")[0]))]
         for step in (SECOND, THIRD)]
FOURTH.sort(key=lambda ending: -len(ending))


def shape(word):
    """The word with each letter replaced by c (consonant) or v (vowel)."""
    kinds = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and kinds[-1:] == "c")
        kinds += "v" if vowel else "c"
    return kinds


def measure(word):
    return shape(word).count("vc")


def short(word):
    return shape(word)[-3:] == "cvc" and word[-1] not in "wxy"


def stem(word):
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("eed"):
        word = word[:-1] if measure(word[:-3]) else word
    else:
        cut = 2 if word.endswith("ed") else 3 if word.endswith("ing") else 0
        if cut and "v" in shape(word[:-cut]):
            word = word[:-cut]
            if word.endswith(("at", "bl", "iz")):
                word += "e"
            elif word[-1:] == word[-2:-1] and shape(word)[-1] == "c" and word[-1] not in "lsz":
                word = word[:-1]
            elif measure(word) == 1 and short(word):
                word += "e"
    if word.endswith("y") and "v" in shape(word[:-1]):
        word = word[:-1] + "i"
    for rules in RULES:
        for ending, other in rules:
            if word.endswith(ending):
                rest = word[:-len(ending)]
                word = rest + other if measure(rest) else word
                break
    for ending in FOURTH:
        if word.endswith(ending):
            rest = word[:-len(ending)]
            word = rest if measure(rest) > 1 and (ending != "ion" or rest[-1] in "st") else word
            break
    if word.endswith("e") and (measure(word[:-1]) > 1 or (measure(word[:-1]) == 1 and not short(word[:-1]))):
        word = word[:-1]
    return word[:-1] if word.endswith("ll") and measure(word) > 1 else word


# ---- Training

WORD = re.compile(r"[^\W_]{2,30}")


def tokenized(texts):
    """The texts as ids of stems in the order of frequency, -1 after each text; the words of each stem; the stems."""
    words, counts, runs = {}, [], []
    for text in texts:
        run = []
        for word in WORD.findall(text.lower()):
            if word not in STOP and not word.isdigit():
                number = words.setdefault(word, len(words))
                counts += [0] if number == len(counts) else []
                counts[number] += 1
                run.append(number)
        runs.append(np.array(run + [-1], dtype=np.int32))
    totals = {}
    stems = {word: stem(word) for word in words}
    for word, count in zip(words, counts):
        totals[stems[word]] = totals.get(stems[word], 0) + count
    order = sorted(totals, key=lambda s: (-totals[s], s))[:STEMS]
    rows = {s: row for row, s in enumerate(order)}
    number_to_row = np.array([rows.get(stems[word], -2) for word in words] + [-1], dtype=np.int32)
    ids = number_to_row[np.concatenate(runs)]
    surface = {word: rows[stems[word]] for word, count in zip(words, counts) if count > 2 and stems[word] in rows}
    return ids[ids != -2], surface, order


def first_vectors(ids):
    """Factors positive pointwise mutual information with the most frequent stems by a randomized SVD."""
    together = np.zeros(STEMS * CONTEXTS, dtype=np.float32)
    text = np.cumsum(ids == -1)
    for distance in range(1, WINDOW + 1):
        for left, right in ((ids[:-distance], ids[distance:]), (ids[distance:], ids[:-distance])):
            inside = (text[:-distance] == text[distance:]) & (left >= 0) & (right >= 0) & (right < CONTEXTS)
            pairs = left[inside].astype(np.int64) * CONTEXTS + right[inside]
            together += np.bincount(pairs, minlength=together.size).astype(np.float32) * (1 - (distance - 1) / WINDOW)
    together = together.reshape(STEMS, CONTEXTS)
    expected = together.sum(0) ** 0.75
    expected /= expected.sum()
    together /= np.maximum(together.sum(1, keepdims=True), 1) * expected
    np.log(np.maximum(together, 1, out=together), out=together)
    basis = np.random.default_rng(1).standard_normal((CONTEXTS, DIMENSIONS + 24), dtype=np.float32)
    for _ in range(3):
        basis = np.linalg.qr(together.T @ np.linalg.qr(together @ basis)[0])[0]
    left, scale, _ = np.linalg.svd(together @ basis, full_matrices=False)
    vectors = left[:, :DIMENSIONS] * np.sqrt(scale[:DIMENSIONS])
    share = np.bincount(ids[ids >= 0], minlength=STEMS) / np.sum(ids >= 0)
    rare = 1e-3 / (1e-3 + share)
    return (0.5 * rare[:, None] * vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)).astype(np.float32)


def sums(vectors, bags):
    """The normalised sum of the vectors of each bag, and the norms."""
    total = np.add.reduceat(vectors[np.concatenate(bags)], np.cumsum([0] + [len(bag) for bag in bags[:-1]]))
    length = np.linalg.norm(total, axis=1, keepdims=True) + 1e-6
    return total / length, length


def contrast(ids, vectors):
    """Contrastive training: words of a text must find the rest of it among those of other texts (InfoNCE, in-batch)."""
    draw = np.random.default_rng(5)
    ends = np.flatnonzero(ids == -1)
    starts = np.concatenate([[0], ends[:-1] + 1])
    usable = np.flatnonzero(ends - starts >= 8)
    squares = np.full(vectors.shape, 1e-8, dtype=np.float32)
    right = np.arange(BATCH)
    for _ in range(STEPS):
        asked, rests = [], []
        for text in draw.choice(usable, BATCH, replace=False):
            words = ids[starts[text]:ends[text]][:96]
            size = min(int(draw.integers(3, 13)), len(words) // 2)
            first = int(draw.integers(0, len(words) - size + 1))
            query, rest = words[first:first + size], np.delete(words, slice(first, first + size))
            other = query[~np.isin(query, rest)]
            asked.append(other if draw.random() < 0.5 and len(other) > 1 else query)
            rests.append(rest)
        (x, lengths_x), (y, lengths_y) = sums(vectors, asked), sums(vectors, rests)
        odds = np.exp((x @ y.T - 1) / TEMPERATURE)
        by_row, by_column = odds / odds.sum(1, keepdims=True), odds / odds.sum(0)
        slope = (by_row + by_column) / 2
        slope[right, right] -= 1
        slope /= TEMPERATURE * BATCH
        slope_x, slope_y = slope @ y, slope.T @ x
        slope_x = (slope_x - x * np.sum(slope_x * x, 1, keepdims=True)) / lengths_x
        slope_y = (slope_y - y * np.sum(slope_y * y, 1, keepdims=True)) / lengths_y
        words = np.concatenate(asked + rests)
        bag = np.repeat(np.arange(2 * BATCH), [len(b) for b in asked + rests])
        order = np.argsort(words, kind="stable")
        touched, begins = np.unique(words[order], return_index=True)
        change = np.add.reduceat(np.concatenate([slope_x, slope_y])[bag[order]], begins)
        squares[touched] += change * change
        vectors[touched] -= RATE * change / np.sqrt(squares[touched])
    return vectors


def write_model(directory, vectors, surface):
    """Writes the rows of the stems as int8. The scale of a row is the weight of its words."""
    directory.mkdir(parents=True, exist_ok=True)
    scale = np.abs(vectors).max(1) / 127 + 1e-12
    words = ["[UNK]"] + sorted(surface)
    rows = np.array([0] + [surface[word] for word in words[1:]], dtype=np.int32)
    tensors = {"embeddings": ("I8", np.rint(vectors / scale[:, None]).astype(np.int8)),
               "mapping": ("I32", rows), "weights": ("F32", scale[rows].astype(np.float32))}
    header, end = {}, 0
    for name, (kind, tensor) in tensors.items():
        header[name] = {"dtype": kind, "shape": tensor.shape, "data_offsets": [end, end + tensor.nbytes]}
        end += tensor.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    bodies = b"".join(tensor.tobytes() for _, tensor in tensors.values())
    (directory / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + bodies)
    model = {"type": "WordLevel", "vocab": {word: token for token, word in enumerate(words)}, "unk_token": "[UNK]"}
    normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                  "strip_accents": True, "lowercase": True}
    tokenizer = {"version": "1.0", "added_tokens": [], "normalizer": normalizer,
                 "pre_tokenizer": {"type": "BertPreTokenizer"}, "model": model}
    (directory / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False))


def train(model, scratch):
    fetch(scratch)
    ids, surface, _ = tokenized(paragraphs(scratch))
    print(f"{np.sum(ids >= 0)} words, {np.sum(ids == -1)} paragraphs", flush=True)
    write_model(model, contrast(ids, first_vectors(ids)), surface)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    options = parser.parse_args()
    train(options.model, options.scratch.resolve())


if __name__ == "__main__":
    main()
