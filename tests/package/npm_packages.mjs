// Installs the npm packages, offline and from a registry, and compares the launcher with the program.
//   node npm_packages.mjs PACKAGES PROGRAM
import assert from 'node:assert/strict';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {after, test} from 'node:test';

const [packages, program] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'recall-npm-'));
after(() => rmSync(home, {recursive: true}));

// Nothing of this machine's npm: its configuration and its cache are those of an empty home directory.
const env = {
  PATH: process.env.PATH, HOME: home, npm_config_cache: join(home, 'cache'), npm_config_update_notifier: 'false',
  npm_config_audit: 'false', npm_config_fund: 'false', npm_config_ignore_scripts: 'true',
};
const archives = readdirSync(packages).filter((name) => name.endsWith('.tgz')).sort();
// Those of this machine: the program, the library if there is one, and what users install.
const here = archives.filter((name) => /linux-x64|recall-\d/.test(name));
const files = here.map((name) => join(packages, name));
const main = files.find((file) => /-recall-\d/.test(file));
const hasLibrary = here.some((name) => name.includes('librecall'));
const manifestOf = (path) => JSON.parse(execFileSync('tar', ['-xzOf', path, 'package/package.json']));
const manifests = archives.map((name) => [manifestOf(join(packages, name)), join(packages, name)]);
const [launcher] = manifests.map(([manifest]) => manifest).filter((manifest) => manifest.bin);

function npm(directory, ...words) {
  mkdirSync(directory, {recursive: true});
  return execFileSync('npm', words, {cwd: directory, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit']});
}

const offline = join(home, 'offline');
const installed = join(offline, 'node_modules', ...launcher.name.split('/'));
const binary = join(offline, 'node_modules/.bin/recall');

// A registry with these packages and no others, and what it was asked for.
async function startRegistry() {
  const asked = [];
  const server = createServer((request, response) => {
    const url = decodeURIComponent(request.url).slice(1);
    asked.push(url);
    const found = manifests.find(([manifest, path]) => manifest.name === url || path.endsWith(`/${url}`));
    if (!found) return response.writeHead(404).end();
    const [manifest, path] = found;
    const bytes = readFileSync(path);
    if (url.endsWith('.tgz')) return response.end(bytes);
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const tarball = `${registry}/${path.split('/').at(-1)}`;
    const version = {...manifest, dist: {integrity, tarball}};
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({
      name: manifest.name, 'dist-tags': {latest: manifest.version}, versions: {[manifest.version]: version},
    }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const registry = `http://127.0.0.1:${server.address().port}`;
  return {asked, registry, stop: () => server.close()};
}

async function finished(child) {
  const texts = {stdout: '', stderr: ''};
  for (const name of Object.keys(texts)) child[name].on('data', (data) => (texts[name] += data));
  const [status, signal] = await new Promise((resolve) => child.on('close', (...how) => resolve(how)));
  return {status, signal, ...texts};
}

test('the packages have no scripts, and fit their machines', () => {
  assert.equal(manifests.length, 1 + Object.keys(launcher.optionalDependencies).length);
  for (const [manifest, path] of manifests) {
    assert.equal(manifest.scripts, undefined);
    assert.equal(manifest.version, launcher.version);
    assert.equal(manifest.license, 'Apache-2.0');
    const members = execFileSync('tar', ['-tzf', path], {encoding: 'utf8'});
    assert.match(members, /^package\/LICENSE$/m);
    if (manifest.bin) continue;
    assert.equal(launcher.optionalDependencies[manifest.name], manifest.version);
    assert.match(manifest.name, new RegExp(`^@[a-z-]+/(lib)?recall-${manifest.os}-${manifest.cpu}$`));
  }
});

test('npm installs the files offline, without scripts', () => {
  npm(offline, 'install', '--offline', ...files);
  assert.ok(existsSync(binary));
  assert.equal(npm(offline, 'exec', '--offline', '--', 'recall', 'version'),
    execFileSync(program, ['version'], {encoding: 'utf8'}));
});

test('npm installs the files for the user offline, and removes them', () => {
  const prefix = join(home, 'prefix');
  const where = ['--global', '--prefix', prefix];
  npm(home, 'install', ...where, '--offline', ...files);
  assert.equal(execFileSync(join(prefix, 'bin/recall'), ['version'], {env, encoding: 'utf8'}),
    execFileSync(program, ['version'], {encoding: 'utf8'}));
  npm(home, 'uninstall', ...where, launcher.name, ...Object.keys(launcher.optionalDependencies));
  assert.ok(!existsSync(join(prefix, 'bin/recall')));
  assert.ok(!existsSync(join(prefix, 'lib/node_modules', launcher.name)));
});

test('answers, errors, streams and exit codes are those of the program', () => {
  const notes = join(home, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'pond.md'), 'A heron stands at the pond.\n');
  execFileSync(program, ['init', '--quiet'], {cwd: notes});
  execFileSync(program, ['add', '.', '--quiet'], {cwd: notes});
  const request = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  const calls = [[['search', 'heron', '--stable']], [['get', 'nothing.md']], [['search', '--no-such-option']],
    [['stats', '--store', '/nonexistent']], [['mcp'], request], [['help', 'search', 'with space', '']]];
  const statuses = new Set();
  for (const [words, input] of calls) {
    const options = {cwd: notes, input, encoding: 'utf8', env: {...env, RECALL_STABLE: '1'}};
    const pick = ({status, signal, stdout, stderr}) => ({status, signal, stdout, stderr});
    const expected = pick(spawnSync(program, words, options));
    assert.deepEqual(pick(spawnSync(binary, words, options)), expected, words.join(' '));
    statuses.add(expected.status);
  }
  assert.ok(statuses.size >= 4, `exit codes ${[...statuses]}`);
});

test('signals reach the program, and its end is that of the launcher', async () => {
  const notes = join(home, 'notes');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    const outcomes = [];
    for (const start of [program, binary]) {
      const words = ['serve', '--http', '0', '--socket', join(home, `${signal}.sock`), '--store', notes];
      const child = spawn(start, words, {env, stdio: ['ignore', 'pipe', 'pipe']});
      await new Promise((resolve) => createInterface({input: child.stdout}).once('line', resolve));
      child.kill(signal);
      const {status, signal: by} = await finished(child);
      outcomes.push({status, by});
    }
    assert.deepEqual(outcomes[1], outcomes[0], signal);
  }
});

test('the launcher of a machine without a program says so in a line', () => {
  const other = join(home, 'other.cjs');
  writeFileSync(other, "Object.defineProperty(process, 'platform', {value: 'darwin'});\n");
  const refused = spawnSync('node', ['-r', other, join(installed, 'launcher.js'), 'version'], {env, encoding: 'utf8'});
  assert.equal(refused.status, 127);
  assert.match(refused.stderr, /^recall: \S+ \S+ has no program for darwin-\w+, only for linux-x64.*\n$/);
});

test('without the optional package the launcher says what to install', () => {
  const without = join(home, 'without');
  npm(without, 'install', '--offline', '--omit=optional', main);
  const refused = spawnSync(join(without, 'node_modules/.bin/recall'), ['version'], {env, encoding: 'utf8'});
  assert.equal(refused.status, 127);
  assert.match(refused.stderr, /^recall: the package \S+-linux-x64 is not installed; [^\n]+ without --omit=optional\.[^\n]*\n$/);
});

test('programs find the path of the program', () => {
  const words = ['-p', `require('${launcher.name}').programPath()`];
  const path = execFileSync('node', words, {cwd: offline, encoding: 'utf8'}).trim();
  assert.deepEqual(readFileSync(path), readFileSync(program));
});

test(hasLibrary ? 'programs open stores by the library' : 'without a library, the functions say so', () => {
  const script = `import {open} from '${launcher.name}';
    const store = await open(process.argv[1], {create: true});
    await store.addText('pond', 'A heron stands at the pond.');
    await store.addFiles(process.argv[2]);
    console.log((await store.search('heron', {k: 1}))[0].path, (await store.search('grebe', {k: 1}))[0].text);
    await store.close();`;
  const page = join(offline, 'page.html');
  writeFileSync(page, '<html><body><main><p>A grebe carries its young.</p></main></body></html>');
  const words = ['--input-type=module', '-e', script, join(offline, 'made.db'), page];
  const {status, stdout, stderr} = spawnSync('node', words, {cwd: offline, env, encoding: 'utf8'});
  if (hasLibrary) {
    assert.deepEqual({status, stdout, stderr}, {status: 0, stdout: 'pond A grebe carries its young.\n', stderr: ''});
  } else {
    assert.equal(status, 1);
    assert.match(stderr, /has no library for linux-x64/);
  }
});

test('a registry gives the packages that fit', async () => {
  const {asked, registry, stop} = await startRegistry();
  const prefix = join(home, 'global');
  // An empty cache: the packages above are in the other one.
  const options = ['--global', '--prefix', prefix, '--registry', registry, '--cache', join(home, 'empty')];
  const done = await finished(spawn('npm', ['install', launcher.name, ...options], {env}));
  stop();
  assert.equal(done.status, 0, done.stderr);
  const tarballs = asked.filter((url) => url.endsWith('.tgz'));
  assert.deepEqual(tarballs.sort(), here);
  const {status, stdout} = spawnSync(join(prefix, 'bin/recall'), ['version'], {env, encoding: 'utf8'});
  assert.deepEqual({status, stdout}, {status: 0, stdout: execFileSync(program, ['version'], {encoding: 'utf8'})});
  assert.ok(existsSync(join(prefix, 'share/man/man1/recall.1')), 'manual pages are linked');
});
