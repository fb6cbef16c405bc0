// What a search costs in Node.js, beside the same search in one process of the program:
//
//   node bench/node_search.mjs LIBRARY PROGRAM STORE [SAMPLES [TURNS]]
//
// LIBRARY is librecall.so.1, with recall.node beside it, of the same build as PROGRAM. `recall bench --only search`
// samples queries, and tells the least time of each over some rounds. The same queries are then asked by the package, by
// promises and at once, with all hits as objects. They take turns, and the least time of each query counts, because other
// programs of the machine can only make it longer.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const [library, program, store, samples = '100', turns = '5'] = process.argv.slice(2);
const K = 10;
const home = mkdtempSync(join(tmpdir(), 'recall-bench-'));
process.on('exit', () => rmSync(home, {recursive: true}));
const tree = join(dirname(fileURLToPath(import.meta.url)), '../cmake/package/registries/npm_tree.py');
execFileSync(tree, [home, resolve(program), resolve(library), join(dirname(resolve(library)), 'recall.node')]);
const {open} = createRequire(join(home, 'bench.js'))('@recall-db/recall');

function bench(...options) {
  const words = ['bench', '--store', store, '--only', 'search', '-k', `${K}`, '--json', ...options];
  return JSON.parse(execFileSync(program, words, {encoding: 'utf8', maxBuffer: 1 << 28})).bench;
}

const queries = bench('--samples', samples, '--rounds', '1').questions.texts;
const file = join(home, 'queries.txt');
writeFileSync(file, queries.map((query) => `${query}\n`).join(''));

const opened = await open(store, {settings: {threads: 1}});
const ways = {
  'await search()': (query) => opened.search(query, {k: K}),
  'searchSync()': (query) => opened.searchSync(query, {k: K}),
  // `recall bench` makes no snippets, and does not look at the files of documents.
  'await search(), no snippets, no check': (query) => opened.search(query, {k: K, snippet: 0, noCheck: true}),
  'searchSync(), no snippets, no check': (query) => opened.searchSync(query, {k: K, snippet: 0, noCheck: true}),
};
const least = {'recall bench': []};
const keep = (name, i, time) => (least[name][i] = Math.min(least[name][i] ?? Infinity, time));
for (let turn = 0; turn < Number(turns); ++turn) {
  const {latencies} = bench('--queries', file, '--rounds', '1');
  latencies[0].query_ms.forEach((time, i) => keep('recall bench', i, time));
  for (const [name, search] of Object.entries(ways)) {
    least[name] ??= [];
    for (const [i, query] of queries.entries()) {
      const began = performance.now();
      await search(query);
      keep(name, i, performance.now() - began);
    }
  }
}
await opened.close();

const sum = (times) => times.reduce((total, time) => total + time, 0);
const all = sum(least['recall bench']);
console.log(`${queries.length} queries, ${K} hits, the least of ${turns} turns, Node.js ${process.version}`);
for (const [name, times] of Object.entries(least)) {
  console.log(`${name.padEnd(40)} ${(sum(times) / queries.length).toFixed(3)} ms a query, ${(sum(times) / all).toFixed(3)}`);
}
