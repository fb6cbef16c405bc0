// What all clients see. `client` is connected to a store of docs/.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

// The lines of JSON of an answer, and its last line, the totals.
export function linesOf(result) {
  assert.equal(result.content[0].type, 'text');
  const lines = result.content[0].text.split('\n').map((line) => JSON.parse(line));
  return [lines.slice(0, -1), lines.at(-1)];
}

export async function checkServer(client) {
  assert.equal(client.getServerVersion().name, 'recall');
  assert.match(client.getInstructions(), /path@hash/);
  for (const name of ['tools', 'resources', 'prompts', 'completions']) {
    assert.ok(client.getServerCapabilities()[name], name);
  }
}

export async function checkTools(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['search', 'context', 'get', 'similar', 'grep', 'symbols', 'map', 'query', 'status', 'links'],
  );
  for (const tool of tools) {
    assert.equal(tool.inputSchema.type, 'object');
    assert.equal(tool.annotations.readOnlyHint, true);
  }

  const search = { name: 'search', arguments: { query: 'how are segments merged', k: 3 } };
  const [hits, totals] = linesOf(await client.callTool(search));
  assert.equal(hits.length, 3);
  assert.ok(hits.every((hit) => hit.path.startsWith('docs/') && hit.score > 0));
  assert.ok(totals.total > 3);

  // The rest, by its cursor, begins where the first part ended.
  const six = { name: 'search', arguments: { query: 'how are segments merged', k: 6 } };
  const [first] = linesOf(await client.callTool(six));
  const next = { ...search, arguments: { ...search.arguments, cursor: totals.cursor } };
  assert.deepEqual([...hits, ...linesOf(await client.callTool(next))[0]], first);

  const cited = await client.callTool({
    name: 'get',
    arguments: { target: `${hits[0].path}:${hits[0].lines}` },
  });
  assert.match(cited.content[0].text, /^\[docs\/.+@[0-9a-f]{12}:\d+-\d+\]\n/);

  const wrong = await client.callTool({ name: 'search', arguments: { query: 'x', filter: 'doc.tg = 1' } });
  assert.equal(wrong.isError, true);
  assert.match(wrong.content[0].text, /^invalid_argument: /);
  assert.match(wrong.content[0].text, /did you mean doc\.tag\?/);

  // Many at the same time; each has its own answer.
  const lines = Array.from({ length: 40 }, (_, i) => i + 1);
  const answers = await Promise.all(
    lines.map((line) => client.callTool({ name: 'get', arguments: { path: 'docs/rql.md', lines: `${line}` } })),
  );
  answers.forEach((answer, i) => assert.match(answer.content[0].text, new RegExp(`:${i + 1}-${i + 1}\\]\n`)));
}

export async function checkResources(client, fs) {
  const uris = [];
  for (let cursor; ; ) {
    const page = await client.listResources(cursor ? { cursor } : {});
    uris.push(...page.resources.map((resource) => resource.uri));
    if (!(cursor = page.nextCursor)) break;
  }
  assert.equal(new Set(uris).size, uris.length);
  assert.ok(uris.includes('recall://guide') && uris.includes('recall://doc/docs/rql.md'));
  const { contents } = await client.readResource({ uri: 'recall://doc/docs/rql.md' });
  assert.equal(contents[0].text, fs.readFileSync('docs/rql.md', 'utf8'));
  assert.equal(contents[0].mimeType, 'text/markdown');
  await assert.rejects(client.readResource({ uri: 'recall://doc/nope' }), /no such document/);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates[0].uriTemplate, 'recall://doc/{+path}{?lines,snapshot}');
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: resourceTemplates[0].uriTemplate },
    argument: { name: 'path', value: 'docs/rq' },
  });
  assert.deepEqual(completion.values, ['docs/rql.md']);
}

export async function checkPrompts(client) {
  const { prompts } = await client.listPrompts();
  assert.deepEqual(
    prompts.map((prompt) => prompt.name),
    ['answer-with-citations', 'what-changed'],
  );
  const prompt = await client.getPrompt({
    name: 'answer-with-citations',
    arguments: { question: 'how are segments merged', budget: '300' },
  });
  assert.match(prompt.messages[0].content.text, /\[docs\/.+:\d+-\d+/);
  await assert.rejects(client.getPrompt({ name: 'nosuch' }), /unknown prompt/);
}

// An answer with structuredContent, which the client validates by the outputSchema of the tool.
export async function checkStructured(client) {
  const { tools } = await client.listTools();
  assert.ok(tools.every((tool) => tool.outputSchema.type === 'object'));
  const calls = [
    { name: 'search', arguments: { query: 'how are segments merged' } },
    { name: 'context', arguments: { query: 'how are segments merged' } },
    { name: 'get', arguments: { target: ['docs/rql.md', 'nope'] } },
    { name: 'similar', arguments: { target: 'docs/rql.md' } },
    { name: 'query', arguments: { rql: 'SELECT doc.path FROM doc LIMIT 5' } },
    { name: 'status', arguments: {} },
  ];
  for (const call of calls) {
    const answer = await client.callTool(call);
    assert.ok(!answer.isError, JSON.stringify(answer));
    assert.deepEqual(JSON.parse(answer.content[0].text), answer.structuredContent);
  }
}

// A new directory with an empty store.
export function memoryStore(recall, directory, name) {
  const store = path.join(directory, name);
  fs.mkdirSync(store);
  assert.equal(spawnSync(recall, ['init'], { cwd: store }).status, 0);
  return store;
}

// How `connect` of checkMemory is made of a client of the MCP SDK.
export async function connectedTo(client, transport) {
  await client.connect(transport);
  return {
    names: (await client.listTools()).tools.map((tool) => tool.name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

// What an assistant with a memory does: it saves, finds what it saved at once, first little of it, then all.
// `connect(store, ...flags)` starts the server in a store; returns {names, call, close}.
export async function checkMemory(store, connect) {
  const textOf = (answer) => {
    assert.ok(!answer.isError, JSON.stringify(answer));
    return answer.content[0].text;
  };
  const own = await connect(store, '--allow-write');
  assert.ok(own.names.includes('save') && own.names.includes('retire'));
  const note = { type: 'lesson', title: 'Do not stack focus styles', text: 'One outline is enough.', when: ['new input component'] };
  const saved = JSON.parse(textOf(await own.call('save', note)));
  assert.equal(saved.id, 'do-not-stack-focus-styles');
  const found = textOf(await own.call('search', { query: 'new input component', payload: 'lean' })).split('\n');
  const hit = JSON.parse(found[0]);
  assert.deepEqual(Object.keys(hit), ['score', 'band', 'doc', 'snippet']);
  assert.deepEqual(Object.keys(hit.doc), ['path', 'type', 'title']);
  assert.equal(hit.doc.title, note.title);
  assert.match(textOf(await own.call('get', { target: saved.id, payload: 'lean' })), /One outline is enough\./);
  await own.close();

  const rekall = await connect(store, '--tools', 'rekall', '--allow-write');
  const context = { situation: 'Fetch fails on Safari', solution: 'Send the header', trigger_keywords: ['cors', 'safari'] };
  const entry = JSON.parse(textOf(await rekall.call('rekall_add', { type: 'bug', title: 'CORS on Safari', content: 'Preflight.', context })));
  assert.equal(entry.id, 'cors-on-safari');
  const { entries } = JSON.parse(textOf(await rekall.call('rekall_search', { query: 'cors safari' })));
  assert.deepEqual(Object.keys(entries[0]), ['id', 'title', 'score', 'snippet']);
  assert.equal(entries[0].id, entry.id);
  const shown = JSON.parse(textOf(await rekall.call('rekall_show', { id: entry.id })));
  assert.match(shown.content, /Preflight\.[^]*## Context[^]*Send the header/);
  await rekall.close();
}
