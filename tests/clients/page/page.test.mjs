// The page of `recall serve`, in a browser, against the real server. The answers of the server over
// its Unix socket, and the files of the store, are the oracles.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test as anyTest } from 'node:test';
import { createRequire } from 'node:module';
import { addTo, becomes, hides, launch, makeStore, openTab, recall, Server, shows, textOf, textsOf } from './rig.mjs';

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

const test = (name, run) => anyTest(name, { timeout: 120_000 }, run);

let browser;
let directory;
let server;
let notes; // a store of notes
let reader; // its server, which may not write

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

before(async () => {
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
  fs.rmSync(directory, { recursive: true, force: true });
  fs.rmSync(notes, { recursive: true, force: true });
});

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
  assert.deepEqual(await textsOf(tab, '.hit .snippet'), results.map(({ snippet }) => snippet.text.trimEnd()));
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
  const failed = new Promise((resolve) => tab.on('requestfailed', resolve));
  await type(tab, '#query', 'lighthouse');
  await showsResultsFor(tab, { query: 'lighthouse' });
  assert.equal((await failed).postData(), held.postData());
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
  assert.equal(await textOf(tab, '.hit .snippet'), results[0].snippet.text.trimEnd());
  await tab.click('.hit .cite');
  await becomes(tab, () => [...document.querySelectorAll('.line .text')].map((line) => line.textContent), HOSTILE.split('\n'));
  await tab.click('#tab-context');
  await shows(tab, '.piece');
  assert.equal(await tab.evaluate(() => document.querySelectorAll('img, svg, iframe, b, body script').length), 0);
  assert.equal(await tab.evaluate(() => window.hacked), undefined);
});

test('characters that reorder text do nothing and are shown', async (t) => {
  const tab = await openPage(t, '#q=quagmire');
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
    assert.equal(await textOf(tab, '.hit .snippet'), snippet.text.trimEnd());
    // The same places are marked in the document.
    await tab.click('.hit .cite');
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
  await shows(tab, '.line.cited');
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
  assert.match(await textOf(tab, '#document-problem'), /absent\.md/);
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
  const { results } = await reader.run('query', { rql: "SELECT doc.path FROM doc FILTER doc.kind = 'note' ORDER BY doc.mtime DESC, doc.path" });
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
const allViews = () => [...Object.entries(VIEWS).map((view) => [server, ...view]), ...Object.entries(VIEWS_OF_NOTES).map((view) => [reader, ...view])];

test('nothing is wider than a telephone', async (t) => {
  for (const [of, name, [fragment, selector]] of allViews()) {
    const tab = await openPage(t, fragment, { width: 360, height: 740 }, of);
    await shows(tab, selector);
    // A picture can be moved within its place.
    const wide = await tab.evaluate(() => [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && !element.closest('.graph svg') && element.getBoundingClientRect().right > innerWidth + 0.5)
      .map((element) => `${element.tagName}.${element.className}`));
    assert.deepEqual(wide, [], name);
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth && innerWidth === 360), name);
  }
});

test('every view passes the accessibility rules, light and dark', async (t) => {
  const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const scheme of ['light', 'dark']) {
    for (const [of, name, [fragment, selector]] of allViews()) {
      const tab = await openPage(t, fragment, {}, of);
      await tab.emulateMediaFeatures([
        { name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
      await shows(tab, selector);
      if (name === 'results') {
        await tab.click('.why');
        await shows(tab, '.parts');
      }
      await tab.evaluate(axe);
      const { violations, passes } = await tab.evaluate(() => window.axe.run());
      assert.ok(passes.length > 10);
      assert.deepEqual(violations.map(({ id, nodes }) => `${scheme} ${name}: ${id} ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)}`), []);
    }
  }
});

test('without motion, if the user wants none', async (t) => {
  const tab = await openPage(t);
  const transition = () => tab.$eval('#toast', (toast) => getComputedStyle(toast).transitionDuration);
  assert.notEqual(await transition(), '0s');
  await tab.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  assert.equal(await transition(), '0s');
});
