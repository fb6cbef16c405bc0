// Starts the server of an unpacked MCP bundle as its manifest says, for a folder, and asks it:
//   node bundle_server.mjs BUNDLE FOLDER QUESTION
// Prints the answer to the question.
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

const [bundle, folder, question] = process.argv.slice(2);
const {server, user_config: asked} = JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8'));
if (Object.keys(asked).join() !== 'folder') throw new Error(`asks for ${Object.keys(asked)}`);
const filled = (text) => text.replaceAll('${__dirname}', bundle).replaceAll('${user_config.folder}', folder);
const {command, args, env} = server.mcp_config;

const child = spawn(filled(command), args.map(filled),
  {cwd: '/', env: {...process.env, ...env}, stdio: ['pipe', 'pipe', 'inherit']});
const answers = createInterface({input: child.stdout})[Symbol.asyncIterator]();

async function request(id, method, params) {
  child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', id, method, params})}\n`);
  const {value, done} = await answers.next();
  if (done) throw new Error(`the server ended at ${method}`);
  const {result, error} = JSON.parse(value);
  if (error) throw new Error(JSON.stringify(error));
  return result;
}

const client = {name: 'test', version: '1'};
await request(1, 'initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: client});
const {tools} = await request(2, 'tools/list', {});
if (!tools.some(({name}) => name === 'save')) throw new Error('there is no tool save');
const {content} = await request(3, 'tools/call', {name: 'search', arguments: {query: question}});
console.log(content[0].text);
child.stdin.end();
const status = await new Promise((resolve) => child.on('exit', resolve));
if (status !== 0) throw new Error(`exit code ${status}`);
