// The client of revisions until 2025-11-25, which begins with `initialize`.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  checkMemory, checkPrompts, checkResources, checkServer, checkStructured, checkTools, connectedTo, memoryStore,
} from './checks.mjs';

const [recall, directory] = process.argv.slice(2);
process.chdir(directory);

async function connected(...flags) {
  const client = new Client({ name: 'recall-test', version: '1' });
  await client.connect(new StdioClientTransport({ command: recall, args: ['mcp', ...flags] }));
  return client;
}

const client = await connected();
await checkServer(client);
await client.ping();
await checkTools(client);
await checkResources(client, fs);
await checkPrompts(client);
await assert.rejects(client.callTool({ name: 'nosuch', arguments: {} }), /unknown tool 'nosuch'/);
// A request that is aborted sends notifications/cancelled; the connection goes on.
const abort = new AbortController();
const aborted = client.callTool({ name: 'search', arguments: { query: 'segments' } }, undefined, { signal: abort.signal });
abort.abort('enough');
await assert.rejects(aborted);
await client.ping();
await client.close();

const structured = await connected('--structured');
await checkStructured(structured);
await structured.close();

await checkMemory(memoryStore(recall, directory, 'sdk1'), (cwd, ...flags) =>
  connectedTo(new Client({ name: 'recall-test', version: '1' }), new StdioClientTransport({ command: recall, args: ['mcp', ...flags], cwd })),
);
console.log('sdk 1: ok');
