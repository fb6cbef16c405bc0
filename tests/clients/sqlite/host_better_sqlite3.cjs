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
