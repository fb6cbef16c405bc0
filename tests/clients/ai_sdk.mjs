// The client of Vercel's AI SDK, which has an implementation of its own.
import assert from 'node:assert/strict';
import { experimental_createMCPClient as createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { checkMemory, memoryStore } from './checks.mjs';

const [recall, directory] = process.argv.slice(2);

await checkMemory(memoryStore(recall, directory, 'ai-sdk'), async (store, ...flags) => {
  const client = await createMCPClient({ transport: new StdioTransport({ command: recall, args: ['mcp', ...flags], cwd: store }) });
  const tools = await client.tools();
  return {
    names: Object.keys(tools),
    call: (name, args) => tools[name].execute(args, { toolCallId: '1', messages: [] }),
    close: () => client.close(),
  };
});
console.log('AI SDK: ok');
