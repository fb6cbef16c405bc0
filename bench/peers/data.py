"""The input of all peers: pieces of text, query words, vectors, exact nearest neighbours."""

import collections
import gzip
import json
import pathlib
import random
import re

import numpy as np

PIECE = 1400  # bytes, about: a chunk of 256 tokens of prose
DIM = 256
CENTRES = 1000
NOISE = 0.9
K = 10
WORD = re.compile(r"\b[a-z]{4,12}\b")  # words that every tokenizer keeps whole

# Kind of question -> (number of words, minimum and maximum share of the pieces that contain each).
KINDS = {"rare": (1, 0.0, 0.0005), "common": (1, 0.06, 0.12), "four": (4, 0.01, 0.04)}
LEAST_FOUND = 20  # pieces, so that even a rare word has at least ten results


def texts(directories):
    """The texts of real files in a fixed order. Binary files are skipped."""
    for directory in directories:
        for path in sorted(pathlib.Path(directory).rglob("*")):
            if path.is_symlink() or not path.is_file():
                continue
            try:
                data = path.read_bytes()
                if path.suffix == ".gz":
                    data = gzip.decompress(data)
                if b"\0" not in data[:4096]:
                    yield data.decode("utf-8")
            except (OSError, EOFError, UnicodeDecodeError, gzip.zlib.error):
                continue


def cut(text):
    """Cuts pieces of about PIECE characters at white space; a remainder below half of that is dropped."""
    start = 0
    while len(text) - start > PIECE // 2:
        end = min(start + PIECE, len(text))
        if end < len(text):
            space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
            end = space if space > start + PIECE // 2 else end
        yield text[start:end]
        start = end


def make_pieces(directories, count):
    """The first COUNT different pieces of the files."""
    seen = set()
    pieces = []
    for text in texts(directories):
        for piece in cut(text):
            if hash(piece) in seen:  # Debian has many copies of its licences
                continue
            seen.add(hash(piece))
            pieces.append(piece)
            if len(pieces) == count:
                return pieces
    return pieces


def choose_words(pieces, each=5, kinds=KINDS, seed=42):
    """For each kind, EACH questions of random words whose document frequency lies in the kind's range."""
    frequency = collections.Counter()
    for piece in pieces:
        frequency.update(set(WORD.findall(piece.lower())))
    random_words = random.Random(seed)
    questions = {}
    for kind, (words, least, most) in kinds.items():
        low = max(least * len(pieces), LEAST_FOUND)
        high = max(most * len(pieces), 3 * LEAST_FOUND)
        candidates = sorted(w for w, n in frequency.items() if low <= n <= high)
        if len(candidates) < words:
            raise SystemExit(f"run.py: too little text: no {kind} words in {len(pieces)} pieces")
        questions[kind] = [random_words.sample(candidates, words) for _ in range(each)]
    return questions


def make_vectors(count, questions, dim=DIM, seed=42):
    """Random unit vectors around Gaussian centres, and query vectors of the same distribution.

    As in embeddings of texts, the noise is strong in few directions and weak in most: the variance
    of direction j is proportional to 1 / (j + 1). The directions are rotated at random.
    """
    random_numbers = np.random.default_rng(seed)
    centres = random_numbers.standard_normal((CENTRES, dim), dtype=np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    rotation, _ = np.linalg.qr(random_numbers.standard_normal((dim, dim)))
    deviation = 1 / np.sqrt(np.arange(1, dim + 1))
    deviation *= NOISE / np.linalg.norm(deviation)
    turn = (deviation[:, None] * rotation).astype(np.float32)

    def draw(n):
        centre = centres[random_numbers.integers(0, CENTRES, n)]
        noise = random_numbers.standard_normal((n, dim), dtype=np.float32)
        rows = centre + noise @ turn
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    return draw(count), draw(questions)


def exact(vectors, questions, k=K):
    """The k rows with the largest cosines for each question, by brute force."""
    nearest = [np.argsort(-(vectors @ question), kind="stable")[:k] for question in questions]
    return np.array(nearest)


def recall_at(found, right):
    """recall@k: the share of the exact neighbours that was found, over all questions."""
    hits = sum(len(set(map(int, f)) & set(map(int, r))) for f, r in zip(found, right))
    return hits / sum(len(r) for r in right)


def int8_scale(vectors):
    """The factor to int8. Without it, unit vectors would use an eighth of the range."""
    return 127 / float(np.abs(vectors).max())


def to_int8(vectors, scale):
    return np.clip(np.rint(vectors * scale), -127, 127).astype(np.int8)


def write_lines(path, documents):
    with open(path, "w", encoding="utf-8") as out:
        for document in documents:
            out.write(json.dumps(document, ensure_ascii=False) + "\n")


def self_test():
    assert recall_at([[1, 2], [3, 4]], [[2, 1], [3, 9]]) == 0.75
    assert recall_at([[]], [[1]]) == 0
    square = np.array([[1, 0], [0, 1], [-1, 0], [0.8, 0.6]], dtype=np.float32)
    assert exact(square, square[:1], k=2).tolist() == [[0, 3]]
    base, held_out = make_vectors(500, 7, dim=16)
    again, _ = make_vectors(500, 7, dim=16)
    assert base.shape == (500, 16) and held_out.shape == (7, 16) and base.dtype == np.float32
    assert np.array_equal(base, again), "the same seed gives the same vectors"
    assert np.allclose(np.linalg.norm(base, axis=1), 1, atol=1e-5)
    assert not np.isin(held_out[:, 0], base[:, 0]).any(), "questions are held out"
    assert recall_at(exact(base, base[:5], k=1), [[i] for i in range(5)]) == 1
    assert np.abs(to_int8(base, int8_scale(base))).max() == 127
    pieces = list(cut("word " * 1000))
    assert all(len(piece) <= PIECE for piece in pieces)
    assert "".join(pieces) == ("word " * 1000)[: len("".join(pieces))] and len(pieces) == 4
    kinds = {"one": (1, 0.5, 0.9), "two": (2, 0.0, 0.2)}
    some = ["common alpha"] * 60 + ["common bravo"] * 60 + ["delta"] * 200 + ["always"] * 5
    assert choose_words(some, 1, kinds)["one"] == [["delta"]]
    assert sorted(choose_words(some, 1, kinds)["two"][0]) == ["alpha", "bravo"]
