// The client of revision 2026-07-28, which has no `initialize`, and of those before.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  checkMemory, checkPrompts, checkResources, checkServer, checkStructured, checkTools, connectedTo, memoryStore,
} from './checks.mjs';

const [recall, directory] = process.argv.slice(2);
process.chdir(directory);

async function connected(options, ...flags) {
  const client = new Client({ name: 'recall-test', version: '1' }, options);
  await client.connect(new StdioClientTransport({ command: recall, args: ['mcp', ...flags] }));
  return client;
}

for (const [options, revision] of [
  [{ versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
  [{}, '2025-11-25'],
]) {
  const client = await connected(options);
  assert.equal(client.getNegotiatedProtocolVersion(), revision);
  await checkServer(client);
  await checkTools(client);
  await checkResources(client, fs);
  await checkPrompts(client);
  await client.close();

  const structured = await connected(options, '--structured');
  await checkStructured(structured);
  await structured.close();

  await checkMemory(memoryStore(recall, directory, `client2-${revision}`), (cwd, ...flags) =>
    connectedTo(
      new Client({ name: 'recall-test', version: '1' }, options),
      new StdioClientTransport({ command: recall, args: ['mcp', ...flags], cwd }),
    ),
  );
  console.log(`client 2, revision ${revision}: ok`);
}
