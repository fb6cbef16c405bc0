// The examples of docs/node.md print what the page says, and the server of the page searches.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {get} from 'node:http';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {test} from 'node:test';
import {birds, directory, here, sources} from './node_helpers.mjs';

const page = readFileSync(join(sources, 'docs/node.md'), 'utf8');
const examples = [...page.matchAll(/```js\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs)].map(([, code, text]) => ({code, text}));

test('the examples of the page print what it says', () => {
  assert.ok(examples.length >= 8);
  const cwd = directory();
  mkdirSync(join(here, 'page'), {recursive: true});
  examples.forEach(({code, text}, i) => {
    const file = join(here, 'page', `example${i}.mjs`);
    writeFileSync(file, code);
    const {stdout, stderr, status} = spawnSync(process.execPath, [file], {cwd, encoding: 'utf8'});
    assert.deepEqual({stdout: text === undefined ? '' : stdout, stderr, status}, {stdout: text ?? '', stderr: '', status: 0}, code);
  });
});

async function asked(url) {
  const [response] = await once(get(url), 'response');
  let body = '';
  for await (const part of response.setEncoding('utf8')) body += part;
  return {status: response.statusCode, type: response.headers['content-type'], body};
}

test('the server of the page searches, reports errors, and ends', async () => {
  const script = join(here, 'search_server.mjs');
  copyFileSync(join(sources, 'cli/library/node/search_server.mjs'), script);
  const server = spawn(process.execPath, [script, birds()], {stdio: ['ignore', 'pipe', 'inherit']});
  const [address] = await once(createInterface({input: server.stdout}), 'line');
  const hits = await asked(`${address}search?q=who+stands+at+the+pond&k=2`);
  assert.deepEqual([hits.status, hits.type], [200, 'application/x-ndjson']);
  const [first, ...others] = hits.body.trim().split('\n').map((line) => JSON.parse(line));
  assert.match(first.citation, /^heron\.md@/);
  assert.ok(others.length <= 1);
  const document = await asked(`${address}document?target=${encodeURIComponent(first.citation)}`);
  assert.match(document.body, /Herons stand still/);
  assert.match((await asked(`${address}context?q=retry&budget=50`)).body, /retry policy/);
  const wrong = await asked(`${address}search?q=x&filter=doc.colour`);
  assert.deepEqual([wrong.status, JSON.parse(wrong.body).error.code], [400, 'invalid_argument']);
  assert.equal((await asked(`${address}document?target=none`)).status, 404);
  assert.equal((await asked(`${address}nothing`)).status, 404);
  // Many at once, of which some go away.
  const answers = Array.from({length: 20}, () => asked(`${address}search?q=fish`));
  for (let i = 0; i < 10; ++i) {
    const request = get(`${address}search?q=fish`);
    request.on('error', () => {});
    request.once('socket', () => request.destroy());
  }
  assert.equal(new Set((await Promise.all(answers)).map(({status, body}) => status + body)).size, 1);
  server.kill('SIGTERM');
  assert.deepEqual(await once(server, 'close'), [0, null]);
});
