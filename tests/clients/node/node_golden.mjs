// The golden scenarios (tests/golden) through the package: the bytes that the program prints for the same request.
import assert from 'node:assert/strict';
import {cpSync, existsSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {RecallError, open} from '@recall-db/recall';
import {directory, goldenStore, outcome, program, recall, sources} from './node_helpers.mjs';

// The arguments of a command as a member of its request.
const MEMBER = {
  search: 'query', context: 'query', query: 'rql', get: 'target', similar: 'target', grep: 'pattern', ls: 'path',
  stats: undefined, add: 'path', rm: 'target', embed: undefined,
};
// How an answer is shown, which a request does not say. True if the flag has a value.
const SHOWN = {
  '--json': false, '--stable': false, '--jsonl': false, '--table': false, '--csv': false, '--lean': false,
  '--quiet': false, '--format': true, '--color': true,
};

// The words of a command without variables, pipes and redirections; undefined for others.
function wordsOf(command) {
  if (/[|<>&$`*~\n\\()]/.test(command.replace(/'[^']*'|"[^"$`\\]*"/g, ''))) return undefined;
  const words = command.match(/(?:'[^']*'|"[^"$`\\]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, one, two) => one ?? two));
}

// The flags of a command that have a value, by its help.
const flags = new Map();
function hasValue(command, flag) {
  if (!flags.has(command)) {
    const names = recall('/', 'help', command).matchAll(/^ +(?:-\w, )?(--[a-z0-9-]+) \S/gm);
    flags.set(command, new Set([...names].map((match) => match[1])));
  }
  return flag === '-k' || flags.get(command).has(flag);
}

// A command as a request, and as words for the program; undefined if it is none.
function scenarioOf(name, line) {
  const [first, command, ...words] = wordsOf(line) ?? [];
  if (first !== 'recall' || !(command in MEMBER)) return undefined;
  const request = {};
  const kept = [];
  const texts = [];
  for (let i = 0; i < words.length; ++i) {
    const word = words[i];
    const [flag, given] = word.split(/=(.*)/s);
    if (word.startsWith('@') || ['-', '--store', '--rql', '--rql-stdin', '--canonical'].includes(flag)) return undefined;
    if (flag in SHOWN) {
      if (SHOWN[flag] && given === undefined) ++i;
      continue;
    }
    kept.push(word);
    if (!word.startsWith('-')) {
      texts.push(word);
      continue;
    }
    const takes = given === undefined && hasValue(command, flag);
    if (takes) kept.push(words[++i]);
    const member = flag.replace(/^-+/, '').replaceAll('-', '_');
    const value = takes ? words[i] : given ?? true;
    request[member] = member in request ? [request[member], value].flat() : value;
  }
  const member = MEMBER[command];
  if (texts.length > 0 && member === undefined) return undefined;
  if (texts.length > 0) request[member] = member === 'query' || texts.length === 1 ? texts.join(' ') : texts;
  return {name, command, request, words: [command, '--json', '--stable', ...kept]};
}

const golden = join(sources, 'tests/golden');
const scenarios = readdirSync(golden)
  .filter((name) => existsSync(join(golden, name, 'cmd')))
  .flatMap((name) => readFileSync(join(golden, name, 'cmd'), 'utf8').split(/;(?=(?:[^'"]|'[^']*'|"[^"]*")*$)/)
    .map((line) => scenarioOf(name, line.trim())))
  .filter((scenario) => scenario !== undefined);
const writes = new Set(['add', 'rm', 'embed']);

// The library has no hint at the help of a command line.
const withoutHelp = (text) => text.replace(/"hint":"see `recall \S+ -h`"/, '"hint":null');

// The text of an answer, also of one that fails.
async function answerOf(store, command, request) {
  try {
    return {status: 0, stdout: await store.callText(command, request)};
  } catch (error) {
    if (!(error instanceof RecallError)) throw error;
    return {status: error.status, stdout: error.json};
  }
}

// What differs from what the program has printed, as a list of one text or none.
function difference({name, words}, got, printed) {
  const expected = withoutHelp(printed.stdout);
  if (got.status === printed.status && got.stdout === expected) return [];
  return [`${name}: ${words.join(' ')}\n  ${got.stdout}\n  ${expected}`];
}

test('there are scenarios', () => assert.ok(scenarios.length > 40, `${scenarios.length}`));

test('what reads has the bytes of the program', async () => {
  const path = goldenStore();
  process.chdir(path);
  const store = await open(join(path, 'recall.db'), {stable: true, program});
  const differences = [];
  for (const scenario of scenarios.filter(({command}) => !writes.has(command))) {
    const got = await answerOf(store, scenario.command, scenario.request);
    differences.push(...difference(scenario, got, outcome(path, ...scenario.words)));
  }
  await store.close();
  assert.deepEqual(differences, []);
});

// The store is made anew for the program at the same path, because the answer depends on what is there.
test('what writes has the bytes of the program', async () => {
  const made = goldenStore();
  const path = directory();
  const anew = () => {
    rmSync(path, {recursive: true});
    cpSync(made, path, {recursive: true, preserveTimestamps: true});
    process.chdir(path);
  };
  const differences = [];
  for (const scenario of scenarios.filter(({command}) => writes.has(command))) {
    anew();
    const store = await open(join(path, 'recall.db'), {stable: true, program});
    const got = await answerOf(store, scenario.command, scenario.request);
    await store.close();
    anew();
    differences.push(...difference(scenario, got, outcome(path, ...scenario.words)));
  }
  process.chdir('/');
  assert.deepEqual(differences, []);
});
