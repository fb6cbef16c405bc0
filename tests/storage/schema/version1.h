#pragma once

// Converts a store of the present format to older ones, for tests of migrations.

namespace recall {

// SQL that any connection can run on a closed store without notes, for format 12.
inline constexpr char kToVersion12[] = R"sql(
BEGIN;
DROP TABLE symbol;
DROP TABLE code_grammar;
DROP TABLE doc_language;
DROP TABLE text_grams;
DROP TABLE extraction;
DROP INDEX doc_session;
DROP TABLE captured;
DROP TABLE transcript;
DROP TABLE forgotten;
DROP TABLE name;
DROP TABLE card;
DROP TABLE link;
DROP TABLE use_log;
DROP TABLE review_log;
DROP TABLE activity;
DROP TABLE note_set;
PRAGMA user_version=12;
COMMIT;
)sql";

// SQL that any connection can run on a closed store of the present format whose vectors are those
// of the published embedder. It removes what later migrations add and restores what they replaced.
// A new migration needs its inverse here.
inline constexpr char kToVersion1[] = R"sql(
BEGIN;
DROP TABLE symbol;
DROP TABLE code_grammar;
DROP TABLE doc_language;
DROP TABLE text_grams;
DROP TABLE extraction;
DROP INDEX doc_session;
DROP TABLE captured;
DROP TABLE transcript;
DROP TABLE forgotten;
DROP TABLE name;
DROP TABLE card;
DROP TABLE link;
DROP TABLE use_log;
DROP TABLE review_log;
DROP TABLE activity;
DROP TABLE note_set;
ALTER TABLE doc DROP COLUMN origin;
DROP TABLE given_vector;
DROP TABLE chunk_words;
DROP TABLE word_dictionary;
DROP TABLE posting_set;
DROP TABLE posting_list;
ALTER TABLE vec_segment DROP COLUMN space;
DROP TABLE space;
CREATE TEMP TABLE kept AS SELECT chunk, data FROM vec_tail;
DROP TABLE vec_tail;
CREATE TABLE vec_tail(chunk INTEGER PRIMARY KEY, data BLOB NOT NULL);
INSERT INTO vec_tail SELECT * FROM kept;
DROP TABLE kept;
DROP TABLE model;
DROP TABLE model_part;
DROP TABLE commit_log;
DROP TABLE doc_past;
DELETE FROM meta WHERE key = 'snapshot_horizon';
DROP TABLE doc_meta;
DROP INDEX doc_live_source;
DROP INDEX doc_live_tag;
DROP INDEX doc_live_path;
DROP INDEX doc_live_mtime;
CREATE UNIQUE INDEX doc_live_path ON doc(path) WHERE removed_seq IS NULL;
CREATE INDEX doc_live_mtime ON doc(mtime, first_chunk, chunk_count) WHERE removed_seq IS NULL;
CREATE INDEX doc_live_tag ON doc(tag, first_chunk, chunk_count) WHERE removed_seq IS NULL;
PRAGMA user_version=1;
COMMIT;
)sql";

}  // namespace recall
