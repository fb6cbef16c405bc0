// A process of node_lives.mjs, which ends in one of several ways: node_exit.mjs HOW STORE OPTIONS
import {readdirSync} from 'node:fs';
import {open, openSync} from '@recall-db/recall';

const [how, path, options] = process.argv.slice(2);
const store = await open(path, JSON.parse(options));

if (how === 'exit' || how === 'throw') {
  store.search('water', {onProgress() {}}).catch(() => {});
  store.search('fish').catch(() => {});
  // The server has been asked, and does not answer.
  process.stdin.once('data', () => {
    if (how === 'throw') throw new Error('thrown');
    process.exit(7);
  });
} else if (how === 'syncexit') {
  store.searchSync('water', {bm25: true, onProgress: () => process.exit(7)});
} else if (how === 'end') {
  await store.search('herons', {bm25: true});
  // The store is open, but nothing is pending, so the process ends.
} else if (how === 'drop') {
  const descriptors = () => readdirSync('/proc/self/fd').length;
  await store.close();
  const before = descriptors();
  for (let i = 0; i < 20; ++i) {
    await (await open(path)).search('fish');
    openSync(path).searchSync('fish');
  }
  for (let round = 0; descriptors() > before; ++round) {
    if (round === 10_000) throw new Error(`${descriptors()} descriptors, not ${before}`);
    globalThis.gc();
    await new Promise(setImmediate);
  }
}
