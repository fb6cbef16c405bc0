// The page of `recall serve`, in a browser, against the real server. The answers of the server over
// its Unix socket, and the files of the store, are the oracles.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { after, before, test as anyTest } from 'node:test';
import {
  addTo, axeFindings, becomes, emulateScheme, hides, launch, makeStore, openTab, recall, Server, shows, textOf, textsOf, widerThanWindow,
} from './rig.mjs';

const TOKEN = '0123456789abc/ef+%';
const RLO = '\u202e';
const LINES = Array.from({ length: 500 }, (_, i) => `${i + 1}: the ${i === 249 ? 'lighthouse' : `stone${i}`} of the pier`);
const HOSTILE = [
  'quagmire <img src="/x" onerror="window.hacked = 1"> and </script><script>window.hacked = 2</script>',
  '<svg onload="window.hacked = 3"> <iframe src="javascript:window.hacked = 4"></iframe> &lt;b&gt; {{1}}',
  `access${RLO}level and \u2066user\u2069, a bell \u0007 here`,
].join('\n');
const FILES = {
  'docs/birds.md': '# Birds\n\n## Herons\n\nThe heron stands at the pond and waits for fish.\n\n## Owls\n\nThe owl hunts at night.\n',
  'docs/ponds.md': '# Ponds\n\nA pond without a heron has more fish. The heron likes the pond.\n',
  'docs/words.md': '# Wörter\n\nGrüße 🐦🐦: der Fischreiher steht im Fluß – naïve Ωmega Fischreiher.\n\n全文検索エンジンは検索の道具です。\n',
  'docs/pier.txt': `${LINES.join('\n')}\n`,
  'docs/wide.txt': `wideword ${'x'.repeat(3000)}\n`,
  'src/merge.cc': 'int Merge(int heron) {\n\treturn heron + 1;\n}\n',
  '<b onclick=alert(1)>.md': HOSTILE,
  ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`many/${i}.md`, `# Cliff ${i}\n\nGannet number ${i} at cliff ${i * i}.\n`])),
};

const test = (name, run) => anyTest(name, { timeout: 600_000 }, run);

let browser;
let directory;
let server;
let notes; // a store of notes
let reader; // its server, which may not write
let talks; // a store of sessions
let talker; // its server

const HOSTILE_TITLE = '<img src=x onerror=alert(1)> \u202etitle';

function makeNotes() {
  const store = makeStore({ 'docs/forms.md': '# Forms\n\nA heron fills in forms.\n' });
  const save = (title, id, ...more) => recall(store, 'save', 'lesson', title, '--id', id, '--text', `A heron. ${id}`,
    '--at', '2026-01-01', ...more);
  save('One outline', 'outline', '--tag', 'css', '--when', 'a new input component', '--summary', 'Focus is one outline.');
  save('Buttons', 'buttons', '--link', 'supports=outline');
  save(HOSTILE_TITLE, 'hostile', '--link', 'contradicts=outline');
  save('Far away', 'far', '--link', 'related=buttons');
  save('Hidden quagga', 'hidden', '--private', '--link', 'related=outline');
  recall(store, 'link', 'outline', 'docs/forms.md', '--as', 'derived_from', '--weight', '0.5');
  recall(store, 'save', 'preference', 'To nowhere', '--id', 'gone', '--text', 'x', '--quiet');
  recall(store, 'link', 'outline', 'gone');
  recall(store, 'rm', 'notes/gone.md', '--quiet');
  return store;
}

const SESSION = '0d6c5f1a-1111-4222-8333-444455556666';
const TALK = `sessions/claude-code/${SESSION}`;
const HUGE = `${'a long line of output that nobody reads\n'.repeat(10_000)}at last a walrusneedle\n${'and more of it\n'.repeat(20_000)}`;
const FENCED = 'Use this:\n\n```go\nfunc renew() {}\n```\nand nothing else, **please**.';
const SAID = Array.from({ length: 400 }, (_, i) => `${i % 2 ? 'The answer' : 'The question'} number ${i} about pottery.`);
const UNEVEN = Array.from({ length: 700 }, (_, i) => ((i < 400 ? i % 40 === 0 : i % 40 < 30) ? 'human' : 'assistant'));
SAID[0] = 'Why does the login fail?';
SAID[41] = FENCED;
SAID[60] = HOSTILE;
SAID[61] = 'See [this](javascript:window.hacked=5) and <https://example.com/x> \n## 7 human 2026-01-01T00:00:00Z\n[tool] Bash $ rm';
SAID[100] = HUGE;
SAID[250] = 'Where is the lighthouse keeper?';
const HOSTILE_CALL = '</li><img src=/x onerror="window.hacked=6"> \u202e';

// A transcript of Claude Code. The turns from 300 on have no uses of tools and no time.
function makeTalks() {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'recall-page-'));
  const use = (name, input, i) => ({ type: 'tool_use', id: `${name}${i}`, name, input });
  const lines = SAID.map((text, i) => {
    const role = i % 2 ? 'assistant' : 'user';
    const content = [{ type: 'text', text }];
    if (i % 2 && i < 300) content.push(use('Edit', { file_path: `/home/ada/app/src/a${i}.go` }, i), use('Bash', { command: `go test ${i === 61 ? HOSTILE_CALL : './...'}` }, i));
    const timestamp = i < 300 ? new Date(Date.UTC(2026, 1, 25, 10, 0, i)).toISOString() : undefined;
    return JSON.stringify({ type: role, uuid: `u${i}`, sessionId: SESSION, timestamp, cwd: '/home/ada/app', gitBranch: 'main',
      message: { id: `m${i}`, role, model: 'claude-x', content } });
  });
  fs.writeFileSync(path.join(store, `${SESSION}.jsonl`), `${lines.join('\n')}\n`);
  const others = [1, 2].map((i) => JSON.stringify({ session: `other${i}`, role: 'human', text: `Other ${i}: the heron session.`, at: `2026-02-2${i}T10:00:00Z` }));
  // Who speaks when is uneven in this one, and the turns of the other one have a megabyte each.
  const line = (session, i, role, text) => JSON.stringify({ session, role, text, at: new Date(Date.UTC(2025, 1, 1, 0, 0, i)).toISOString() });
  for (let i = 0; i < UNEVEN.length; ++i) others.push(line('uneven', i, UNEVEN[i], `Uneven ${i}.`));
  for (let i = 0; i < 9; ++i) others.push(line('wide', i, i % 2 ? 'assistant' : 'human', `Wide ${i}. ${'many words '.repeat(90_000)}`));
  fs.writeFileSync(path.join(store, 'others.jsonl'), `${others.join('\n')}\n`);
  recall(store, 'init');
  recall(store, 'capture', '--quiet', `${SESSION}.jsonl`, 'others.jsonl');
  // One that led to a commit.
  const git = (...args) => execFileSync('git', ['-c', 'user.name=Ada', ...args], { cwd: store, stdio: 'ignore' });
  git('init', '-q', '-b', 'trunk');
  git('config', 'user.email', 'ada@example.com');
  git('commit', '-q', '--allow-empty', '-m', 'x');
  fs.writeFileSync(path.join(store, 'commit.jsonl'), `${JSON.stringify({ session: 'committed', role: 'human', text: 'Commit the ibis.', at: '2024-01-01T00:00:00Z', cwd: store, parent: 'uneven' })}\n`);
  recall(store, 'capture', '--quiet', '--commit', 'HEAD', 'commit.jsonl');
  return store;
}

before(async () => {
  talks = makeTalks();
  talker = await Server.start(talks, ['--http', '0']);
  notes = makeNotes();
  reader = await Server.start(notes, ['--http', '0']);
  directory = makeStore(FILES);
  server = await Server.start(directory, ['--http', '0']);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await reader?.stop();
  await talker?.stop();
  fs.rmSync(directory, { recursive: true, force: true });
  fs.rmSync(notes, { recursive: true, force: true });
  fs.rmSync(talks, { recursive: true, force: true });
});

// A text of Markdown without the marks of its headings and without blank lines, as excerpts show it.
const withoutMarkdown = (text) => text.replace(/^#+ /gm, '').replace(/\n+/g, '\n').trim();

// The names of the files of the results, in their order.
const paths = (tab) => textsOf(tab, '.hit .path');
const isFocused = (selector) => document.activeElement === document.querySelector(selector);

async function openPage(t, fragment = '', size = {}, of = server) {
  const tab = await openTab(browser, t, size);
  await tab.goto(`${of.url}/${fragment}`);
  return tab;
}

async function pathsOfServer(body, of = server) {
  return (await of.run('search', { k: 15, ...body })).results.map(({ doc }) => doc.path);
}

// Waits for the results that the server gives for a query.
async function showsResultsFor(tab, body, of = server) {
  const expected = await pathsOfServer(body, of);
  assert.ok(expected.length > 0);
  await becomes(tab, () => [...document.querySelectorAll('.hits:not(.stale) .path')].map((place) => place.textContent), expected);
}

const allowClipboard = (tab) => tab.browserContext().overridePermissions(server.url,
  ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);

async function type(tab, selector, text) {
  await tab.click(selector, { count: 3 });
  await tab.type(selector, text);
}

test('typing finds, and the address holds what is asked', async (t) => {
  const tab = await openPage(t);
  await shows(tab, '#intro');
  await tab.type('#query', 'heron pond');
  await showsResultsFor(tab, { query: 'heron pond' });
  await hides(tab, '#intro');
  assert.equal(await tab.evaluate(() => location.hash), '#q=heron+pond');
  const { results, stats } = await server.run('search', { query: 'heron pond', k: 15, snippet: 360 });
  assert.match(await textOf(tab, '#status'), new RegExp(`^${results.length} of ${stats.total_hits} results`));
  assert.deepEqual(await textsOf(tab, '.hit .score'), results.map(({ score }) => score.toFixed(3)));
  assert.deepEqual((await textsOf(tab, '.hit .snippet')).map(withoutMarkdown), results.map(({ snippet }) => withoutMarkdown(snippet.text)));
  assert.deepEqual(await textsOf(tab, '.hit .heading'), results.map(({ chunk }) => chunk.heading).filter(Boolean));
  await type(tab, '#query', 'zzz');
  await tab.waitForFunction(() => document.querySelector('.hits:not(.stale)') && !document.querySelector('.hits .cite'));
});

test('more results, to the last', async (t) => {
  const tab = await openPage(t, '#q=gannet');
  await showsResultsFor(tab, { query: 'gannet' });
  const { results } = await server.run('search', { query: 'gannet', k: 100 });
  assert.ok(results.length > 30 && results.length <= 45);
  for (const shown of [30, 45]) {
    await tab.click('#more-hits');
    await becomes(tab, () => [...document.querySelectorAll('.hit .path')].map((place) => place.textContent),
      results.slice(0, shown).map(({ doc }) => doc.path));
  }
  await hides(tab, '#more-hits');
  assert.match(await textOf(tab, '#status'), new RegExp(`^${results.length} of ${results.length} results`));
});

test('an answer that comes too late is not shown, and its request is cancelled', async (t) => {
  const tab = await openPage(t);
  await tab.setRequestInterception(true);
  let held;
  const isHeld = new Promise((resolve) => {
    tab.on('request', (request) => {
      if (!held && request.url().endsWith('/v1/search')) resolve((held = request));
      else request.continue();
    });
  });
  await tab.type('#query', 'heron');
  await isHeld;
  // Others may be cancelled, too, such as the list of the first screen.
  const failed = new Promise((resolve) => tab.on('requestfailed', (request) => request === held && resolve()));
  await type(tab, '#query', 'lighthouse');
  await showsResultsFor(tab, { query: 'lighthouse' });
  await failed;
  await held.continue().catch(() => {});
  await tab.waitForNetworkIdle({ idleTime: 200 });
  assert.deepEqual(await paths(tab), await pathsOfServer({ query: 'lighthouse' }));
});

test('a busy server is asked again', async (t) => {
  const tab = await openPage(t);
  await tab.setRequestInterception(true);
  let refused = 0;
  tab.on('request', (request) => {
    if (!request.url().endsWith('/v1/search') || refused === 2) return request.continue();
    refused += 1;
    request.respond({ status: refused === 1 ? 503 : 429, headers: { 'Retry-After': '0' }, body: '{"ok":false,"error":{"message":"busy"}}' });
  });
  await tab.type('#query', 'lighthouse');
  await showsResultsFor(tab, { query: 'lighthouse' });
  assert.equal(refused, 2);
});

test('a filter restricts the results, and its error is shown with the hint', async (t) => {
  const tab = await openPage(t, '#q=heron');
  await showsResultsFor(tab, { query: 'heron' });
  await tab.type('#filter', "doc.pth GLOB 'docs/**'");
  await shows(tab, '#filter-error');
  await becomes(tab, () => [...document.querySelectorAll('#filter-error p')].map((place) => place.textContent),
    ["unknown field 'doc.pth'", 'did you mean doc.path?']);
  assert.equal(await tab.$eval('#filter', (input) => input.getAttribute('aria-invalid')), 'true');
  await type(tab, '#filter', "doc.path GLOB 'src/**'");
  await showsResultsFor(tab, { query: 'heron', filter: "doc.path GLOB 'src/**'" });
  await hides(tab, '#filter-error');
  assert.deepEqual(await paths(tab), ['src/merge.cc']);
  assert.equal(await tab.$eval('#filter', (input) => input.getAttribute('aria-invalid')), 'false');
});

test('hostile documents are text', async (t) => {
  const tab = await openPage(t, '#q=quagmire');
  await showsResultsFor(tab, { query: 'quagmire' });
  const { results } = await server.run('search', { query: 'quagmire', k: 1, snippet: 360 });
  assert.ok(results[0].snippet.text.includes('<img src='));
  const asText = HOSTILE.replace('&lt;b&gt;', '<b>'); // of Markdown an entity is its character
  assert.ok(asText.startsWith((await textOf(tab, '.hit .snippet')).replace(/…$/, '')));
  await tab.click('.hit .cite');
  await becomes(tab, () => document.querySelector('#rendered p')?.textContent, asText);
  await tab.click('[data-as="source"]');
  await becomes(tab, () => [...document.querySelectorAll('.line .text')].map((line) => line.textContent), HOSTILE.split('\n'));
  await tab.click('#tab-context');
  await shows(tab, '.piece');
  assert.equal(await tab.evaluate(() => document.querySelectorAll('img, svg, iframe, b, body script').length), 0);
  assert.equal(await tab.evaluate(() => window.hacked), undefined);
});

test('characters that reorder text do nothing and are shown', async (t) => {
  const tab = await openPage(t, '#q=quagmire&as=source');
  await shows(tab, '.hit');
  await tab.click('.hit .cite');
  await shows(tab, '.line[data-number="3"]');
  assert.deepEqual(await tab.$$eval('.line[data-number="3"] .control', (spans) => spans.map((span) => [span.dataset.code, span.textContent])),
    [['U+202E', RLO], ['U+2066', '\u2066'], ['U+2069', '\u2069'], ['U+0007', '\u0007']]);
  // "level", after the override, is still written from left to right.
  const lefts = await tab.$eval('.line[data-number="3"] .text', (line) => {
    const text = [...line.childNodes].find((node) => node.textContent.startsWith('level'));
    return [0, 1, 2, 3, 4].map((i) => {
      const range = document.createRange();
      range.setStart(text, i);
      range.setEnd(text, i + 1);
      return range.getBoundingClientRect().left;
    });
  });
  assert.deepEqual(lefts, [...lefts].sort((a, b) => a - b));
  assert.equal(new Set(lefts).size, 5);
});

test('highlights are exact in text of several bytes a character', async (t) => {
  for (const [query, mark] of [['Fischreiher', 'Fischreiher'], ['検索', '検索'], ['Grüße', 'Grüße'], ['Ωmega', 'Ωmega']]) {
    const tab = await openPage(t, `#${new URLSearchParams({ q: query })}`);
    await showsResultsFor(tab, { query });
    const { snippet } = (await server.run('search', { query, k: 1, snippet: 360 })).results[0];
    const utf8 = Buffer.from(snippet.text);
    const expected = snippet.highlights.map(({ start, end }) => utf8.subarray(start, end).toString());
    assert.ok(expected.includes(mark), `${query}: ${expected}`);
    assert.deepEqual(await tab.$eval('.hit', (hit) => [...hit.querySelectorAll('mark')].map((place) => place.textContent)), expected);
    assert.equal(withoutMarkdown(await textOf(tab, '.hit .snippet')), withoutMarkdown(snippet.text));
    // The same places are marked in the document, as it is read and in its source.
    await tab.click('.hit .cite');
    await shows(tab, '#rendered .cited');
    assert.deepEqual(await textsOf(tab, '#rendered mark'), expected);
    await tab.click('[data-as="source"]');
    await shows(tab, '.line.cited');
    assert.deepEqual(await textsOf(tab, '.line mark'), expected);
  }
});

test('the keyboard alone suffices', async (t) => {
  const tab = await openPage(t, '#q=x');
  await tab.keyboard.press('Escape'); // leaves the field
  await tab.keyboard.press('/');
  assert.ok(await tab.evaluate(isFocused, '#query'));
  await tab.keyboard.type('heron');
  await showsResultsFor(tab, { query: 'heron' });
  await tab.keyboard.press('ArrowDown');
  assert.ok(await tab.evaluate(isFocused, '.hit:nth-child(1) .cite'));
  await tab.keyboard.press('j');
  assert.ok(await tab.evaluate(isFocused, '.hit:nth-child(2) .cite'));
  await tab.keyboard.press('ArrowUp');
  assert.ok(await tab.evaluate(isFocused, '.hit:nth-child(1) .cite'));
  await tab.keyboard.press('j');
  await tab.keyboard.press('Enter');
  await shows(tab, '#document .cited');
  assert.ok(await tab.evaluate(isFocused, '#document'));
  const second = (await server.run('search', { query: 'heron', k: 2, snippet: 360 })).results[1];
  assert.equal(await tab.$eval('#document-title .path', (place) => place.textContent), second.doc.path);
  await tab.keyboard.press('Escape');
  await hides(tab, '#document');
  assert.ok(await tab.evaluate(isFocused, '.hit:nth-child(2) .cite'));
  // Who goes on before the results are there is among them when they come.
  await tab.keyboard.press('/');
  await tab.keyboard.type('gannet');
  await tab.keyboard.press('ArrowDown');
  await showsResultsFor(tab, { query: 'gannet' });
  assert.ok(await tab.evaluate(isFocused, '.hit:nth-child(1) .cite'));
  await tab.keyboard.press('?');
  await shows(tab, '#help');
  await tab.keyboard.press('Escape');
  await hides(tab, '#help');
  await tab.keyboard.press('2');
  await shows(tab, '.piece');
  await tab.keyboard.press('1');
  await tab.keyboard.press('/');
  await tab.keyboard.press('Enter'); // in the field: the first result
  await shows(tab, '#document');
});

test('e explains a rank by parts that add up to the score', async (t) => {
  const tab = await openPage(t, '#q=heron');
  await showsResultsFor(tab, { query: 'heron' });
  await tab.keyboard.press('ArrowDown');
  await tab.keyboard.press('e');
  await shows(tab, '.parts');
  assert.equal(await tab.$eval('.hit .why', (button) => button.getAttribute('aria-expanded')), 'true');
  const { results, explain } = await server.run('search', { query: 'heron', k: 15, explain: true });
  const rows = await tab.$$eval('.parts tr', (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  const sum = rows.reduce((total, [, part]) => total + Number(part), 0);
  assert.ok(Math.abs(Math.min(1, sum * explain.calibration) - results[0].score) < 0.005, `${rows}`);
  assert.ok(rows.some(([name, , value]) => name === 'words' && value === `BM25 ${results[0].explain.lexical.toFixed(2)}`), `${rows}`);
  // The filled part of the bar is the score.
  const filled = await tab.$eval('.explain .bar', (bar) =>
    [...bar.children].reduce((width, part) => width + part.getBoundingClientRect().width, 0) / bar.getBoundingClientRect().width);
  assert.ok(Math.abs(filled - results[0].score) < 0.02, `${filled}`);
  await tab.keyboard.press('e');
  await hides(tab, '.parts');
});

test('back and forward', async (t) => {
  const tab = await openPage(t);
  await tab.type('#query', 'heron');
  await tab.keyboard.press('Tab'); // what is typed next is a new entry
  await showsResultsFor(tab, { query: 'heron' });
  await type(tab, '#query', 'lighthouse');
  await showsResultsFor(tab, { query: 'lighthouse' });
  await tab.click('.hit .cite');
  await shows(tab, '.line.cited');
  await type(tab, '#query', 'owl'); // after another step a new entry, too
  await showsResultsFor(tab, { query: 'owl' });
  await tab.evaluate(() => history.back());
  await showsResultsFor(tab, { query: 'lighthouse' });
  await shows(tab, '.line.cited');
  await tab.evaluate(() => history.back());
  await hides(tab, '#document');
  await showsResultsFor(tab, { query: 'lighthouse' });
  await tab.evaluate(() => history.back());
  await showsResultsFor(tab, { query: 'heron' });
  await becomes(tab, () => document.getElementById('query').value, 'heron');
  await tab.evaluate(() => history.back());
  await shows(tab, '#intro');
  await tab.evaluate(() => history.go(3));
  await shows(tab, '.line.cited');
  await showsResultsFor(tab, { query: 'lighthouse' });
  await tab.reload();
  await shows(tab, '.line.cited');
  assert.ok((await textsOf(tab, '.line.cited .text')).includes(LINES[249]));
});

test('a document shows the lines around a citation, and more', async (t) => {
  const tab = await openPage(t, `#doc=${encodeURIComponent('docs/pier.txt:250-250')}`);
  await shows(tab, '.line.cited');
  const numbers = () => tab.$$eval('.line', (lines) => [Number(lines[0].dataset.number), Number(lines.at(-1).dataset.number)]);
  const [first, last] = await numbers();
  assert.ok(first > 1 && first < 250 && last > 250 && last < 500, `${first} ${last}`);
  assert.equal(await textOf(tab, '.line.cited .text'), LINES[249]);
  const inView = await tab.$eval('.line.cited', (line) => {
    const { top, bottom } = line.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  assert.ok(inView);
  const topOfCited = () => tab.$eval('.line.cited', (line) => Math.round(line.getBoundingClientRect().top));
  await tab.$eval('#more-above', (button) => button.click());
  await tab.waitForFunction((before) => Number(document.querySelector('.line').dataset.number) < before, {}, first);
  // Until both ends are there.
  for (const end of ['#more-above', '#more-below']) {
    while (await tab.$eval(end, (button) => !button.hidden)) {
      const before = await tab.$$eval('.line', (lines) => lines.length);
      const at = await topOfCited();
      await tab.$eval(end, (button) => button.click());
      await tab.waitForFunction((selector, count) =>
        document.querySelectorAll('.line').length > count || document.querySelector(selector).hidden, {}, end, before);
      // What one reads stays where it is.
      assert.ok(Math.abs((await topOfCited()) - at) < 60, `${end}: ${at} -> ${await topOfCited()}`);
    }
  }
  assert.deepEqual(await textsOf(tab, '.line .text'), LINES);
});

test('the citation that is copied is exact', async (t) => {
  const target = 'docs/pier.txt:250-252';
  const tab = await openPage(t, `#doc=${encodeURIComponent(target)}`);
  await allowClipboard(tab);
  await shows(tab, '.line.cited');
  await tab.click('#copy-citation');
  await tab.waitForFunction(() => document.getElementById('toast').textContent === 'Citation copied');
  const copied = await tab.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, (await server.run('get', { target, cite: true })).get.cite);
  assert.equal((await server.run('get', { target: copied })).get.chunk.text.trimEnd(), LINES.slice(249, 252).join('\n'));
});

test('an absent document is an error with its hint', async (t) => {
  const tab = await openPage(t, `#doc=${encodeURIComponent('docs/absent.md:1-2')}`);
  await shows(tab, '#document-problem');
  assert.match(await textOf(tab, '#document-problem'), /absent\.md:1-2/); // the lines that were cited
  await hides(tab, '#copy-citation');
});

test('contexts honour the budget, and the copy is the text for a model', async (t) => {
  const tab = await openPage(t, '#tab=context&q=heron+pond');
  await allowClipboard(tab);
  for (const budget of [30, 75, 1200]) {
    await type(tab, '#budget-number', String(budget));
    const { context } = await server.run('context', { query: 'heron pond', budget_tokens: budget });
    assert.ok(context.used_tokens <= budget);
    const said = `${context.used_tokens} of ${budget.toLocaleString('en')} tokens used, ${(budget - context.used_tokens).toLocaleString('en')} left`;
    await becomes(tab, () => document.getElementById('budget-bar').getAttribute('aria-label'), said);
    assert.deepEqual(await textsOf(tab, '.piece-text'), context.chunks.map(({ text }) => text));
    const filled = await tab.$eval('#budget-bar', (bar) => bar.firstChild.getBoundingClientRect().width / bar.getBoundingClientRect().width);
    assert.ok(Math.abs(filled - context.used_tokens / budget) < 0.01, `${filled}`);
    assert.match(await tab.evaluate(() => location.hash), budget === 1200 ? /^#tab=context&q=heron\+pond$/ : new RegExp(`budget=${budget}`));
    await tab.click('#copy-context');
    await tab.waitForFunction(() => document.getElementById('toast').textContent === 'Context copied');
    assert.equal(await tab.evaluate(() => navigator.clipboard.readText()), context.text);
    await tab.$eval('#toast', (toast) => (toast.textContent = ''));
  }
  // The slider asks, too.
  await tab.focus('#budget');
  await tab.keyboard.press('Home');
  await becomes(tab, () => document.getElementById('budget-number').value, '50');
  const { context } = await server.run('context', { query: 'heron pond', budget_tokens: 50 });
  await becomes(tab, () => [...document.querySelectorAll('.piece-text')].map((piece) => piece.textContent), context.chunks.map(({ text }) => text));
});

test('the store in figures', async (t) => {
  const tab = await openPage(t, '#tab=store');
  await shows(tab, '.figures div');
  const { stats } = await server.run('stats', {});
  const figures = Object.fromEntries(await tab.$$eval('.figures div', (all) => all.map((div) => [...div.children].map((child) => child.textContent))));
  assert.equal(figures.documents, String(Object.keys(FILES).length));
  assert.equal(figures.chunks, String(stats.corpus.chunks));
  assert.equal(figures.commit, stats.snapshot);
});

test('a slow server is not asked for its measurements again before it has answered', async (t) => {
  const tab = await openTab(browser, t);
  await tab.evaluateOnNewDocument(() => {
    window.setInterval = (tick) => {
      window.tick = tick;
      return 0;
    };
  });
  await tab.setRequestInterception(true);
  const asked = [];
  tab.on('request', (request) => (request.url().endsWith('/metrics') ? asked.push(request) : request.continue()));
  await tab.goto(`${server.url}/#tab=store`);
  await shows(tab, '.figures div');
  const tick = () => tab.evaluate(() => void window.tick()); // does not wait for the answer, which is held back
  await tick();
  await tick();
  await tab.evaluate(() => fetch('/livez').then((response) => response.text())); // what was asked has been seen by now
  assert.equal(asked.length, 1);
  await asked[0].continue();
  await shows(tab, '.plot');
  await tick();
  await tab.evaluate(() => fetch('/livez').then((response) => response.text()));
  assert.equal(asked.length, 2);
  await asked[1].continue();
});

test('the latency is plotted, with the numbers as text', async (t) => {
  const tab = await openPage(t, '#tab=store');
  await server.run('search', { query: 'heron' });
  await tab.waitForFunction(() => /search: median/.test(document.querySelector('.plot svg')?.getAttribute('aria-label')));
  const plots = await tab.$$eval('.plot svg', (all) => all.map((plot) => plot.getAttribute('aria-label')));
  assert.match(plots[0], /^Latency by route\. (.*\. )?search: median \d+(\.\d+)? (µs|ms|s), 95 % within /);
  assert.match(plots[1], /^Latency by stage of a search\. .*bm25\.search: median /);
  // The plot is asked for anew; the numbers are those of the server.
  const metrics = (await server.request('GET', '/metrics')).text;
  const searches = Number(/recall_request_seconds_count\{route="search"\} (\d+)/.exec(metrics)[1]);
  const row = () => [...document.querySelectorAll('.plot:first-child tr')].map((one) => [...one.children].map((cell) => cell.textContent))
    .find(([name]) => name === 'search');
  await tab.waitForFunction(`(${row})()[1] === '${searches.toLocaleString('en')}'`);
  // Each percentile lies in its bucket.
  const buckets = [...metrics.matchAll(/recall_request_seconds_bucket\{route="search",le="([\d.]+)"\} (\d+)/g)].map(([, bound, below]) => [Number(bound), Number(below)]);
  const seconds = (text) => Number(text.split(' ')[0]) * { 'µs': 1e-6, ms: 1e-3, s: 1 }[text.split(' ')[1]];
  (await tab.evaluate(row)).slice(2).forEach((text, i) => {
    const at = buckets.findIndex(([, below]) => below >= [0.5, 0.95, 0.99][i] * searches);
    const [least, most] = [at > 0 ? buckets[at - 1][0] : 0, buckets[at][0]];
    assert.ok(seconds(text) >= 0.95 * least && seconds(text) <= 1.05 * most && seconds(text) > 0, `${text}: ${least} to ${most}`);
  });
});

test('what happens is shown as it happens', async (t) => {
  const mine = makeStore({ 'a.md': '# A\n\nA heron.\n' });
  let own = await Server.start(mine, ['--http', '0']);
  t.after(async () => {
    await own.stop();
    fs.rmSync(mine, { recursive: true });
  });
  const tab = await openTab(browser, t);
  await tab.goto(`${own.url}/#tab=store`);
  const documents = () => document.querySelector('.figures dd')?.textContent;
  await becomes(tab, documents, '1');
  const names = () => tab.$$eval('.event strong', (all) => all.map((name) => name.textContent));
  await tab.waitForSelector('.event');
  assert.deepEqual(await names(), ['commit']);

  await own.run('search', { query: 'heron' });
  await tab.waitForFunction(() => document.querySelector('.event .what').textContent.includes('done'));
  assert.deepEqual(await names(), ['search', 'commit']);
  assert.match(await textOf(tab, '.event .what'), /bm25\.search \d+(\.\d+)? (µs|ms) · .*done \d/);
  assert.ok(await tab.$eval('.event .bar', (bar) => bar.children.length > 1));

  // Another process writes.
  fs.writeFileSync(path.join(mine, 'b.md'), '# B\n\nAn owl.\n');
  addTo(mine, 'b.md');
  await becomes(tab, documents, '2');
  assert.deepEqual((await names()).slice(0, 1), ['commit']);

  // The stream is joined again when the server is back.
  await own.stop('SIGKILL');
  await shows(tab, '#banner');
  own = await Server.start(mine, ['--http', String(own.port)]);
  await hides(tab, '#banner');
  fs.writeFileSync(path.join(mine, 'c.md'), '# C\n\nA gull.\n');
  await tab.waitForFunction(() => document.getElementById('events-status').textContent.startsWith('Connected'));
  addTo(mine, 'c.md');
  await becomes(tab, documents, '3');
});

test('of several stores one is chosen', async (t) => {
  const mine = makeStore({ 'a.md': '# A\n\nA heron.\n' });
  const own = await Server.start(directory, ['--http', '0', `birds=${directory}`, `möwe=${mine}`]);
  t.after(async () => {
    await own.stop();
    fs.rmSync(mine, { recursive: true });
  });
  const tab = await openTab(browser, t);
  await tab.goto(`${own.url}/#q=heron`);
  await showsResultsFor(tab, { query: 'heron' });
  await shows(tab, '#store');
  assert.deepEqual(await textsOf(tab, '#store option'), ['birds', 'möwe']);
  await tab.select('#store', 'möwe');
  await becomes(tab, () => [...document.querySelectorAll('.hits:not(.stale) .path')].map((place) => place.textContent), ['a.md']);
  await tab.evaluate(() => history.back());
  await showsResultsFor(tab, { query: 'heron' });
  assert.equal(await tab.$eval('#store', (select) => select.value), 'birds');
});

test('the page waits for a server that is gone, and goes on when it is back', async (t) => {
  let own = await Server.start(directory, ['--http', '0']);
  t.after(() => own.stop());
  const tab = await openTab(browser, t);
  await tab.goto(`${own.url}/#q=heron`);
  await shows(tab, '.hit');
  await own.stop('SIGKILL');
  await type(tab, '#query', 'lighthouse');
  await shows(tab, '#banner');
  assert.match(await textOf(tab, '#banner'), /does not answer/);
  own = await Server.start(directory, ['--http', String(own.port)]);
  await hides(tab, '#banner');
  await showsResultsFor(tab, { query: 'lighthouse' });
});

async function serverWithToken(t) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'recall-token-')), 'token');
  fs.writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 });
  const own = await Server.start(directory, ['--http', '0', '--token-file', file, '--open'], { BROWSER: 'true' });
  t.after(async () => {
    await own.stop();
    fs.rmSync(path.dirname(file), { recursive: true });
  });
  return own;
}

test('the token is asked for once, and kept for the tab', async (t) => {
  const own = await serverWithToken(t);
  const tab = await openTab(browser, t);
  await tab.goto(own.url);
  await shows(tab, '#token-dialog');
  await tab.type('#token', 'wrong');
  await tab.keyboard.press('Enter');
  await shows(tab, '#token-problem');
  await tab.type('#token', TOKEN);
  await tab.keyboard.press('Enter');
  await hides(tab, '#token-dialog');
  await tab.type('#query', 'heron');
  await showsResultsFor(tab, { query: 'heron' });
  await tab.reload();
  await showsResultsFor(tab, { query: 'heron' });
  assert.equal(await tab.$eval('#token-dialog', (dialog) => dialog.open), false);
});

test('without the token nothing is shown, and the page does not insist', async (t) => {
  const own = await serverWithToken(t);
  const tab = await openTab(browser, t);
  await tab.goto(`${own.url}/#q=heron`);
  await shows(tab, '#token-dialog');
  await tab.click('#token-cancel');
  await shows(tab, '#search-problem');
  assert.match(await textOf(tab, '#search-problem'), /needs a token/);
  await tab.click('#tab-store');
  await shows(tab, '#store-problem');
  assert.deepEqual(await tab.$$('.hit, .figures div'), []);
  assert.equal(await tab.$eval('#token-dialog', (dialog) => dialog.open), false);
});

test('the token in the address is taken out of it', async (t) => {
  const own = await serverWithToken(t);
  const tab = await openTab(browser, t);
  await tab.goto(`${own.page}&q=heron`);
  await showsResultsFor(tab, { query: 'heron' });
  assert.equal(await tab.evaluate(() => location.hash), '#q=heron');
  assert.equal(await tab.evaluate(() => sessionStorage.getItem('token')), TOKEN);
  assert.equal(await tab.$eval('#token-dialog', (dialog) => dialog.open), false);
  const client = await tab.createCDPSession();
  const { entries } = await client.send('Page.getNavigationHistory');
  assert.ok(entries.every(({ url }) => !url.includes('token')), JSON.stringify(entries.map(({ url }) => url)));
});

test('--open leads the browser to the page by a private file', async (t) => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'recall-open-'));
  fs.writeFileSync(path.join(place, 'browser'), `#!/bin/sh\necho "$1" > ${place}/new && mv ${place}/new ${place}/told\n`, { mode: 0o700 });
  const told = new Promise((resolve) => {
    const watcher = fs.watch(place, () => {
      if (!fs.existsSync(path.join(place, 'told'))) return;
      watcher.close();
      resolve(fs.readFileSync(path.join(place, 'told'), 'utf8').trim());
    });
  });
  const own = await Server.start(directory, ['--open'], { BROWSER: path.join(place, 'browser'), XDG_RUNTIME_DIR: place });
  t.after(async () => {
    await own.stop();
    fs.rmSync(place, { recursive: true });
  });
  const file = await told;
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  const tab = await openTab(browser, t);
  await tab.goto(`file://${file}`);
  await tab.waitForFunction((url) => location.href.startsWith(url) && document.getElementById('query'), {}, own.url);
  await tab.type('#query', 'heron');
  await showsResultsFor(tab, { query: 'heron' });
  assert.equal(await tab.$eval('#token-dialog', (dialog) => dialog.open), false);
});

test('a view and the filter for notes are part of the question', async (t) => {
  const tab = await openPage(t, '#q=heron', {}, reader);
  await showsResultsFor(tab, { query: 'heron' }, reader);
  assert.ok((await paths(tab)).includes('docs/forms.md'));
  await becomes(tab, () => [...document.querySelectorAll('#view option')].map(({ value }) => value), ['', 'entries', 'memory', 'sessions']);
  await tab.click('#notes');
  await showsResultsFor(tab, { query: 'heron', filter: "doc.kind = 'note'" }, reader);
  assert.equal(await tab.evaluate(() => location.hash), '#q=heron&notes=1');
  await type(tab, '#filter', "doc.title = 'Buttons' OR doc.kind = 'file'");
  await showsResultsFor(tab, { query: 'heron', filter: "doc.title = 'Buttons'" }, reader);
  await type(tab, '#filter', ' ');
  await tab.click('#notes');
  await tab.select('#view', 'entries');
  await showsResultsFor(tab, { query: 'heron', view: 'entries', payload: 'full' }, reader);
  assert.match(await tab.evaluate(() => location.hash), /view=entries/);
  assert.ok((await textsOf(tab, '.hit-note strong')).includes('One outline'));
  await tab.goto(`${reader.url}/#q=heron&view=none_such`);
  await tab.reload();
  await shows(tab, '#search-problem');
  assert.match(await textOf(tab, '#search-problem'), /none_such/);
});

test('without words there are the newest notes', async (t) => {
  const tab = await openPage(t, '#notes=1', {}, reader);
  const { results } = await reader.run('query', { rql: "SELECT doc.path FROM doc FILTER doc.kind = 'note' ORDER BY doc.mtime DESC, doc.path ASC" });
  assert.equal(results.length, 4);
  await becomes(tab, () => [...document.querySelectorAll('.hit .path')].map((place) => place.textContent), results.map(({ doc }) => doc.path));
  assert.equal(await textOf(tab, '#status'), '4 notes, the newest first');
  await tab.keyboard.press('Escape');
  await tab.keyboard.press('j');
  await tab.keyboard.press('e'); // there is no rank to explain
  await tab.keyboard.press('Enter');
  await shows(tab, '#note-card');
  await type(tab, '#filter', "doc.title = 'Buttons'");
  await becomes(tab, () => [...document.querySelectorAll('.hit-note strong')].map((title) => title.textContent), ['Buttons']);
  await type(tab, '#filter', 'doc.titel = 1');
  await shows(tab, '#filter-error');
});

const nodeNames = () => [...document.querySelectorAll('.node > title')].map((title) => title.textContent).sort();

test('a note has its card, and its links as a list and as a picture', async (t) => {
  const tab = await openPage(t, '#doc=notes%2Foutline.md', { width: 1400, height: 900 }, reader);
  await shows(tab, '.graph svg');
  assert.equal(await textOf(tab, '#note-card h3'), 'One outline');
  await becomes(tab, () => [...document.querySelectorAll('#note-card .chip')].map((chip) => chip.textContent), ['lesson', 'expired', '#css']);
  assert.match(await textOf(tab, '#note-card'), /Focus is one outline\.when.*a new input component.*created2026-01-01/);

  const { links } = await reader.run('links', { target: 'outline' });
  assert.equal(links.documents.length, 5);
  assert.deepEqual(await tab.evaluate(nodeNames), links.documents.map(({ title, path: at }) => (title ? `${title} (${at})` : at)).sort());
  assert.equal((await tab.$$('.edge')).length, links.links.length);
  const listed = await tab.$$eval('#link-list li', (rows) => rows.map((row) =>
    ['.arrow', '.relation', '.link, .missing'].map((part) => row.querySelector(part).textContent).join(' ')));
  assert.deepEqual(listed, ['→ derived_from docs/forms.md', '→ related notes/gone.md',
    '← supports Buttons', `← contradicts ${HOSTILE_TITLE}`]);
  // What is missing leads nowhere, and a title is text.
  assert.deepEqual(await tab.$$eval('#links a', (all) => all.map((link) => link.dataset.doc)).then((all) => all.includes('notes/gone.md')), false);
  assert.equal(await tab.evaluate(() => document.querySelectorAll('img').length), 0);

  // Both lead to the documents.
  await tab.$$eval('a.node', (nodes) => nodes.find((node) => node.dataset.doc === 'notes/buttons.md').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })));
  await becomes(tab, () => document.querySelector('#note-card h3').textContent, 'Buttons');
  await becomes(tab, () => document.getElementById('links-title').textContent, 'Links: 1 out, 1 in');
  await tab.focus('#link-list .link');
  await tab.keyboard.press('Enter');
  await becomes(tab, () => document.querySelector('#note-card h3').textContent, 'One outline');
  await tab.evaluate(() => history.back());
  await becomes(tab, () => document.querySelector('#note-card h3').textContent, 'Buttons');
});

test('the open document is in view in the picture of its links', async (t) => {
  const tab = await openPage(t, '#doc=notes%2Ffar.md', { width: 360, height: 740 }, reader);
  await shows(tab, '.graph svg');
  for (const depth of [2, 1]) {
    await tab.click(`[data-depth="${depth}"]`);
    await becomes(tab, () => [document.querySelector('.distance[aria-pressed="true"]').dataset.depth,
      ((circle, place) => circle.left >= place.left && circle.right <= place.right)(
        document.querySelector('.center circle').getBoundingClientRect(), document.getElementById('graph').getBoundingClientRect())],
    [String(depth), true]);
  }
});

test('the picture is the same each time, and its labels do not overlap', async (t) => {
  const big = makeStore({ 'a.md': '# A\n' });
  const own = await Server.start(big, ['--http', '0']);
  t.after(async () => {
    await own.stop();
    fs.rmSync(big, { recursive: true });
  });
  for (let i = 10; i < 70; ++i) {
    recall(big, 'save', 'lesson', `Lesson number ${i} with a long title, as titles are`, '--id', `l${i}`, '--text', 'x', '--quiet',
      ...(i === 10 ? [] : ['--link', `supports=l${i < 40 ? 10 : i % 20 + 11}`]));
  }
  const tab = await openPage(t, '#doc=notes%2Fl10.md', { width: 1400, height: 900 }, own);
  const pictures = [];
  for (const depth of [1, 2, 1]) {
    await shows(tab, '.graph svg');
    await tab.click(`[data-depth="${depth}"]`);
    await tab.waitForSelector(`[data-depth="${depth}"][aria-pressed="true"]`);
    const { links } = await own.run('links', { target: 'l10', depth });
    const drawn = Math.min(50, links.documents.length);
    await becomes(tab, () => document.querySelectorAll('.node').length, drawn);
    assert.deepEqual(await textsOf(tab, '#graph .note'), depth === 1 ? [] : [`${links.documents.length - 50} more documents are not drawn.`]);
    const overlaps = await tab.$$eval('.node text', (labels) => {
      const boxes = labels.map((label) => label.getBBox());
      const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y + 4 < b.y + b.height && b.y + 4 < a.y + a.height;
      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b)));
    });
    assert.deepEqual(overlaps, []);
    pictures.push(await tab.$eval('#graph', (graph) => graph.innerHTML));
  }
  assert.equal(pictures[0], pictures[2]);
  assert.notEqual(pictures[0], pictures[1]);
});

test('private notes are nowhere', async (t) => {
  for (const fragment of ['#q=quagga', '#doc=notes%2Foutline.md', '#tab=reviews', '#doc=notes%2Fhidden.md']) {
    const tab = await openPage(t, fragment, {}, reader);
    await tab.waitForNetworkIdle({ idleTime: 200 });
    const text = await tab.evaluate(() => document.querySelector('main').textContent);
    assert.ok(!text.includes('Hidden quagga'), fragment);
  }
});

test('who may not write sees what is due, and why it cannot be rated', async (t) => {
  const tab = await openPage(t, '#tab=reviews', {}, reader);
  const { review } = await reader.run('review', { list: true });
  assert.equal(review.total, 4);
  await becomes(tab, () => [...document.querySelectorAll('#due .link')].map((link) => link.textContent), review.due.map(({ title }) => title));
  assert.match(await textOf(tab, '#reviews-status'), /^4 due\. This server only reads; start it with --allow-write/);
  assert.equal(await tab.$eval('#review', (card) => card.hidden), true);
  await tab.keyboard.press('4'); // the view of the store
  await shows(tab, '.figures div');
  assert.equal((await reader.run('review', { list: true })).review.total, 4);
});

test('what is due is rated by keys and buttons', async (t) => {
  const store = makeNotes();
  const own = await Server.start(store, ['--http', '0', '--allow-write']);
  t.after(async () => {
    await own.stop();
    fs.rmSync(store, { recursive: true });
  });
  const dueNow = async () => (await own.run('review', { list: true })).review.due.map(({ title }) => title);
  const before = await dueNow();
  assert.equal(before.length, 4);
  const tab = await openPage(t, '#tab=reviews', {}, own);
  const title = () => document.getElementById('review-title').textContent;
  await becomes(tab, title, before[0]);
  assert.equal(await tab.$eval('#review-text', (text) => text.hidden), true);
  await tab.focus('#review-show');
  await tab.keyboard.press('Enter');
  await shows(tab, '#review-text');
  assert.match(await textOf(tab, '#review-text'), /^A heron\./); // without the card
  await tab.keyboard.press('5');
  await becomes(tab, title, before[1]);
  assert.deepEqual(await dueNow(), before.slice(1));
  assert.equal(await tab.$eval('#review-text', (text) => text.hidden), true);
  await tab.click('#review-skip');
  await becomes(tab, title, before[2]);
  assert.deepEqual(await dueNow(), before.slice(1)); // skipping rates nothing
  await tab.click('#review-show');
  await shows(tab, '#ratings');
  await tab.click('[data-rate="0"]');
  await becomes(tab, title, before[3]);
  assert.deepEqual(await dueNow(), [before[1], before[3]]);
  assert.match(await textOf(tab, '#reviews-status'), /^2 due, 2 reviewed$/);
  // What another process has removed is an error, and nothing is lost.
  recall(store, 'rm', (await own.run('review', { list: true })).review.due[1].path, '--quiet');
  await tab.click('#review-show');
  await shows(tab, '#reviews-problem');
  await becomes(tab, title, before[3]);
});

const ofSession = (more) => `#doc=${encodeURIComponent(TALK)}${more}`;
const turnsShown = () => [...document.querySelectorAll('.turn')].map((turn) => Number(turn.id.replace('turn-', '')));
const opened = () => [...document.querySelectorAll('.turn[aria-current="true"]')].map((turn) => turn.id);
const isInView = (selector) => {
  const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
  const head = document.querySelector('.document-head').getBoundingClientRect().bottom;
  return top >= head - 1 && top < innerHeight && bottom > head;
};

test('a hit of the view sessions opens at its turn', async (t) => {
  const tab = await openPage(t, '#q=lighthouse+keeper&view=sessions', { width: 1200, height: 700 }, talker);
  await shows(tab, '.hit');
  const { results } = await talker.run('search', { query: 'lighthouse keeper', view: 'sessions', payload: 'full', k: 15, snippet: 360 });
  assert.equal(results[0].chunk.heading, '250 human 2026-02-25T10:04:10Z');
  assert.deepEqual(await tab.$$eval('.hit:first-child .hit-note > *', (all) => all.map((one) => one.textContent)),
    ['Why does the login fail?', 'claude-code', 'main', '2026-02-25']);
  assert.equal(await textOf(tab, '.hit .where'), 'turn 250');
  assert.equal(await textOf(tab, '.hit .heading'), 'human 2026-02-25 10:04:10');
  assert.equal(await textOf(tab, '.hit .answered'), `answered: ${results[0].answer.text}`);
  await tab.focus('.hit .cite');
  await tab.keyboard.press('Enter');
  await becomes(tab, opened, ['turn-250']);
  assert.ok(await tab.evaluate(isInView, '#turn-250'));
  // Its words are marked, and its place is not told by colour alone.
  assert.deepEqual(await textsOf(tab, '#turn-250 mark'), ['lighthouse', 'keeper']);
  assert.match(await textOf(tab, '#turn-250 .turn-head'), /^human turn 250opened2026-02-25 10:04:10$/);
  assert.equal(await tab.$eval('#lines', (lines) => lines.hidden), true);
  // The address finds it again, also without the hit.
  assert.match(await tab.evaluate(() => location.hash), /&turn=250(&|$)/);
  await tab.goto(`${talker.url}/${ofSession('&turn=250')}`);
  await tab.reload();
  await becomes(tab, opened, ['turn-250']);
  assert.ok(await tab.evaluate(isInView, '#turn-250'));
});

test('lines of a session lead to their turn, too', async (t) => {
  const [{ chunk }] = (await talker.run('search', { query: 'lighthouse keeper' })).results;
  const tab = await openPage(t, `#doc=${encodeURIComponent(`${TALK}:${chunk.start_line}-${chunk.end_line}`)}`, {}, talker);
  await becomes(tab, opened, ['turn-250']);
  // Far below the heading of a long turn.
  const [{ chunk: deep }] = (await talker.run('search', { query: 'walrusneedle' })).results;
  await tab.goto(`${talker.url}/#doc=${encodeURIComponent(`${TALK}:${deep.end_line}-${deep.end_line}`)}`);
  await tab.reload();
  await becomes(tab, opened, ['turn-100']);
});

test('a session is a conversation: who spoke, when, what, and with which tools', async (t) => {
  const tab = await openPage(t, ofSession(''), {}, talker);
  await shows(tab, '.turn');
  const { get } = await talker.run('get', { target: TALK, turns: '0:30', full: true });
  assert.equal(get.total_turns, SAID.length);
  assert.deepEqual(await tab.evaluate(turnsShown), get.turns.map(({ ordinal }) => ordinal));
  assert.deepEqual(await tab.evaluate(opened), []);
  assert.deepEqual(await textsOf(tab, '.turn .role'), get.turns.map(({ role }) => role));
  assert.deepEqual(await textsOf(tab, '.turn-text'), get.turns.map(({ text }) => text));
  assert.deepEqual(await tab.$$eval('.turn time', (all) => all.map((time) => time.dateTime)), get.turns.map(({ at }) => at));
  // Told apart without colour: by the words, a sign, and a box.
  const looks = await tab.$$eval('.turn', (all) => all.slice(0, 2).map((turn) => [getComputedStyle(turn.querySelector('.turn-text')).borderStyle,
    getComputedStyle(turn.querySelector('.role'), '::before').content.slice(1, 2), turn.tagName, turn.getAttribute('aria-labelledby')]));
  assert.deepEqual(looks, [['solid', '▸', 'ARTICLE', 'turn-0-head'], ['none', '◂', 'ARTICLE', 'turn-1-head']]);
  // Uses of tools are one line, and apart from the text.
  assert.equal(await textOf(tab, '#turn-1 summary'), '2 uses of tools: Edit, Bash');
  assert.equal(await tab.$eval('#turn-1 details', (details) => details.open), false);
  assert.equal((await tab.$$('#turn-0 details')).length, 0);
  await tab.focus('#turn-1 summary');
  await tab.keyboard.press('Enter');
  await becomes(tab, () => [...document.querySelectorAll('#turn-1 li')].map((use) => [...use.children].map((part) => part.textContent)),
    [['Edit', get.tool_calls[0].path], ['Bash', '$ go test ./...']]);
  // What is known of all of it.
  const facts = Object.fromEntries(await tab.$$eval('#session-card dl div', (all) => all.map((row) => [...row.children].map((part) => part.innerText))));
  const { meta } = (await talker.run('get', { target: `${TALK}:1-1` })).get.doc;
  assert.equal(await textOf(tab, '#session-title'), SAID[0]);
  assert.equal(get.resume, `claude --resume ${SESSION}`);
  assert.match(facts['go on'], new RegExp(`^${get.resume}`));
  for (const name of ['agent', 'model', 'branch', 'cwd']) assert.equal(facts[name], meta[name], name);
  assert.match(facts.time, /^2026-02-25 10:00:00\s2026-02-25 10:04:59$/);
  assert.equal(facts.turns.replace(/\s/g, ' '), '400 turns 300 uses of tools');
  assert.equal(await textOf(tab, '#session-card summary'), '150 files');
  assert.deepEqual(await textsOf(tab, '#session-card li'), get.files);
});

test('a session names its author, branch, commits and parent', async (t) => {
  const { meta } = (await talker.run('get', { target: 'sessions/jsonl/committed' })).get.doc;
  assert.equal(meta.commits.length, 1);
  const tab = await openPage(t, `#doc=${encodeURIComponent('sessions/jsonl/committed')}`, {}, talker);
  await shows(tab, '.turn');
  const facts = Object.fromEntries(await tab.$$eval('#session-card dl div', (all) => all.map((row) => [...row.children].map((part) => part.innerText))));
  assert.equal(facts.author, 'ada@example.com');
  assert.equal(facts.branch, 'trunk');
  assert.equal(facts.commit, `${meta.commit.slice(0, 12)} explicit`);
  assert.equal(facts['go on'], undefined); // its agent has no such command
  assert.equal(facts.parent, 'uneven');
  await tab.click('#session-card .link');
  await becomes(tab, () => document.getElementById('session-title').textContent, 'Uneven 0.');
});

test('all of a long session can be read, a part at a time', async (t) => {
  const tab = await openPage(t, ofSession('&turn=200'), {}, talker);
  await becomes(tab, opened, ['turn-200']);
  const topOf = (id) => tab.$eval(`#${id}`, (turn) => turn.getBoundingClientRect().top);
  const seen = new Set(await tab.evaluate(turnsShown));
  assert.ok(seen.size <= 30);
  for (const end of ['#more-above', '#more-below']) {
    while (await tab.$eval(end, (button) => !button.hidden)) {
      const shown = await tab.evaluate(turnsShown);
      const kept = `turn-${end === '#more-below' ? shown.at(-1) : shown[0]}`;
      const before = await topOf(kept);
      await tab.$eval(end, (button) => button.click());
      await tab.waitForFunction((was) => document.querySelectorAll('.turn').length !== was.length
        || document.querySelector('.turn').id !== `turn-${was[0]}`, {}, shown);
      assert.ok(Math.abs((await topOf(kept)) - before) < 60, `${kept}: ${before} -> ${await topOf(kept)}`);
      const now = await tab.evaluate(turnsShown);
      assert.ok(now.length <= 300);
      assert.deepEqual(now, Array.from(now, (_, i) => now[0] + i)); // in order, without a gap
      now.forEach((number) => seen.add(number));
    }
  }
  assert.equal(seen.size, SAID.length);
  assert.equal(await textOf(tab, '#turn-399 .turn-text'), SAID[399]);
  assert.equal((await tab.$$('#turn-399 time, #turn-399 details')).length, 0); // it has no time, and used no tools
  assert.match(await textOf(tab, '#turn-status'), /to 400 of 400$/);
});

test('turns of one of the two, and any turn by its number', async (t) => {
  const tab = await openPage(t, ofSession('&turn=250'), {}, talker);
  await becomes(tab, opened, ['turn-250']);
  await tab.select('#turn-role', 'human');
  await becomes(tab, () => [...new Set([...document.querySelectorAll('.turn .role')].map((role) => role.textContent))], ['human']);
  assert.deepEqual(await tab.evaluate(opened), ['turn-250']);
  assert.match(await textOf(tab, '#turn-status'), /of 200 by human$/);
  assert.match(await tab.evaluate(() => location.hash), /&role=human/);
  await tab.select('#turn-role', 'assistant'); // said nothing in that turn, but around it
  await becomes(tab, () => [...new Set([...document.querySelectorAll('.turn .role')].map((role) => role.textContent))], ['assistant']);
  assert.ok((await tab.evaluate(turnsShown)).includes(251));
  assert.deepEqual(await tab.evaluate(opened), []);
  for (const [number, shown] of [[0, 1], [399, 399], [40, 41], [7, 7]]) {
    await type(tab, '#turn-number', String(number));
    await tab.keyboard.press('Enter');
    await tab.waitForFunction((id) => document.getElementById(id), {}, `turn-${shown}`);
  }
  await tab.select('#turn-role', '');
  await becomes(tab, opened, ['turn-7']);
  await type(tab, '#turn-number', '5000'); // there is no such turn: the last ones
  await tab.keyboard.press('Enter');
  await tab.waitForFunction(() => document.getElementById('turn-399'));
});

test('a turn is found among those of one of the two, however they are spread', async (t) => {
  const uneven = 'sessions/jsonl/uneven';
  const { get } = await talker.run('get', { target: uneven, turns: '0:1000' });
  assert.deepEqual(get.turns.map(({ role }) => role), UNEVEN);
  for (const number of [0, 1, 41, 200, 399, 430, 445, 520, 610, 669, 690, 699]) {
    for (const role of ['human', 'assistant']) {
      const tab = await openPage(t, `#doc=${encodeURIComponent(uneven)}&turn=${number}&role=${role}`, {}, talker);
      await shows(tab, '.turn');
      const ofRole = get.turns.filter((turn) => turn.role === role).map(({ ordinal }) => ordinal);
      const wanted = ofRole.find((ordinal) => ordinal >= number) ?? ofRole.at(-1);
      const shown = await tab.evaluate(turnsShown);
      assert.ok(shown.includes(wanted), `${role} ${number}: ${shown} without ${wanted}`);
      assert.deepEqual(shown, ofRole.slice(ofRole.indexOf(shown[0])).slice(0, shown.length));
      await tab.close();
    }
  }
});

test('of turns with a megabyte each only a few are read at a time', async (t) => {
  const tab = await openTab(browser, t, {});
  const asked = [];
  tab.on('request', (request) => {
    const { turns } = request.url().endsWith('/v1/get') ? JSON.parse(request.postData()) : {};
    if (turns) asked.push(turns);
  });
  await tab.goto(`${talker.url}/#doc=${encodeURIComponent('sessions/jsonl/wide')}&turn=5`);
  await becomes(tab, opened, ['turn-5']);
  await tab.$eval('#more-below', (button) => button.click());
  await tab.waitForFunction(() => document.getElementById('turn-8'));
  assert.deepEqual(asked, ['5:2', '7:2']);
  assert.ok(await tab.$eval('#turns', (turns) => turns.textContent.length) < 100_000);
});

test('keys go from turn to turn, and a link leads to each', async (t) => {
  const tab = await openPage(t, ofSession('&turn=250'), {}, talker);
  await becomes(tab, opened, ['turn-250']);
  const focused = () => document.activeElement.id;
  await tab.keyboard.press(']');
  await becomes(tab, focused, 'turn-251');
  assert.ok(await tab.evaluate(isInView, '#turn-251'));
  const [first] = await tab.evaluate(turnsShown);
  for (let i = 251; i >= first; --i) await tab.keyboard.press('[');
  await becomes(tab, focused, `turn-${first - 1}`); // which was not there yet
  await tab.$eval('#turn-252 .turn-number', (link) => link.click());
  await becomes(tab, opened, ['turn-252']);
  await tab.evaluate(() => history.back());
  await becomes(tab, opened, ['turn-250']);
  await tab.keyboard.press('Escape');
  await hides(tab, '#document');
  assert.equal(await tab.evaluate(() => location.hash), '');
});

test('what was said stays text, whatever it is', async (t) => {
  const tab = await openPage(t, ofSession('&turn=60'), {}, talker);
  await becomes(tab, opened, ['turn-60']);
  assert.equal(await textOf(tab, '#turn-60 .turn-text'), SAID[60]);
  assert.equal(await textOf(tab, '#turn-61 .turn-text'), SAID[61]);
  await tab.$eval('#turn-61 summary', (summary) => summary.click());
  await becomes(tab, () => [...document.querySelectorAll('#turn-61 li code')].map((code) => code.textContent), [`$ go test ${HOSTILE_CALL}`]);
  assert.deepEqual(await tab.$$eval('.turn a', (links) => links.map((link) => link.getAttribute('href')).filter((href) => !href.startsWith('#'))), []);
  assert.equal((await tab.$$('#document img, #document svg[onload], #document iframe, #document script')).length, 0);
  assert.equal(await tab.evaluate(() => window.hacked), undefined);
  assert.deepEqual(await tab.$$eval('#turn-60 .control', (all) => all.map((one) => one.dataset.code)), ['U+202E', 'U+2066', 'U+2069', 'U+0007']);
  // Code stands out, and every character of it is there.
  await tab.goto(`${talker.url}/${ofSession('&turn=41')}`);
  await tab.reload();
  await becomes(tab, opened, ['turn-41']);
  assert.equal(await textOf(tab, '#turn-41 pre'), '```go\nfunc renew() {}\n```\n');
  assert.equal(await textOf(tab, '#turn-41 .turn-text'), FENCED);
});

test('a huge turn is shown a part at a time, and its hit is in view', async (t) => {
  const tab = await openPage(t, ofSession('&turn=99'), {}, talker);
  await becomes(tab, opened, ['turn-99']);
  const length = () => tab.$eval('#turn-100 .turn-text', (text) => [...text.children].filter((part) => part.tagName !== 'BUTTON')
    .reduce((sum, part) => sum + part.textContent.length, 0));
  assert.equal(await length(), 20_000);
  assert.equal(await textOf(tab, '#turn-100 .more'), `${(HUGE.trimEnd().length - 20_000).toLocaleString('en')} more characters`);
  while (await tab.$('#turn-100 .more')) await tab.$eval('#turn-100 .more', (button) => button.click());
  assert.equal(await textOf(tab, '#turn-100 .turn-text'), HUGE.trimEnd());
  const other = await openPage(t, '#q=walrusneedle&view=sessions', {}, talker);
  await other.waitForSelector('.hit .cite');
  await other.$eval('.hit .cite', (link) => link.click());
  await becomes(other, () => [...document.querySelectorAll('#turn-100 mark')].map((mark) => mark.textContent), ['walrusneedle']);
  assert.ok(await other.evaluate(isInView, '#turn-100 mark'));
});

test('a turn of what is no session is none', async (t) => {
  const tab = await openPage(t, `#doc=${encodeURIComponent('docs/pier.txt:250-250')}&turn=3&role=human`);
  await shows(tab, '.line.cited');
  assert.equal(await textOf(tab, '.line.cited .text'), LINES[249]);
  assert.equal(await tab.$eval('#turns', (turns) => turns.hidden), true);
  await tab.goto(`${server.url}/${ofSession('&turn=3')}`);
  await tab.reload();
  await shows(tab, '#document-problem'); // this store does not have it
  assert.equal(await tab.$eval('#turn-choice', (choice) => choice.hidden), true);
});

test('a passage of a session in a context leads to its turn', async (t) => {
  const tab = await openPage(t, '#tab=context&q=lighthouse+keeper', {}, talker);
  await shows(tab, '.piece');
  assert.equal(await textOf(tab, '.piece .where'), 'turn 250');
  assert.equal(await textOf(tab, '.piece .heading'), 'human 2026-02-25 10:04:10');
  await tab.click('.piece .cite');
  await becomes(tab, opened, ['turn-250']);
});

test('without words the view sessions lists the latest', async (t) => {
  const tab = await openPage(t, '#view=sessions', {}, talker);
  await becomes(tab, () => document.getElementById('status').textContent, '6 of 6 sessions, the latest first');
  const { results } = await talker.run('sessions', { payload: 'full' });
  assert.deepEqual(await paths(tab), results.map(({ doc }) => doc.path));
  assert.equal((await tab.$$('.hit .why, .hit .score')).length, 0); // nothing was ranked
  await type(tab, '#filter', "doc.session.agent = 'jsonl'");
  await becomes(tab, () => document.getElementById('status').textContent, '5 of 5 sessions, the latest first');
  await tab.type('#query', 'heron');
  await showsResultsFor(tab, { query: 'heron', view: 'sessions', filter: "doc.session.agent = 'jsonl'" }, talker);
});

const VIEWS = {
  'results and filter error': ['#q=wideword&filter=doc.pth+%3D+1', '#filter-error'],
  results: ['#q=wideword', '.hit'],
  document: [`#q=wideword&doc=${encodeURIComponent('docs/wide.txt:1-1')}`, '.line'],
  context: ['#tab=context&q=wideword', '.piece'],
  store: ['#tab=store', '.figures div'],
  nothing: ['', '#intro'],
};
const VIEWS_OF_NOTES = {
  'notes and links': ['#q=heron&view=entries&doc=notes%2Foutline.md', '.graph svg'],
  'all notes': ['#notes=1', '.hit'],
  reviews: ['#tab=reviews', '#due li'],
};
const VIEWS_OF_SESSIONS = {
  sessions: ['#view=sessions', '.hit'],
  session: [ofSession('&turn=61'), '.turn[aria-current]'],
  'huge turn': [ofSession('&turn=100&role=human'), '.turn[aria-current]'],
};
const allViews = () => [[server, VIEWS], [reader, VIEWS_OF_NOTES], [talker, VIEWS_OF_SESSIONS]]
  .flatMap(([of, views]) => Object.entries(views).map((view) => [of, ...view]));

// Loads the page anew, also if only the fragment differs.
async function load(tab, fragment, of) {
  await tab.goto('about:blank');
  await tab.goto(`${of.url}/${fragment}`);
}

test('nothing is wider than a telephone', async (t) => {
  const tab = await openTab(browser, t, { width: 360, height: 740 });
  for (const [of, name, [fragment, selector]] of allViews()) {
    await load(tab, fragment, of);
    await shows(tab, selector);
    assert.deepEqual(await widerThanWindow(tab), [], name);
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth && innerWidth === 360), name);
  }
});

test('every view passes the accessibility rules, light and dark', async (t) => {
  for (const scheme of ['light', 'dark']) {
    const tab = await openTab(browser, t); // one for all: each open tab of the store goes on asking
    await emulateScheme(tab, scheme);
    for (const [of, name, [fragment, selector]] of allViews()) {
      await load(tab, fragment, of);
      await shows(tab, selector);
      if (name === 'session') {
        await tab.$$eval('summary', (all) => all.forEach((summary) => summary.click()));
        await shows(tab, '.tools li');
      }
      if (name === 'results') {
        await tab.click('.why');
        await shows(tab, '.parts');
      }
      assert.deepEqual(await axeFindings(tab), [], `${scheme} ${name}`);
    }
    await tab.close();
  }
});

test('without motion, if the user wants none', async (t) => {
  const tab = await openPage(t);
  const transition = () => tab.$eval('#toast', (toast) => getComputedStyle(toast).transitionDuration);
  assert.notEqual(await transition(), '0s');
  await tab.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  assert.equal(await transition(), '0s');
});
