// better-sqlite3 as a host of the extension: host_better_sqlite3.cjs EXTENSION ANSWER QUESTION
const assert = require('node:assert');
const fs = require('node:fs');
const Database = require('better-sqlite3');

const [extension, answerFile, question] = process.argv.slice(2);
const printed = fs.readFileSync(answerFile, 'utf8').trimEnd();
const store = new Database('recall.db');
console.log('better-sqlite3:', store.prepare('SELECT sqlite_version()').pluck().get());
store.loadExtension(extension);
store.prepare('SELECT recall_options(?)').get(JSON.stringify({ stable: true }));
const ask = store.prepare('SELECT answer FROM recall_search(?, 5) LIMIT 1').pluck();
assert.strictEqual(ask.get(question), printed);
const paths = JSON.parse(printed).results.map((row) => row.doc.path);
assert.deepStrictEqual(store.prepare('SELECT path FROM recall_search(?) LIMIT 5').pluck().all(question), paths);
store.transaction(() => assert.strictEqual(ask.get(question), printed))();
assert.throws(() => store.prepare("SELECT * FROM recall_search('')").all(), /recall_search: the query is empty/);

// A store that is named, joined with a table of the program.
const own = new Database(':memory:');
own.loadExtension(extension);
own.exec("CREATE TABLE label(path TEXT, text TEXT)");
own.prepare('INSERT INTO label VALUES(?, ?)').run(paths[0], 'first');
const joined = own.prepare(
  'SELECT label.text FROM recall_search(?, 5, NULL, ?) AS found JOIN label USING (path)').pluck();
assert.deepStrictEqual([...new Set(joined.all(question, 'recall.db'))], ['first']);
own.close();
store.close();

// A table of documents, with transactions.
const documents = new Database('documents.db');
documents.loadExtension(extension);
documents.exec("CREATE VIRTUAL TABLE docs USING recall(embedding = 'hash')");
const add = documents.prepare('INSERT INTO docs(path, text, meta) VALUES(?, ?, ?)');
const found = documents.prepare(
  `SELECT path FROM docs WHERE docs MATCH ? AND options = '{"bm25": true}' ORDER BY rank LIMIT 5`).pluck();
documents.transaction(() => {
  add.run('heron.md', 'Herons stand still.', JSON.stringify({ year: 2024 }));
  assert.deepStrictEqual(found.all('herons'), ['heron.md']);
})();
assert.throws(() => documents.transaction(() => {
  add.run('kite.md', 'Kites circle.', null);
  assert.deepStrictEqual(found.all('kites'), ['kite.md']);
  add.run('heron.md', 'Another heron.', null);
})(), (error) => error.code === 'SQLITE_CONSTRAINT');
assert.deepStrictEqual(found.all('kites'), []);
assert.deepStrictEqual(found.all('herons'), ['heron.md']);
for (const row of documents.prepare("SELECT rowid, snippet FROM docs('herons', 1)").iterate()) {
  assert.deepStrictEqual(row, { rowid: 1, snippet: 'Herons stand still.' });
}
documents.exec('DROP TABLE docs');
documents.close();
