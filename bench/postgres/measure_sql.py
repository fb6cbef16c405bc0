#!/usr/bin/env python3
"""How long does PostgreSQL take to rank chunks in SQL? The figures of docs/decisions/0057.

  measure_sql.py DOCUMENTS.jsonl QUESTIONS.txt CONNECTION...

DOCUMENTS.jsonl: lines with `text`, as for `recall add --jsonl`. QUESTIONS.txt: one a line. CONNECTION: of an empty
database, as psql takes it; with several of them documents are divided among them, and each question is asked of all at
the same time. Needs psql. Three things are timed with warm caches, medians over the questions:

  words    BM25 over postings in parts of 4,096 (arrays), the best 100; also within a tag of 1 % of the documents
  codes    256-bit codes scored by three planes with bit_count, the best 1,000; all rows, and a tenth of the cells
  own      PostgreSQL's full text: any of the words, ts_rank, the best 100 (--own; takes long to build)
"""
import argparse
import collections
import concurrent.futures
import json
import random
import re
import statistics
import subprocess
import time

CHUNK_BYTES = 640
PART = 4096
CELLS = 1024
SCHEMA = """
DROP TABLE IF EXISTS chunk, signature, posting;
CREATE TABLE chunk(row int4, doc int4, len int4, tag text, body text);
CREATE TABLE signature(cell int2, row int4, code bit(256));
CREATE TABLE posting(term text, part int8, rows int4[], tfs int4[], lengths int4[]);
"""
INDEXES = """
ALTER TABLE chunk ADD PRIMARY KEY(row); CREATE INDEX ON chunk(tag);
CREATE INDEX ON signature(cell, row); ALTER TABLE posting ADD PRIMARY KEY(term, part); VACUUM ANALYZE;
"""
TAG = "row IN (SELECT row FROM chunk WHERE tag = 't7')"


def psql(connection, sql):
    done = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", connection], input=sql, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def copy(connection, table, lines):
    """Returns the seconds that COPY took."""
    begin = time.monotonic()
    child = subprocess.Popen(["psql", "-XqAt", connection, "-c", f"\\copy {table} FROM pstdin"],
                             stdin=subprocess.PIPE, text=True)
    for line in lines:
        child.stdin.write(line)
    child.stdin.close()
    if child.wait():
        raise SystemExit(f"COPY of {table} failed")
    return time.monotonic() - begin


def chunks_of(path, shard, shards):
    for doc, line in enumerate(open(path)):
        if doc % shards != shard:
            continue
        chunk = ""
        for text_line in json.loads(line)["text"].split("\n"):
            chunk += text_line + "\n"
            if len(chunk) >= CHUNK_BYTES:
                yield doc, chunk
                chunk = ""
        if chunk.strip():
            yield doc, chunk


def words_of(text):
    return [word for word in re.findall(r"\w+", text.lower()) if len(word) < 40]


def escaped(text):
    return text.replace("\0", "").replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def load(connection, documents, shard, shards):
    rng = random.Random(shard)
    psql(connection, SCHEMA)
    postings = collections.defaultdict(list)
    chunks, codes = [], []
    for row, (doc, text) in enumerate(chunks_of(documents, shard, shards), 1):
        words = words_of(text)
        for word, count in collections.Counter(words).items():
            postings[word].append((row, count, len(words)))
        chunks.append(f"{row}\t{doc}\t{len(words)}\tt{doc % 100}\t{escaped(text)}\n")
        codes.append(f"{rng.randrange(CELLS)}\t{row}\t{rng.getrandbits(256):0256b}\n")

    def parts():
        for word, found in postings.items():
            for part in range(0, len(found), PART):
                columns = zip(*found[part:part + PART])
                yield "\t".join([word, str(part // PART)] + ["{" + ",".join(map(str, c)) + "}" for c in columns]) + "\n"

    seconds = copy(connection, "chunk", chunks) + copy(connection, "signature", codes) + copy(connection, "posting", parts())
    begin = time.monotonic()
    psql(connection, INDEXES)
    return len(chunks), seconds, time.monotonic() - begin


def by_words(question, condition="true"):
    words = list(dict.fromkeys(words_of(question)))
    wanted = ",".join(f"('{word}',{i})" for i, word in enumerate(words))
    counts = ",".join(f"coalesce(max(tf) FILTER (WHERE clause = {i}), 0) AS t{i}" for i in range(len(words)))
    score = "+".join(f"{1 + i / 10} * t{i} / (t{i} + (0.4 + 0.01 * len))" for i in range(len(words)))
    return (f"WITH wanted(term, clause) AS (VALUES {wanted}), p AS (SELECT clause, u.row, u.tf, u.len FROM posting "
            f"JOIN wanted USING (term), unnest(rows, tfs, lengths) AS u(row, tf, len)), "
            f"m AS (SELECT row, max(len) AS len, {counts} FROM p GROUP BY row) "
            f"SELECT row, {score} AS s FROM m WHERE {condition} ORDER BY s DESC LIMIT 100")


def by_codes(condition="true"):
    code = "B'" + "01" * 128 + "'"
    planes = [f"bit_count((code # {code}) & B'{bits * 64}') * {weight}"
              for bits, weight in (("0110", 1), ("1010", 2), ("1100", 4))]
    return f"SELECT row, {' + '.join(planes)} AS s FROM signature WHERE {condition} ORDER BY s DESC, row LIMIT 1000"


def by_own(question):
    query = " | ".join(words_of(question))
    return (f"SELECT row, ts_rank(v, q) AS s FROM chunk, to_tsquery('simple', '{query}') AS q WHERE v @@ q "
            f"ORDER BY s DESC LIMIT 100")


def timed(connections, statements, workers):
    """Median and maximum over the statements of the milliseconds until the slowest server has answered, warm."""
    setting = f"SET jit = off; SET max_parallel_workers_per_gather = {workers};\n\\timing on\n"

    def ask(connection, sql):
        return min(float(ms) for ms in re.findall(r"Time: ([\d.]+) ms", psql(connection, setting + (sql + ";\n") * 2)))

    with concurrent.futures.ThreadPoolExecutor(len(connections)) as pool:
        times = [max(pool.map(lambda c: ask(c, sql), connections)) for sql in statements]
    return f"median {statistics.median(times):.1f} ms, maximum {max(times):.1f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("questions")
    parser.add_argument("connections", nargs="+")
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--workers", type=int, default=0, help="parallel workers of each statement")
    options = parser.parse_args()
    questions = [line.strip() for line in open(options.questions) if words_of(line)]
    for shard, connection in enumerate(options.connections):
        rows, copied, indexed = load(connection, options.documents, shard, len(options.connections))
        print(f"server {shard}: {rows} chunks; COPY {copied:.1f} s, indexes {indexed:.1f} s")
    cells = f"cell IN ({','.join(str(cell) for cell in range(0, CELLS, 10))})"
    runs = {
        "words": [by_words(question) for question in questions],
        "words, 1 %": [by_words(question, TAG) for question in questions],
        "codes": [by_codes()],
        "codes, a tenth": [by_codes(cells)],
    }
    for name, statements in runs.items():
        print(f"{name}: {timed(options.connections, statements, options.workers)}")
    if options.own:
        for connection in options.connections:
            psql(connection, "ALTER TABLE chunk ADD COLUMN v tsvector GENERATED ALWAYS AS (to_tsvector('simple', body)) "
                             "STORED; CREATE INDEX ON chunk USING gin(v); VACUUM ANALYZE chunk;")
        print(f"own: {timed(options.connections, [by_own(question) for question in questions], options.workers)}")


if __name__ == "__main__":
    main()
