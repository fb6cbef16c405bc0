// Plays events of opencode 1.18 to the plugin that `recall install --hooks opencode` writes:
// opencode_plugin.mjs RECALL STORE_DIRECTORY
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { memoryStore } from './checks.mjs';

const [recall] = process.argv.slice(2);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'recall-opencode-'));
process.once('exit', () => fs.rmSync(scratch, { recursive: true }));
const project = memoryStore(recall, scratch, 'project');
const run = (...args) => {
  const env = { ...process.env, HOME: scratch, XDG_STATE_HOME: '', XDG_CONFIG_HOME: '' };
  const done = spawnSync(recall, args, { cwd: project, env, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
};
run('save', 'decision', 'Use zstd level 3 for texts', '--text', 'Higher levels gain two percent.');
run('save', 'bug', 'CORS preflight fails on Safari', '--text',
  'Access to fetch has been blocked by CORS policy: the preflight response had no header '
  + 'Access-Control-Allow-Origin. The proxy answered OPTIONS itself.');
run('install', '--project', '--hooks', 'opencode');
// opencode takes a plugin for a module, whatever package.json says; so does this copy.
const copy = path.join(scratch, 'recall.mjs');
fs.copyFileSync(path.join(project, '.opencode/plugins/recall.js'), copy);
const { Recall } = await import(pathToFileURL(copy));
const hooks = await Recall({ directory: project, worktree: project });

const sessionID = 'ses_09f1e2d3cffeQy7';
const messageID = 'msg_f60e1d2c3001kZbN';
async function say(text) {
  const parts = [{ id: 'prt_f60e1d2c4001Ab', sessionID, messageID, type: 'text', text }];
  const message = { id: messageID, sessionID, role: 'user', time: { created: 1 }, agent: 'build' };
  await hooks['chat.message']({ sessionID, agent: 'build', messageID }, { message, parts });
  return parts.slice(1);
}

const first = await say('Which zstd level do we use for texts?');
assert.ok(first.length > 0);
for (const part of first) {
  assert.ok(part.synthetic && part.type === 'text' && part.messageID === messageID);
  assert.ok(part.id > 'prt_f60e1d2c4001Ab');
}
assert.match(first.map((part) => part.text).join('\n'), /use-zstd-level-3-for-texts\.md/);
assert.deepEqual(await say('Which zstd level do we use for texts?'), [], 'said before');
assert.deepEqual(await say('thanks, go on'), []);
await hooks.event({ event: { type: 'session.compacted', properties: { sessionID } } });
assert.ok((await say('Which zstd level do we use for texts?')).length > 0, 'forgotten with the summary');

async function ran(tool, args, metadata, text) {
  const output = { title: '', output: text, metadata };
  await hooks['tool.execute.after']({ tool, sessionID: 'ses_other', callID: 'call_1', args }, output);
  return output.output;
}
const failure = 'Access to fetch has been blocked by CORS policy: no Access-Control-Allow-Origin in the preflight response';
const failed = await ran('bash', { command: 'npm test' }, { exit: 1, output: failure }, failure);
assert.ok(failed.startsWith(failure + '\n\n'));
assert.match(failed, /cors-preflight-fails-on-safari\.md/);
assert.equal(await ran('bash', { command: 'npm test' }, { exit: 0 }, failure), failure);
assert.equal(await ran('read', { filePath: '/x' }, {}, failure), failure);
console.log('opencode_plugin: ok');
