// Source code on the page of `recall serve`, in a browser: colours, line numbers, outline, and what names mean.
// The answers of the server are the oracles; it knows definitions if it was built with the grammars.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test as anyTest } from 'node:test';
import { axeFindings, becomes, hides, launch, makeStore, openTab, Server, shows, textOf, textsOf } from './rig.mjs';

const PRELUDE = ['#include <string>', '/* A comment that is', ...Array.from({ length: 300 }, (_, i) => `   open in line ${i + 3}`), '*/'];
const STORE_CC = [
  ...PRELUDE, 'namespace db {', '', 'class Store {', ' public:', '  int Commit(int heron);', '};', '',
  '// <img src=x onerror="window.hacked = 1"> & "quotes"', 'int Store::Commit(int heron) {',
  '  const char* text = "</span><script>window.hacked = 2</script>";', '  return heron + 42;', '}', '',
  'int CommitTwice(Store& store) {', '  return store.Commit(1) + store.Commit(2);', '}', '', '}  // namespace db', '',
];
const COMMIT = 1 + STORE_CC.indexOf('int Store::Commit(int heron) {'); // the line of a definition
const LONG = Array.from({ length: 20_000 }, (_, i) => (i % 100 === 0 ? `int long_${i}(int a) {` : i % 100 === 99 ? '}' : `  a += ${i}; // heron`));
const FILES = {
  'src/store.cc': STORE_CC.join('\n'),
  'src/other.cc': '#include "store.cc"\n\nint Other(db::Store& it) {\n  return it.Commit(3);\n}\n',
  'src/long.cc': `${LONG.join('\n')}\n`,
  'src/plain.sql': '-- no grammar knows this\nSELECT walrus FROM zoo;\nSELECT walrus, seal FROM zoo;\n',
  'src/wild.js': 'const a = `x ${b + "<b>"} \\`` + /["]/ // \u202eheron\n"no end <i>\nlet 😀 = "heron" /* open\n',
  "src/it's a.cc": 'int Quoted(int a) {\n  return a;\n}\n',
  'docs/heron.md': '# Heron\n\nNo code: const walrus.\n',
};

const test = (name, run) => anyTest(name, { timeout: 600_000 }, run);

let browser;
let directory;
let server;

before(async () => {
  directory = makeStore(FILES);
  server = await Server.start(directory, ['--http', '0']);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

async function openDocument(t, target, { size = { width: 1400, height: 800 }, more = {} } = {}) {
  const tab = await openTab(browser, t, size);
  await tab.goto(`${server.url}/#${new URLSearchParams({ doc: target, ...more })}`);
  await shows(tab, '.line');
  return tab;
}

const symbolsOf = async (path) => (await server.run('symbols', { name: '*', filter: `doc.path = '${path}'`, k: 3000 })).results;
const hasGrammar = async () => (await symbolsOf('src/store.cc')).length > 0;
const inLine = (number, kind) => `.line[data-number="${number}"] .code-${kind}`;
const isColoured = (tab, number) => shows(tab, `.line[data-number="${number}"] [class^="code-"]`);
const docOf = (tab) => tab.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('doc'));
const nameOf = (tab) => tab.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('name'));

test('code has colours, and what is in it stays text', async (t) => {
  const tab = await openDocument(t, `src/store.cc:${COMMIT}-${COMMIT + 3}`);
  await isColoured(tab, COMMIT);
  assert.equal(await textOf(tab, inLine(COMMIT - 1, 'comment')), '// <img src=x onerror="window.hacked = 1"> & "quotes"');
  assert.equal(await textOf(tab, inLine(COMMIT + 1, 'string')), '"</span><script>window.hacked = 2</script>"');
  assert.deepEqual(await textsOf(tab, inLine(COMMIT + 1, 'keyword')), ['const', 'char']);
  assert.deepEqual(await textsOf(tab, inLine(COMMIT + 2, 'number')), ['42']);
  const lines = await tab.$$eval('.line', (all) => all.map((line) => [Number(line.dataset.number), line.querySelector('.text').textContent]));
  for (const [number, text] of lines) assert.equal(text, STORE_CC[number - 1]);
  assert.equal(await tab.evaluate(() => document.querySelectorAll('.lines img, .lines script').length), 0);
  assert.equal(await tab.evaluate(() => window.hacked), undefined);
});

test('a comment that was opened far above has its colour', async (t) => {
  const tab = await openDocument(t, 'src/store.cc:200-200');
  await isColoured(tab, 200);
  assert.equal(await textOf(tab, inLine(200, 'comment')), STORE_CC[199]);
  await tab.$eval('#more-above', (button) => button.click());
  await shows(tab, '.line[data-number="60"]');
  await tab.$eval('.line[data-number="60"]', (line) => line.scrollIntoView({ block: 'center' }));
  await isColoured(tab, 60);
  assert.equal(await textOf(tab, inLine(60, 'comment')), STORE_CC[59]);
});

test('what no compiler takes is shown as it is', async (t) => {
  const tab = await openDocument(t, 'src/wild.js:1-3');
  await isColoured(tab, 1);
  assert.deepEqual(await textsOf(tab, '.line .text'), FILES['src/wild.js'].split('\n').slice(0, 3));
  assert.deepEqual(await textsOf(tab, '.line .control'), ['\u202e']);
  assert.equal(await tab.evaluate(() => document.querySelectorAll('.lines b, .lines i').length), 0);
});

test('marks of a result keep their place among the colours', async (t) => {
  const tab = await openTab(browser, t);
  await tab.goto(`${server.url}/#q=heron&filter=${encodeURIComponent("doc.path = 'src/store.cc'")}`);
  await shows(tab, '.hit');
  const { snippet } = (await server.run('search', { query: 'heron', filter: "doc.path = 'src/store.cc'", k: 1, snippet: 360 })).results[0];
  const bytes = Buffer.from(snippet.text);
  await tab.click('.hit .cite');
  await shows(tab, '.line.cited [class^="code-"]');
  const marked = snippet.highlights.map(({ start, end }) => bytes.subarray(start, end).toString());
  assert.ok(marked.length > 0);
  assert.deepEqual(await textsOf(tab, '.line mark'), marked);
});

test('of a long file only what is seen is coloured, at once and where one goes', async (t) => {
  const tab = await openDocument(t, 'src/long.cc:1-20000');
  await isColoured(tab, 2);
  const counts = () => tab.evaluate(() => [document.querySelectorAll('.line').length, [...document.querySelectorAll('.line')].filter((line) => line.querySelector('[class^="code-"]')).length]);
  const [shown, coloured] = await counts();
  assert.ok(shown <= 1100 && coloured < 200, `${shown} ${coloured}`);
  await tab.$eval('.line:last-child', (line) => line.scrollIntoView());
  await shows(tab, '.line:last-child [class^="code-"]');
  const [, then] = await counts();
  assert.ok(then < 400, `${then}`);
  // Its end: all lines before are read for it.
  const end = await openDocument(t, 'src/long.cc:19990-19990');
  await isColoured(end, 19990);
  assert.equal(await textOf(end, inLine(19990, 'comment')), '// heron');
});

test('a line number cites its line, and is not copied', async (t) => {
  const tab = await openDocument(t, `src/store.cc:${COMMIT}-${COMMIT}`);
  await isColoured(tab, COMMIT);
  const before = await tab.$$('.line');
  const number = `.line[data-number="${COMMIT + 2}"] .number`;
  assert.equal(await tab.$eval(number, (link) => new URLSearchParams(link.getAttribute('href').slice(1)).get('doc')), `src/store.cc:${COMMIT + 2}-${COMMIT + 2}`);
  assert.equal(await tab.$eval(number, (link) => link.getAttribute('aria-label')), `Line ${COMMIT + 2}`);
  const top = () => tab.$eval(`.line[data-number="${COMMIT}"]`, (line) => line.getBoundingClientRect().top);
  const at = await top();
  await tab.$eval(number, (link) => link.click());
  assert.equal(await docOf(tab), `src/store.cc:${COMMIT + 2}-${COMMIT + 2}`);
  assert.deepEqual(await textsOf(tab, '.line.cited .text'), [STORE_CC[COMMIT + 1]]);
  assert.equal(await top(), at, 'the text stays where it is');
  assert.equal((await tab.$$('.line')).length, before.length);
  await tab.browserContext().overridePermissions(server.url, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
  await tab.waitForNetworkIdle({ idleTime: 100 });
  await tab.click('#copy-citation');
  await becomes(tab, () => document.getElementById('toast').textContent, 'Citation copied');
  assert.equal(await tab.evaluate(() => navigator.clipboard.readText()), (await server.run('get', { target: await docOf(tab), cite: true })).get.cite);
  await tab.evaluate(() => history.back());
  await becomes(tab, () => [...document.querySelectorAll('.line.cited .text')].map((line) => line.textContent), [STORE_CC[COMMIT - 1]]);
  // The keys lead from number to number.
  await tab.focus(`.line[data-number="${COMMIT}"] .number`);
  await tab.keyboard.press('ArrowDown');
  await tab.keyboard.press('Enter');
  await becomes(tab, () => document.querySelector('.line.cited').dataset.number, String(COMMIT + 1));
  const selected = await tab.evaluate((first) => {
    getSelection().setBaseAndExtent(document.querySelector(`.line[data-number="${first}"]`), 0, document.querySelector(`.line[data-number="${first + 3}"]`), 0);
    return getSelection().toString();
  }, COMMIT);
  assert.deepEqual(selected.split('\n').filter(Boolean), STORE_CC.slice(COMMIT - 1, COMMIT + 2));
});

test('the outline has the definitions, nested, and follows what is in view', async (t) => {
  const tab = await openDocument(t, `src/store.cc:${COMMIT}-${COMMIT + 3}`);
  await isColoured(tab, COMMIT);
  const symbols = await symbolsOf('src/store.cc');
  if (symbols.length === 0) return hides(tab, '#outline');
  await shows(tab, '.outline-link');
  assert.deepEqual(await tab.$$eval('.outline-link', (all) => all.map((link) => link.firstChild.textContent).sort()), symbols.map(({ name }) => name).sort());
  assert.match(await textOf(tab, '#outline-title'), new RegExp(`: ${symbols.length} definitions$`));
  // `Commit` is within `Store`, which is within `db`.
  const above = await tab.$$eval('.outline-link', (all) => [...new Set(all.filter((link) => link.firstChild.textContent === 'Commit')
    .map((link) => link.closest('ol').closest('li').querySelector('.outline-link').firstChild.textContent))]);
  assert.deepEqual(above, ['Store']);
  await becomes(tab, () => document.querySelector('.outline [aria-current]')?.firstChild.textContent, 'Commit');
  await becomes(tab, (line) => [...document.querySelectorAll(`.line[data-number="${line}"] .code-definition`)].map((name) => name.textContent), ['Commit'], COMMIT);
  // To a definition by its link, and to its neighbours by keys.
  await tab.$$eval('.outline-link', (all) => all.find((link) => link.firstChild.textContent === 'CommitTwice').click());
  await becomes(tab, () => document.querySelector('.line.cited .text').textContent, 'int CommitTwice(Store& store) {');
  await becomes(tab, () => document.querySelector('.outline [aria-current]')?.firstChild.textContent, 'CommitTwice');
  await tab.keyboard.press('[');
  await becomes(tab, () => document.querySelector('.outline [aria-current]')?.firstChild.textContent, 'Commit');
  await tab.keyboard.press(']');
  await becomes(tab, () => document.querySelector('.outline [aria-current]')?.firstChild.textContent, 'CommitTwice');
  await tab.keyboard.press('o');
  await becomes(tab, () => document.activeElement.firstChild?.textContent, 'CommitTwice');
  await tab.keyboard.press('Home');
  await becomes(tab, () => document.activeElement.firstChild?.textContent, 'db');
  await tab.keyboard.press('u');
  await shows(tab, '#definitions li');
  assert.equal(await textOf(tab, '#uses-title'), 'db');
});

test('a path with a quote has an outline', async (t) => {
  const tab = await openDocument(t, "src/it's a.cc:1-1");
  if (!(await hasGrammar())) return;
  await shows(tab, '.outline-link');
  assert.deepEqual(await tab.$$eval('.outline-link', (all) => all.map((link) => link.firstChild.textContent)), ['Quoted']);
});

test('a name leads to its definitions and references', async (t) => {
  const call = 4; // of src/other.cc: return it.Commit(3);
  const tab = await openDocument(t, `src/other.cc:${call}-${call}`);
  await isColoured(tab, call);
  await tab.$$eval(`.line[data-number="${call}"] .code-name`, (names) => names.find((name) => name.textContent === 'Commit').click());
  await shows(tab, '#uses');
  assert.equal(await nameOf(tab), 'Commit');
  await shows(tab, '#use-list li');
  const { results } = await server.run('symbols', { name: 'Commit', references: true, k: 50 });
  if (!(await hasGrammar())) return;
  assert.deepEqual(await textsOf(tab, '#use-list code'), results.map(({ text }) => text));
  assert.deepEqual(await tab.$$eval('#use-list .use', (links) => links.map((link) => link.dataset.doc)), results.map(({ doc, line }) => `${doc.path}:${line}-${line}`));
  const definitions = (await server.run('symbols', { name: 'Commit' })).results;
  assert.equal((await tab.$$('#definitions li')).length, definitions.length);
  assert.ok((await textsOf(tab, '#definitions strong')).every((name) => name === 'db > Store > Commit'));
  // To the definition; the list stays.
  await tab.$$eval('#definitions .use', (links, line) => links.find((link) => link.dataset.doc.startsWith(`src/store.cc:${line}-`)).click(), COMMIT);
  await becomes(tab, () => document.querySelector('.line.cited .text')?.textContent, STORE_CC[COMMIT - 1]);
  assert.equal(await nameOf(tab), 'Commit');
  await shows(tab, '#definitions [aria-current]');
  await tab.click('[data-uses="callers"]');
  const callers = (await server.run('symbols', { name: 'Commit', callers: true })).results;
  await becomes(tab, () => [...document.querySelectorAll('#use-list strong')].map((name) => name.textContent).sort(),
    callers.map(({ symbol }) => [symbol.scope, symbol.name].filter(Boolean).join(' > ')).sort());
  await tab.keyboard.press('Escape');
  await hides(tab, '#uses');
  await shows(tab, '#document');
  await tab.evaluate(() => history.back());
  await shows(tab, '#uses');
  await tab.reload();
  await shows(tab, '#definitions li');
});

test('the name of a definition means that one alone', async (t) => {
  if (!(await hasGrammar())) return;
  const tab = await openDocument(t, `src/store.cc:${COMMIT}-${COMMIT}`);
  await tab.waitForSelector(inLine(COMMIT, 'definition'));
  await tab.click(inLine(COMMIT, 'definition'));
  await becomes(tab, () => document.getElementById('uses-title').textContent, 'db > Store > Commit');
});

test('the keys lead from name to name', async (t) => {
  const tab = await openDocument(t, 'src/other.cc:3-3');
  await isColoured(tab, 3);
  const names = await tab.$$eval('.line .code-name, .line .code-definition', (all) => all.map((name) => name.textContent));
  await tab.keyboard.press('w');
  assert.equal(await tab.evaluate(() => document.activeElement.textContent), names[0]);
  await tab.keyboard.press('w');
  await tab.keyboard.press('w');
  assert.equal(await tab.evaluate(() => document.activeElement.textContent), names[2]);
  await tab.keyboard.press('b');
  assert.equal(await tab.evaluate(() => document.activeElement.textContent), names[1]);
  assert.equal(await tab.evaluate(() => document.activeElement.getAttribute('role')), 'button');
  await tab.keyboard.press('Enter');
  await shows(tab, '#uses');
  assert.ok((await nameOf(tab)).endsWith(names[1]));
});

test('without definitions the lines with the word are listed, and there is no outline', async (t) => {
  const tab = await openDocument(t, 'src/plain.sql:1-3');
  await isColoured(tab, 2);
  assert.deepEqual(await textsOf(tab, inLine(2, 'keyword')), ['SELECT', 'FROM']);
  await tab.waitForNetworkIdle({ idleTime: 100 });
  await hides(tab, '#outline');
  await tab.$$eval(inLine(2, 'name'), (names) => names.find((name) => name.textContent === 'walrus').click());
  await becomes(tab, () => [...document.querySelectorAll('#use-list code')].map((line) => line.textContent), ['SELECT walrus FROM zoo;', 'SELECT walrus, seal FROM zoo;']);
  assert.equal(await textOf(tab, '#definitions-status'), 'No definition is known');
  await tab.click('#use-list li:nth-child(2) .use');
  await becomes(tab, () => document.querySelector('.line.cited').dataset.number, '3');
});

test('documents that are no code have line numbers, and neither colours nor an outline', async (t) => {
  const tab = await openDocument(t, 'docs/heron.md:1-3', { more: { as: 'source' } });
  await tab.waitForNetworkIdle({ idleTime: 100 });
  await hides(tab, '#outline');
  assert.equal((await tab.$$('.line [class^="code-"]')).length, 0);
  await tab.click('.line[data-number="3"] .number');
  await becomes(tab, () => document.querySelector('.line.cited').dataset.number, '3');
});

test('code is no wider than a telephone, and can be scrolled there', async (t) => {
  const tab = await openDocument(t, `src/store.cc:${COMMIT}-${COMMIT + 3}`, { size: { width: 360, height: 740 }, more: { name: 'Commit' } });
  await shows(tab, '#use-list li');
  const wide = await tab.evaluate(() => [...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 0.5).map((element) => `${element.tagName}.${element.className}`));
  assert.deepEqual(wide, []);
  const { bottom } = await tab.$eval('#uses', (uses) => uses.getBoundingClientRect().toJSON());
  assert.ok(bottom <= 740.5, `${bottom}`);
  assert.ok(await tab.$eval('#document', (scroller) => scroller.scrollHeight > scroller.clientHeight && scroller.clientHeight <= 740));
});

test('code passes the accessibility rules, light and dark', async (t) => {
  for (const scheme of ['light', 'dark']) {
    const tab = await openTab(browser, t, { width: 1400, height: 800 });
    await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await tab.goto(`${server.url}/#${new URLSearchParams({ doc: `src/store.cc:${COMMIT}-${COMMIT + 3}`, name: 'Commit' })}`);
    await shows(tab, '#use-list li');
    await isColoured(tab, COMMIT);
    assert.deepEqual(await axeFindings(tab), [], scheme);
  }
});
