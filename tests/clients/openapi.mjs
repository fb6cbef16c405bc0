// Reads the OpenAPI document of `recall serve`, and holds every answer against it:
// openapi.mjs RECALL STORE_DIRECTORY
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';

const check = (what, holds, found) => assert.ok(holds, `${what}: ${found}`);

const [recall, directory] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'recall-openapi-'));
const socketPath = join(scratch, 's');
const server = spawn(recall, ['serve', '--allow-write', '--socket', socketPath],
  { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
process.once('exit', () => {
  server.kill('SIGKILL');
  rmSync(scratch, { recursive: true });
});
await new Promise((resolve) => server.stdout.once('data', resolve));

function ask(method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const asked = request({ socketPath, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => { text += part; });
      response.on('end', () => resolve({ status: response.statusCode, type: response.headers['content-type'], text }));
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const document = JSON.parse((await ask('GET', '/openapi.json')).text);
const valid = await new Validator().validate(structuredClone(document));
check('the document is OpenAPI 3.1', valid.valid && document.openapi === '3.1.0', JSON.stringify(valid.errors)?.slice(0, 500));

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: 'document', ...document });
const pointer = (...names) => names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
function validate(path, method, kind, value) {
  const where = kind === 'request'
    ? pointer('paths', path, method, 'requestBody', 'content', 'application/json', 'schema')
    : pointer('paths', path, method, 'responses', kind, 'content', 'application/json', 'schema');
  const compiled = ajv.getSchema(`document#/${where}`);
  if (!compiled) return `no schema at ${where}`;
  return compiled(value) ? '' : ajv.errorsText(compiled.errors).slice(0, 500);
}

const requests = [
  ['/v1/search', { query: 'sync a segment', k: 3, cite: true }],
  ['/v1/search', { query: 'segment', explain: true, filter: "doc.path GLOB 'docs/*'", identical: 'list' }],
  ['/v1/search', { query: 'segment', fields: 'path,score', bm25: true }],
  ['/v1/context', { query: 'how are segments merged', budget_tokens: 400 }],
  ['/v1/similar', { target: 'docs/http.md', k: 2 }],
  ['/v1/query', { rql: "FROM doc FILTER doc.path GLOB 'docs/*' LIMIT 3 SELECT doc.path, doc.size" }],
  ['/v1/get', { target: ['docs/http.md:1-3'] }],
  ['/v1/ls', { path: ['docs'], k: 2 }],
  ['/v1/grep', { pattern: ['segments?', 'docs'], ignore_case: true, context: 1, k: 3 }],
  ['/v1/symbols', { name: '*', k: 3 }],
  ['/v1/symbols', { name: 'Commit', references: true }],
  ['/v1/map', { budget_tokens: 300, about: 'segments' }],
  ['/v1/sessions', { query: 'segments', identical: 'list', ran: 'make', outputs: 'error' }],
  ['/v1/related', { file: 'docs/http.md', no_git: true }],
  ['/v1/suggest', { kind: 'review' }],
  ['/v1/stats', {}],
  ['/v1/stats', { memory: true }],
  ['/v1/add', { path: ['docs/http.md'] }],
  ['/v1/rm', { target: ['docs/http.md'], dry_run: true }],
];
for (const [path, body] of requests) {
  const name = `${path} ${JSON.stringify(body)}`;
  const answer = await ask('POST', path, body);
  check(`${name}: the request is as described`, validate(path, 'post', 'request', body) === '', validate(path, 'post', 'request', body));
  check(`${name}: 200`, answer.status === 200, answer.text.slice(0, 300));
  const wrong = validate(path, 'post', '200', JSON.parse(answer.text));
  check(`${name}: the answer is as described`, wrong === '', wrong);
}
check('a member that does not exist is none of the document', validate('/v1/search', 'post', 'request', { nonsense: 1 }) !== '', 'accepted');
check('an answer to something else is none', validate('/v1/search', 'post', '200', { ok: true, schema_version: '2' }) !== '', 'accepted');
for (const [path, body, status] of [
  ['/v1/search', { query: '' }, 400],
  ['/v1/search', { nonsense: 1 }, 400],
  ['/v1/get', { target: 'absent.md' }, 404],
]) {
  const answer = await ask('POST', path, body);
  const wrong = validate(path, 'post', 'default', JSON.parse(answer.text));
  check(`${path} ${JSON.stringify(body)}: error ${status}, as described`, answer.status === status && wrong === '', `${answer.status} ${wrong} ${answer.text}`);
}
// Errors of the server itself have the same form.
const error = ajv.getSchema('document#/components/schemas/error');
for (const [method, path, body, status] of [
  ['GET', '/absent', undefined, 404],
  ['GET', '/v1/search', undefined, 405],
  ['POST', '/v1/search', { query: 'x'.repeat(2_000_000) }, 413],
  ['GET', '/v1/stores?' + 'x'.repeat(20_000), undefined, 431],
]) {
  const answer = await ask(method, path, body);
  check(`${method} ${path.slice(0, 20)}: error ${status}`, answer.status === status && error(JSON.parse(answer.text)), answer.text);
}
for (const path of Object.keys(document.paths).filter((name) => document.paths[name].get && name !== '/v1/events')) {
  const answer = await ask('GET', path);
  const types = document.paths[path].get.responses['200'].content;
  const type = answer.type.split(';')[0];
  check(`GET ${path}: ${answer.status} ${type}`, answer.status === 200 && type in types, answer.text.slice(0, 200));
  if (type === 'application/json') {
    const wrong = validate(path, 'get', '200', JSON.parse(answer.text));
    check(`GET ${path}: the answer is as described`, wrong === '', wrong);
  }
}
server.kill('SIGTERM');
await new Promise((resolve) => server.once('exit', resolve));
console.log('openapi: ok');
