// What the package promises of stores: each function, by promises and at once.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';
import recallDefault, {DocumentSet, RecallError, Store, libraryVersion, open, openSync, programPath, version} from '@recall-db/recall';
import {birds, directory, outcome, recall} from './node_helpers.mjs';

const require = createRequire(import.meta.url);

async function failure(promise) {
  return promise.then(() => assert.fail('it does not fail'), (error) => error);
}

test('import and require give the same functions', () => {
  const required = require('@recall-db/recall');
  assert.equal(required.open, open);
  assert.equal(recallDefault.Store, Store);
  assert.deepEqual(Object.keys(required).sort(), Object.keys(recallDefault).sort());
  assert.equal(version, libraryVersion());
  assert.equal(execFileSync(programPath(), ['version'], {encoding: 'utf8'}), `recall ${version}\n`);
});

test('a search by promise and at once gives the hits of the program', async () => {
  const path = birds();
  const store = await open(path, {stable: true});
  const hits = await store.search('fish pond', {k: 2});
  const {results} = JSON.parse(recall(path, 'search', '--json', '--cite', '-k', '2', 'fish', 'pond'));
  assert.deepEqual(hits.map((hit) => [hit.score, hit.path, hit.citation, hit.chunk, hit.document, hit.text, hit.snippet,
    hit.firstLine, hit.lastLine, hit.startByte, hit.endByte, hit.heading, hit.snippetFirstLine]),
  results.map(({score, doc, chunk, snippet, cite}) => [score, doc.path, cite, chunk.id, doc.id, chunk.text, snippet.text,
    chunk.start_line, chunk.end_line, chunk.start_byte, chunk.end_byte, chunk.heading, snippet.start_line]));
  assert.equal(hits[0].path, 'heron.md');
  assert.deepEqual(hits[0].metadata, {});
  assert.equal(hits[0].stale, null);
  writeFileSync(join(path, 'heron.md'), 'Something else.\n');
  assert.equal((await store.search('fish pond', {k: 1}))[0].stale, 'changed');
  assert.equal(store.searchSync('fish pond', {k: 1, noCheck: true})[0].stale, null);
  await store.close();
});

test('flags may be written as names of JavaScript', async () => {
  const store = openSync(birds(), {stable: true});
  assert.deepEqual(await store.search('fish', {minScore: 1}), []);
  assert.deepEqual(store.searchSync('fish', {min_score: 1}), []);
  assert.equal(store.searchSync('fish', {filter: "doc.path = 'heron.md'"}).length, 1);
  store.closeSync();
});

test('commands have the bytes of the program, by promise and at once', async () => {
  const path = birds();
  const store = await open(path, {stable: true});
  for (const [command, request, ...words] of [
    ['search', {query: 'fish', k: 1}, 'search', '-k', '1', 'fish'], ['ls', undefined, 'ls'], ['stats', {}, 'stats'],
    ['grep', {pattern: 'fish'}, 'grep', 'fish'], ['similar', {target: 'heron.md'}, 'similar', 'heron.md'],
  ]) {
    const printed = recall(path, ...words, '--json');
    assert.equal(await store.callText(command, request), printed);
    assert.equal(store.callTextSync(command, request), printed);
    assert.deepEqual(await store.call(command, request), JSON.parse(printed));
    assert.deepEqual(store.callSync(command, request), JSON.parse(printed));
  }
  const {context} = await store.context('retry policy', {budgetTokens: 50});
  assert.match(context.text, /retry policy doubles/);
  assert.deepEqual(store.contextSync('retry policy', {budgetTokens: 50}).context, context);
  const got = await store.get('heron.md:1-1');
  assert.equal(got.get.chunk.text, '# Heron\n');
  assert.deepEqual(store.getSync('heron.md:1-1'), got);
  assert.equal((await store.get(['heron.md', 'plan.txt'])).results.length, 2);
  const rql = 'FROM doc ORDER BY doc.path ASC SELECT doc.path';
  assert.deepEqual((await store.query(rql)).results.map(({doc}) => doc.path), ['heron.md', 'kingfisher.md', 'plan.txt']);
  assert.deepEqual(store.querySync(rql).results, (await store.query(rql)).results);
  await store.close();
});

test('errors have the parts of the answer, and the stack of the caller', async () => {
  const path = birds();
  const store = await open(path, {stable: true});
  const rql = 'FROM doc\nFILTER doc.path =';
  async function asks() {
    await store.query(rql);
  }
  const error = await failure(asks());
  assert.ok(error instanceof RecallError && error instanceof Error);
  assert.equal(error.name, 'RecallError');
  assert.deepEqual([error.status, error.code, error.line, error.column], [2, 'invalid_argument', 2, 18]);
  assert.match(error.excerpt, /\^/);
  assert.ok(error.hint.length > 0);
  assert.match(error.stack, /at async asks/);
  assert.deepEqual(error.answer, JSON.parse(outcome(path, 'query', rql, '--json').stdout));
  assert.throws(() => store.querySync(rql), {name: 'RecallError', code: 'invalid_argument', line: 2});
  const none = await failure(store.get('none'));
  assert.deepEqual([none.status, none.code, none.line, none.column], [1, 'not_found', null, null]);
  assert.equal((await failure(store.call('serve'))).code, 'invalid_argument');
  assert.equal((await failure(store.search('a\0b'))).code, 'invalid_argument');
  await assert.rejects(store.search(7), TypeError);
  assert.throws(() => new Store(), TypeError);
  await store.close();
});

test('stores that cannot be opened say why', async () => {
  const path = directory();
  assert.equal((await failure(open(join(path, 'none.db')))).code, 'store_not_found');
  assert.throws(() => openSync(join(path, 'none.db')), {code: 'store_not_found', status: 3});
  writeFileSync(join(path, 'text.db'), 'x'.repeat(100_000));
  assert.equal((await failure(open(join(path, 'text.db')))).status, 4);
  assert.match((await failure(open(path, {colour: 1}))).message, /colour/);
  assert.match((await failure(open(path, {create: true, settings: {colour: 1}}))).message, /colour/);
});

test('a store is made, written and read', async () => {
  const path = directory();
  const file = join(path, 'notes.db');
  const store = await open(pathToFileURL(file), {create: true, settings: {embedding: 'hash', embedding_dim: 64}});
  assert.equal(store.path, file);
  const answer = await store.addText('birds/heron', 'Herons stand still.', {metadata: {year: 2024}});
  assert.equal(answer.add.added, 1);
  store.addTextSync('birds/owl', 'Owls fly at night. \u{1F989}', {metadata: {year: 1999}});
  await store.add([{path: 'a', text: 'Rooks walk.', tag: 't', mtime: new Date(0), metadata: {year: 2024}}]);
  await store.add((async function* () {
    for (const name of ['b', 'c']) yield {path: name, text: `Text ${name} of jackdaws.`, source: 's'};
  })());
  store.addSync(new Set([{path: 'd', text: 'Magpies collect.', lang: 'en'}]));
  await store.addLines('{"path": "e", "text": "Jays hide acorns."}\n');
  store.addLinesSync(new TextEncoder().encode('{"path": "f", "text": "Crows count."}\n'));
  await store.addLines(Buffer.from('{"path": "g", "text": "Ravens play."}\n'));
  assert.equal((await store.call('stats')).stats.doc_count, 9);
  const [owl] = await store.search('night', {filter: 'doc.meta.year < 2000'});
  assert.deepEqual([owl.path, owl.metadata, owl.text], ['birds/owl', {year: 1999}, 'Owls fly at night. \u{1F989}']);
  const [rook] = store.searchSync('rooks', {filter: "doc.tag = 't'"});
  assert.deepEqual([rook.tag, rook.source], ['t', null]);
  assert.equal((await store.query("FROM doc FILTER doc.path = 'a' SELECT doc.mtime")).results[0].doc.mtime, '1970-01-01T00:00:00Z');
  writeFileSync(join(path, 'file.md'), '# A file\n\nIt was added by its path.\n');
  assert.equal((await store.addFiles(join(path, 'file.md'))).add.added, 1);
  await store.save('decision', 'We keep one file', 'It is notes.db.', {tag: ['storage']});
  assert.equal((await store.search('one file', {k: 1}))[0].path, 'notes/we-keep-one-file.md');
  store.saveSync('lesson', 'Close stores', 'They keep files open.');
  assert.equal((await store.call('rm', {target: 'a'})).rm.removed[0].path, 'a');
  await store.close();
  const again = openSync(file, {scope: "doc.path LIKE 'birds/%'"});
  assert.equal(again.callSync('ls').results.length, 2);
  again.closeSync();
});

test('an ingest of which a part fails says what was added', async () => {
  const store = openSync(directory(), {create: true, settings: {embedding: 'hash'}});
  const error = await failure(store.addLines('{"path": "a", "text": "One."}\n{"path": 7}\n'));
  assert.deepEqual([error.status, error.answer.add.added], [2, 1]);
  assert.match(error.answer.warnings.join(), /lines:2/);
  store.closeSync();
});

test('vectors are given as Float32Array', async () => {
  const store = await open(directory(), {create: true, settings: {embedding: 'given', embedding_dim: 8}});
  const axis = (place) => Float32Array.from({length: 8}, (_, i) => (i === place ? 1 : 0));
  await store.addText('x', 'First text.', {vector: axis(0)});
  store.addTextSync('y', 'Second text.', {vector: axis(1)});
  await store.add([{path: 'z', text: 'Third text.', vector: axis(2)}, {path: 'w', text: 'Fourth.', vector: [...axis(3)]}]);
  // A part of a larger buffer.
  const large = new Float32Array(24);
  large[9] = 0.5;
  large[8] = 0.5;
  await store.addText('v', 'Fifth text.', {vector: large.subarray(8, 16)});
  for (const [place, path] of ['x', 'y', 'z', 'w'].entries()) {
    const [first] = await store.search('', {vector: true, embedding: axis(place), k: 1});
    assert.ok([path, 'v'].includes(first.path) && store.searchSync('', {vector: true, embedding: axis(place), k: 2})
      .some((hit) => hit.path === path), path);
  }
  // The bytes are taken before the promise is there, so the buffer may be changed at once.
  const moving = axis(4);
  const added = store.addText('u', 'Sixth text.', {vector: moving});
  moving.fill(1);
  structuredClone(moving.buffer, {transfer: [moving.buffer]});
  await added;
  assert.equal((await store.search('', {vector: true, embedding: axis(4), k: 1}))[0].path, 'u');
  const wrong = await failure(store.addText('t', 'Seventh.', {vector: new Float32Array(3)}));
  assert.equal(wrong.status, 2);
  await assert.rejects(store.addText('t', 'Seventh.', {vector: 'x'}), TypeError);
  await store.close();
});

test('sets of documents restrict a search before anything is ranked', async () => {
  const [store, other] = await Promise.all([open(birds(), {stable: true}), open(birds(), {stable: true})]);
  const set = new DocumentSet(['heron.md', "it's none.md"]);
  assert.equal(set.size, 2);
  const paths = (hits) => hits.map(({path}) => path);
  assert.deepEqual(paths(await store.search('fish', {within: set})), ['heron.md']);
  assert.deepEqual(paths(other.searchSync('fish', {within: set})), ['heron.md']);
  assert.deepEqual(paths(await store.search('fish', {within: set, filter: "doc.path = 'plan.txt'"})), []);
  assert.deepEqual(paths(await store.search('fish', {within: ['kingfisher.md']})), ['kingfisher.md']);
  const [hit] = await store.search('fish', {k: 1});
  const ids = new DocumentSet(new Set([hit.document]), {of: 'ids'});
  assert.deepEqual(paths(await store.search('fish', {within: ids})), [hit.path]);
  assert.throws(() => new DocumentSet([]), {code: 'invalid_argument'});
  assert.throws(() => new DocumentSet(Array.from({length: 5000}, (_, i) => `${i}`)), RecallError);
  assert.throws(() => new DocumentSet(['a'], {of: 'names'}), TypeError);
  await Promise.all([store.close(), other.close()]);
});

test('iterators read all pages of one state', async () => {
  const store = await open(directory(), {create: true, settings: {embedding: 'hash'}});
  const count = 45;
  await store.add(Array.from({length: count}, (_, i) => ({path: `d${i}`, text: `A heron waits. ${i} ${'x'.repeat(i)}`})));
  const all = await store.search('heron', {k: 100});
  const read = [];
  for await (const hit of store.hits('heron', {k: 10})) {
    read.push(hit);
    // What is added meanwhile belongs to another state.
    if (read.length === 1) await store.addText('later', 'A heron heron heron.');
  }
  assert.deepEqual(read, all);
  const paths = [];
  for await (const {doc} of store.rows('FROM doc ORDER BY doc.path ASC SELECT doc.path; -- LIMIT 3', {pageSize: 7})) paths.push(doc.path);
  assert.equal(paths.length, count + 1);
  assert.deepEqual(paths, [...paths].sort());
  const rows = async (rql) => {
    const found = [];
    for await (const row of store.rows(rql, {pageSize: 2})) found.push(row);
    return found.length;
  };
  assert.equal(await rows("FROM doc /* it's */ LIMIT 3 SELECT doc.path"), 3);
  assert.equal(await rows("FROM doc FILTER chunk.text LIKE '%limit 5%' OR chunk.text LIKE '%waits. 1%' SELECT doc.path"), 11);
  assert.equal((await failure(rows('FROM doc SELECT'))).line, 1);
  // One that is left early ends.
  for await (const hit of store.hits('heron', {k: 5})) {
    assert.ok(hit.score > 0);
    break;
  }
  await store.close();
});

test('progress is told, and a listener that throws ends the call', async () => {
  const documents = Array.from({length: 400}, (_, i) => ({path: `d${i}`, text: `Text ${i}. `.repeat(50)}));
  const store = await open(directory(), {create: true, settings: {embedding: 'hash'}});
  const told = [];
  await store.add(documents, {onProgress: (progress) => told.push(progress)});
  assert.ok(told.length > 0);
  for (const progress of told) {
    assert.equal(progress.command, 'add');
    assert.ok(['documents', 'derived'].includes(progress.stage) && progress.done >= 0 && progress.total >= 0);
  }
  const stages = [];
  store.searchSync('text', {onProgress: ({stage}) => stages.push(stage)});
  assert.ok(stages.length > 0);
  const stop = new Error('stop');
  const thrower = () => {
    throw stop;
  };
  assert.equal(await failure(store.search('text', {onProgress: thrower})), stop);
  assert.throws(() => store.searchSync('text', {onProgress: thrower}), stop);
  // Within a call on this thread the store cannot be used.
  const seen = [];
  store.searchSync('text', {
    onProgress() {
      for (const use of [() => store.searchSync('x'), () => store.closeSync()]) {
        try {
          use();
        } catch (error) {
          seen.push(error.code);
        }
      }
    },
  });
  assert.deepEqual(new Set(seen), new Set(['invalid_argument']));
  assert.equal((await store.search('text', {k: 1})).length, 1);
  await store.close();
});

test('close waits for the calls before it, and closeSync ends them', async () => {
  const path = birds();
  const store = await open(path);
  const searches = Array.from({length: 20}, () => store.search('fish'));
  const closing = store.close();
  assert.equal(store.closed, true);
  assert.ok((await Promise.all(searches)).every((hits) => hits.length > 0));
  await closing;
  await store.close();
  assert.equal((await failure(store.search('fish'))).message, 'the store is closed');
  assert.throws(() => store.searchSync('fish'), RecallError);
  store.closeSync();
  const other = openSync(path);
  const ended = Promise.allSettled(Array.from({length: 50}, () => other.search('fish')));
  other.closeSync();
  const outcomes = await ended;
  // At least those that had not begun.
  const cancelled = outcomes.filter(({reason}) => reason?.code === 'cancelled' && reason.status === 130);
  assert.ok(cancelled.length >= 48, `${cancelled.length}`);
  assert.equal(cancelled.length + outcomes.filter(({status}) => status === 'fulfilled').length, 50);
});

test('stores are closed at the end of a block', async () => {
  const path = birds();
  const store = await open(path);
  const other = openSync(path);
  if (Symbol.asyncDispose) await store[Symbol.asyncDispose]();
  if (Symbol.dispose) other[Symbol.dispose]();
  assert.equal(store.closed, Symbol.asyncDispose !== undefined);
  assert.equal(other.closed, Symbol.dispose !== undefined);
});

test('documents of other formats are extracted by the program of the package, unless it is not wanted', async () => {
  const path = directory();
  writeFileSync(join(path, 'page.html'), '<html><body><main><h1>Grebes</h1><p>Grebes carry their young.</p></main></body></html>');
  const texts = [];
  for (const [name, options] of [['with', {}], ['without', {program: null}]]) {
    const store = await open(join(path, `${name}.db`), {create: true, settings: {embedding: 'hash'}, ...options});
    await store.addFiles(join(path, 'page.html'));
    texts.push((await store.search('grebes', {k: 1}))[0].text);
    await store.close();
  }
  assert.doesNotMatch(texts[0], /<p>/);
  assert.match(texts[1], /<p>/);
});
