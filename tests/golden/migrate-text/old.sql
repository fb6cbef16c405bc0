-- A store as generation B of recall 0.1 left it, with one document.
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
INSERT INTO meta VALUES('schema_version', '1'), ('embedding', 'hash'), ('embedding_dim', '256');
CREATE TABLE doc(id TEXT PRIMARY KEY, path TEXT, mtime TEXT, size INTEGER, hash TEXT, tag TEXT,
                 source TEXT, meta TEXT, deleted INTEGER DEFAULT 0);
CREATE TABLE chunk(rowid INTEGER PRIMARY KEY, id TEXT UNIQUE, doc_id TEXT, offset INTEGER,
                   tokens INTEGER, text TEXT, embedding BLOB, deleted INTEGER DEFAULT 0);
INSERT INTO doc VALUES(
  '2504f522660784ac5d6c241dc72e2e7e15e82c3925fac8650fdbf0d488522815', 'manual/pump.txt', '2026-01-10T08:00:00Z', 44,
  'fb7dbc82cd9dd1faccfccd93618c53ffc57d8eed875b2a81be3bcf9f7cac42fd', 'manual', NULL, '{"author":"Ada"}', 0);
INSERT INTO chunk VALUES(1,
  '2aef498512a22d68f90fec714e1273ca1ff1a9f94fc696fd7cde00e10fc5fd8d',
  '2504f522660784ac5d6c241dc72e2e7e15e82c3925fac8650fdbf0d488522815', 0, 8, 'Check the valve first. Then check the pump.', NULL, 0);
