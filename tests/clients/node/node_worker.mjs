// A worker of node_lives.mjs: searches a store that other workers have, too.
import {parentPort, workerData} from 'node:worker_threads';
import {open, openSync} from '@recall-db/recall';

const {path, rounds, options, hang} = workerData;
if (hang) {
  const store = await open(path, options);
  await store.search('water'); // the server does not answer
}
const store = await open(path, {stable: true});
const other = openSync(path, {stable: true});
const texts = new Set();
for (let round = 0; round < rounds; ++round) {
  texts.add(await store.callText('search', {query: 'fish'}));
  texts.add(other.callTextSync('search', {query: 'fish'}));
}
// Nested values may exhaust the stack of a worker, which is smaller.
const nested = `${'['.repeat(100_000)}`;
const failed = await store.addLines(nested).then(() => 'none', (error) => error.code);
await store.close();
// The other one is closed with the worker.
parentPort.postMessage({texts: [...texts], failed});
