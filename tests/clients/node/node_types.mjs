// The types by `tsc --strict`, as a module and as CommonJS, without types of Node.js or of a browser.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import recall, {Store} from '@recall-db/recall';
import {here, sources} from './node_helpers.mjs';

const tsc = join(here, 'node_modules/typescript/bin/tsc');

function check(file, ...options) {
  const words = [tsc, '--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target',
    'es2022', '--module', 'nodenext', ...options, file];
  const {stdout, status} = spawnSync(process.execPath, words, {cwd: here, encoding: 'utf8'});
  assert.deepEqual({stdout, status}, {stdout: '', status: 0});
}

test('a module has the types', () => check('uses_types.mts', '--lib', 'es2022'));

test('CommonJS has the types', () => check('uses_types.cts', '--lib', 'es2022'));

test('signals of a browser are accepted', () => {
  writeFileSync(join(here, 'signals.mts'), "import {open} from '@recall-db/recall';\n" +
    "export const opened = open('x', {signal: AbortSignal.timeout(5)});\n");
  check('signals.mts', '--lib', 'es2022,dom');
});

test('the example of the page has no errors', () => {
  const [, code] = readFileSync(join(sources, 'docs/node.md'), 'utf8').match(/```ts\n(.*?)```/s);
  writeFileSync(join(here, 'page.mts'), code);
  check('page.mts', '--lib', 'es2022');
});

test('the types declare what there is', () => {
  const text = readFileSync(join(here, 'node_modules/@recall-db/recall/index.d.ts'), 'utf8');
  const declared = [...text.matchAll(/^export (?:const|function|class) (\w+)/gm)].map((match) => match[1]);
  assert.deepEqual([...new Set(declared)].sort(), Object.keys(recall).sort());
  const body = text.slice(text.indexOf('export class Store'), text.indexOf('export class DocumentSet'));
  const methods = [...body.matchAll(/^  (?!private)(?:readonly )?(\w+)[(:]/gm)].map((match) => match[1]);
  const own = Object.getOwnPropertyNames(Store.prototype).filter((name) => name !== 'constructor');
  assert.deepEqual([...new Set(methods)].sort(), own.sort());
});
