// How calls and stores end: by a signal, with their thread, their process, or because nobody has them any more. The
// server that a store asks for vectors is this process, so whatever blocks the event loop never ends.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {test} from 'node:test';
import {Worker} from 'node:worker_threads';
import {open, openSync} from '@recall-db/recall';
import {birds, directory, here} from './node_helpers.mjs';

const descriptors = () => readdirSync('/proc/self/fd').length;

// A server of vectors, and a store that asks it. `held` has the questions that it does not answer.
async function askingStore() {
  const held = [];
  let holds = false;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const {input} = JSON.parse(body);
    const answer = () => response.end(JSON.stringify({
      data: input.map((text, index) => ({index, embedding: Array.from({length: 8}, (_, i) => text.length % (i + 2))})),
    }));
    if (!holds) return answer();
    held.push(answer);
    server.emit('held');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const path = directory();
  const settingsFile = join(path, 'asking.toml');
  writeFileSync(settingsFile, `[embedders.ours]\nkind = "openai"\nmodel = "m"\nurl = "http://127.0.0.1:${server.address().port}"\n`);
  const options = {settingsFile, program: null};
  const store = await open(join(path, 'recall.db'), {...options, create: true});
  await store.add([{path: 'a', text: 'Herons wait.'}, {path: 'b', text: 'Kingfishers dive.'}]);
  await store.call('embed', {as: 'ours'});
  return {
    path: join(path, 'recall.db'), options, store, held,
    hold: () => (holds = true),
    end() {
      server.close();
      server.closeAllConnections?.();
    },
    asked: () => once(server, 'held'),
  };
}

test('the event loop goes on while a call runs, and a signal ends the call', async () => {
  const {store, held, hold, asked, end} = await askingStore();
  hold();
  const controller = new AbortController();
  const reason = new Error('enough');
  const first = store.search('water', {signal: controller.signal});
  await asked();
  // One that waits behind it is ended at once, by a reason of the platform.
  const waiting = new AbortController();
  const second = store.search('water', {signal: waiting.signal});
  waiting.abort();
  await assert.rejects(second, {name: 'AbortError'});
  controller.abort(reason);
  await assert.rejects(first, reason);
  await assert.rejects(store.search('water', {signal: controller.signal}), reason);
  assert.throws(() => store.searchSync('water', {signal: controller.signal}), reason);
  // The store is as before.
  const third = store.search('water');
  await asked();
  held.at(-1)();
  assert.equal((await third).length, 2);
  await store.close();
  end();
});

test('a signal that comes after the end does nothing', async () => {
  const store = await open(birds());
  const controller = new AbortController();
  const hits = await store.search('fish', {signal: controller.signal});
  controller.abort();
  assert.ok(hits.length > 0 && (await store.search('fish')).length > 0);
  await store.close();
});

test('signals at any moment leave no call behind, and end no other', async () => {
  const store = await open(birds());
  const expected = await store.search('fish');
  for (let round = 0; round < 100; ++round) {
    const controller = new AbortController();
    const aborted = store.search('fish', {signal: controller.signal}).then(() => 'found', (error) => error.name);
    const other = store.search('fish');
    if (round % 2 === 0) await new Promise(setImmediate);
    controller.abort();
    assert.ok(['found', 'AbortError'].includes(await aborted));
    assert.deepEqual(await other, expected);
  }
  await store.close();
});

test('eight workers share a store', async () => {
  const path = birds();
  const store = await open(path, {stable: true});
  const expected = await store.callText('search', {query: 'fish'});
  const script = join(here, 'node_worker.mjs');
  const answers = await Promise.all(Array.from({length: 8}, async () => {
    const worker = new Worker(script, {workerData: {path, rounds: 20}});
    // Its last message and its end may be events of one turn, so both are awaited from here.
    const [[answer]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
    return answer;
  }));
  assert.deepEqual(answers, Array(8).fill({texts: [expected], failed: 'invalid_argument'}));
  assert.equal(await store.callText('search', {query: 'fish'}), expected);
  await store.close();
});

test('a worker that is terminated in a call leaves the process as it was', async () => {
  const {path, options, hold, asked, store, held, end} = await askingStore();
  hold();
  const before = descriptors();
  for (let round = 0; round < 3; ++round) {
    const worker = new Worker(join(here, 'node_worker.mjs'), {workerData: {path, options, hang: true}});
    const [asks] = await Promise.all([asked(), once(worker, 'online')]);
    assert.deepEqual(asks, []);
    await worker.terminate();
  }
  held.splice(0);
  const search = store.search('water');
  await asked();
  held[0]();
  assert.equal((await search).length, 2);
  assert.ok(descriptors() <= before + 3, 'descriptors of the connections that the server still has');
  await store.close();
  end();
});

test('a process exits in a call, and when nothing is pending', async () => {
  for (const [how, status] of [['exit', 7], ['throw', 1], ['end', 0], ['syncexit', 7], ['open', 0]]) {
    const {path, options, hold, store, asked, end} = await askingStore();
    await store.close();
    hold();
    const child = spawn(process.execPath, [join(here, 'node_exit.mjs'), how, path, JSON.stringify(options)],
      {stdio: ['pipe', 'inherit', 'pipe']});
    let said = '';
    child.stderr.on('data', (data) => (said += data));
    if (how === 'exit' || how === 'throw') asked().then(() => child.stdin.write('end'));
    const [code, signal] = await once(child, 'close');
    assert.deepEqual({how, code, signal}, {how, code: status, signal: null}, said);
    if (how !== 'throw') assert.equal(said, '');
    end();
  }
});

test('a thousand stores are opened, searched and closed', async () => {
  const path = birds();
  const expected = await open(path).then(async (store) => {
    const hits = await store.search('fish', {k: 1});
    await store.close();
    return hits;
  });
  const before = descriptors();
  for (let round = 0; round < 500; ++round) {
    const store = await open(path, {program: null});
    const other = openSync(path, {program: null});
    assert.deepEqual(other.searchSync('fish', {k: 1}), expected);
    assert.deepEqual(await store.search('fish', {k: 1}), expected);
    await store.close();
    other.closeSync();
  }
  assert.equal(descriptors(), before);
  assert.ok(readdirSync('/proc/self/task').length < 40, 'threads of stores that are closed have ended');
});

test('stores that nobody has any more are closed', async () => {
  const child = spawn(process.execPath, ['--expose-gc', join(here, 'node_exit.mjs'), 'drop', birds(), '{}'],
    {stdio: 'inherit'});
  assert.deepEqual(await once(child, 'close'), [0, null]);
});
