// What the tests have in common: directories with stores, and the program to compare with.
import {execFileSync, spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after} from 'node:test';
import {fileURLToPath} from 'node:url';

export const program = process.env.RECALL_PROGRAM;
export const sources = process.env.RECALL_SOURCES;
export const here = dirname(fileURLToPath(import.meta.url));

const env = {...process.env, RECALL_STABLE: '1', RECALL_SERVE: 'never', XDG_CONFIG_HOME: '/nonexistent'};

// A directory that is removed at the end.
export function directory() {
  const path = mkdtempSync(join(tmpdir(), 'recall-node-'));
  after(() => rmSync(path, {recursive: true, force: true}));
  return path;
}

// What the program prints.
export function recall(cwd, ...words) {
  return execFileSync(program, words, {cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
}

// The same, also if it fails.
export function outcome(cwd, ...words) {
  const {status, stdout} = spawnSync(program, words, {cwd, env, encoding: 'utf8'});
  return {status, stdout};
}

// A store of three documents, as in the tests of the C API.
export function birds() {
  const path = directory();
  for (const [name, text] of [
    ['heron.md', '# Heron\n\nHerons stand still at the pond and wait for fish.\n'],
    ['kingfisher.md', '# Kingfisher\n\nKingfishers dive for fish from a branch.\n'],
    ['plan.txt', 'The retry policy doubles the wait after each failure.\n'],
  ]) writeFileSync(join(path, name), text);
  recall(path, 'init', '--embedder', 'hash');
  recall(path, 'add');
  return path;
}

// The store of tests/golden, which has modification times of its own.
export function goldenStore() {
  const path = directory();
  const corpus = join(sources, 'tests/golden/corpus');
  cpSync(corpus, path, {recursive: true});
  const files = readdirSync(corpus, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  const names = files.map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(corpus.length + 1)).sort();
  names.forEach((name, i) => {
    const time = Date.UTC(2026, 0, 1 + i) / 1000;
    utimesSync(join(path, name), time, time);
  });
  const script = readFileSync(join(sources, 'tests/golden/store.sh'), 'utf8');
  const shell = {cwd: path, env: {...env, PATH: `${dirname(program)}:${env.PATH}`}, stdio: ['ignore', 'pipe', 'inherit']};
  execFileSync('sh', ['-ec', script], shell);
  return path;
}
