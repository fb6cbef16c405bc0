// The page as a place to work: the first screen, folders and facets, completed filters, notes that are written.
// The answers of the server over its Unix socket are the oracles.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test as anyTest } from 'node:test';
import {
  axeFindings, becomes, emulateScheme, hides, launch, makeStore, openTab, recall, Server, shows, textOf, textsOf, widerThanWindow,
} from './rig.mjs';

const test = (name, run) => anyTest(name, { timeout: 600_000 }, run);

let browser;
let directory;
let writer; // a server that may write
let reader; // one that may not

function makeWork() {
  const store = makeStore({
    'docs/birds.md': '# Birds\n\nThe heron stands at the pond.\n',
    'docs/deep/ponds.md': '# Ponds\n\nA **pond** with a heron and\nwith fish.\n\n| pond | heron |\n| --- | --- |\n| old | `yes` |\n',
    'docs/deep/other/it\'s [a] {b}*.md': '# Odd\n\nA heron in an odd place.\n',
    'src/merge.cc': 'int Merge(int heron) {\n\treturn heron + 1;\n}\n',
    'old.txt': 'An old heron.\n',
    'owl.txt': 'An owl.\n',
  });
  fs.writeFileSync(path.join(store, 'tagged.txt'), 'A tagged heron.\n');
  recall(store, 'add', 'tagged.txt', '--tag', 'pier', '--quiet');
  const long = new Date(Date.UTC(2020, 1, 1));
  fs.utimesSync(path.join(store, 'old.txt'), long, long);
  recall(store, 'add', 'old.txt', '--quiet');
  recall(store, 'save', 'lesson', 'Wait at the pond', '--id', 'wait', '--text', 'A heron waits. See [[docs/birds.md]].', '--tag', 'pier', '--tag', 'birds', '--quiet');
  recall(store, 'save', 'decision', 'Fish at noon', '--id', 'noon', '--text', 'The heron fishes.', '--tag', 'birds', '--quiet');
  fs.writeFileSync(path.join(store, 's.jsonl'), [
    { session: 'one', role: 'human', text: 'Where is the heron?', at: '2026-01-01T10:00:00Z' },
    { session: 'one', role: 'assistant', text: 'At the pond.', at: '2026-01-01T10:00:01Z' }].map((line) => JSON.stringify(line)).join('\n'));
  recall(store, 'capture', '--quiet', 's.jsonl');
  return store;
}

before(async () => {
  directory = makeWork();
  writer = await Server.start(directory, ['--http', '0', '--allow-write']);
  reader = await Server.start(directory, ['--http', '0']);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await writer?.stop();
  await reader?.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

async function openPage(t, fragment = '', size = {}, of = reader) {
  const tab = await openTab(browser, t, size);
  await tab.goto(`${of.url}/${fragment}`);
  return tab;
}

const queried = async (rql, of = reader) => of.run('query', { rql });
const hitPaths = () => [...document.querySelectorAll('.hits:not(.stale) .path')].map((place) => place.textContent);

// What the page offers of a group: { value: number }.
const groupOf = (name) => Object.fromEntries([...document.querySelectorAll(`#narrow:not(.stale) section[aria-label="${name}"] .facet`)]
  .map((facet) => [facet.querySelector('.value').textContent, Number(facet.querySelector('.number-of').textContent)]));
const clickFacet = (tab, name, value) => tab.$$eval(`section[aria-label="${name}"] .facet`, (all, wanted) =>
  all.find((facet) => facet.querySelector('.value').textContent === wanted).click(), value);

test('the first screen has the figures of the store and the latest documents, notes and sessions', async (t) => {
  const tab = await openPage(t);
  await shows(tab, '.recent');
  const { stats } = await reader.run('stats', {});
  assert.equal(await textOf(tab, '#store-name'), path.basename(directory));
  assert.match(await textOf(tab, '#store-figures'), new RegExp(`^${stats.corpus.docs} documents · ${stats.corpus.chunks} chunks · ${stats.corpus.tokens} words`));
  for (const [kind, number] of [['file', 7], ['note', 2], ['session', 1]]) {
    const { results, stats: { total_hits: total } } = await queried(`SELECT doc.path FROM doc FILTER doc.kind = '${kind}' ORDER BY doc.mtime DESC, doc.path ASC LIMIT 6`);
    assert.equal(total, number);
    assert.deepEqual(await tab.$$eval(`[aria-labelledby="recent-${kind}"] .recent-link`, (all) => all.map((link) => link.dataset.doc)), results.map(({ doc }) => doc.path));
  }
  assert.deepEqual((await textsOf(tab, '[aria-labelledby="recent-note"] .recent-link')).sort(), ['Fish at noon', 'Wait at the pond']);
  assert.deepEqual(await textsOf(tab, '[aria-labelledby="recent-session"] .recent-link'), ['Where is the heron?']);
  await tab.$eval('[aria-labelledby="recent-note"] .recent-link', (link) => link.click());
  await shows(tab, '#note-card');
});

test('facets count the documents of the question, and narrow it by the filter', async (t) => {
  const tab = await openPage(t, '#q=heron');
  const total = async (filter) => (await queried(`SELECT doc.path FROM doc USING lexical('heron') FILTER ${filter}`)).stats.total_hits;
  await becomes(tab, groupOf, { file: await total("doc.kind = 'file'"), note: await total("doc.kind = 'note'"), session: await total("doc.kind = 'session'") }, 'Kind');
  assert.deepEqual(await tab.evaluate(groupOf, 'Tag'), { birds: await total("doc.tags = 'birds'"), pier: await total("doc.tag = 'pier' OR doc.tags = 'pier'") });
  assert.deepEqual(await tab.evaluate(groupOf, 'Agent'), { jsonl: 1 });
  assert.equal((await tab.evaluate(groupOf, 'Changed'))['last day'], await total("doc.mtime >= '-1d'"));
  await clickFacet(tab, 'Kind', 'note');
  await becomes(tab, () => document.getElementById('filter').value, "doc.kind = 'note'");
  await becomes(tab, hitPaths, (await reader.run('search', { query: 'heron', filter: "doc.kind = 'note'" })).results.map(({ doc }) => doc.path));
  await becomes(tab, groupOf, { birds: 2, pier: 1 }, 'Tag');
  await clickFacet(tab, 'Tag', 'pier');
  await becomes(tab, hitPaths, ['notes/wait.md']);
  await becomes(tab, () => [...document.querySelectorAll('#narrow:not(.stale) .facet[aria-pressed="true"] .value')].map((one) => one.textContent), ['note', 'pier']);
  // The same place again takes the condition out, and keeps the focus.
  await tab.focus('section[aria-label="Kind"] .facet');
  await tab.keyboard.press('Enter');
  await becomes(tab, () => document.getElementById('filter').value, "doc.tags = 'pier'");
  await becomes(tab, () => document.activeElement.dataset.key, 'Tag:pier'); // all of them are notes, so that kinds are no longer told apart
  await tab.evaluate(() => history.back());
  await becomes(tab, hitPaths, ['notes/wait.md']);
});

test('folders are a tree, which narrows and opens', async (t) => {
  const tab = await openPage(t, '#q=heron');
  await becomes(tab, groupOf, { docs: 3, notes: 2, sessions: 1, src: 1 }, 'Folders');
  const open = (name) => tab.$eval(`[data-key="fold:${name}"]`, (fold) => fold.click());
  await open('docs');
  await open('docs/deep');
  await becomes(tab, () => [...document.querySelectorAll('.tree-file')].map((file) => file.dataset.doc), ['docs/deep/ponds.md', 'docs/birds.md', 'old.txt', 'tagged.txt']);
  await tab.$eval('[data-key="folder:docs/deep"]', (folder) => folder.click());
  await becomes(tab, () => document.getElementById('filter').value, "doc.path GLOB 'docs/deep/**'");
  const inDeep = await reader.run('search', { query: 'heron', filter: "doc.path GLOB 'docs/deep/**'" });
  await becomes(tab, () => document.getElementById('filter-error').hidden, true);
  assert.deepEqual(new Set(inDeep.results.map(({ doc }) => doc.path)).size, 2);
  await becomes(tab, (selector) => [...document.querySelectorAll(selector)].map((place) => place.textContent).sort(), inDeep.results.map(({ doc }) => doc.path).sort(), '.hits:not(.stale) .path');
  await becomes(tab, () => document.querySelector('[data-key="folder:docs/deep"]').getAttribute('aria-pressed'), 'true');
  // Another folder takes its place. Its name has what patterns and texts of RQL use.
  await open('docs/deep/other');
  await tab.$eval('[data-key="folder:docs/deep/other"]', (folder) => folder.click());
  await becomes(tab, () => document.getElementById('filter').value, "doc.path GLOB 'docs/deep/other/**'");
  await becomes(tab, () => document.querySelectorAll('.hits:not(.stale) .hit').length, 1);
  await tab.$eval('.tree-file', (file) => file.click());
  await becomes(tab, () => document.querySelector('#rendered h3')?.textContent, 'Odd');
});

test('a filter without words lists the documents that satisfy it', async (t) => {
  const tab = await openPage(t, `#filter=${encodeURIComponent("doc.path GLOB 'docs/**'")}`);
  const { results } = await queried("SELECT doc.path FROM doc FILTER doc.path GLOB 'docs/**' ORDER BY doc.mtime DESC, doc.path ASC");
  await becomes(tab, hitPaths, results.map(({ doc }) => doc.path));
  assert.equal(await textOf(tab, '#status'), '3 documents, the newest first');
  await hides(tab, '#intro');
});

test('a pause in typing is one request, and counts follow it', async (t) => {
  const tab = await openTab(browser, t);
  const asked = [];
  tab.on('request', (request) => request.method() === 'POST' && asked.push(new URL(request.url()).pathname));
  await tab.goto(reader.url);
  await shows(tab, '.recent');
  await becomes(tab, () => document.querySelectorAll('#narrow:not(.stale) .facet').length > 0, true);
  asked.length = 0;
  await tab.evaluate(() => {
    for (const text of ['h', 'he', 'her', 'hero', 'heron']) {
      document.getElementById('query').value = text;
      document.getElementById('query').dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  await becomes(tab, groupOf, { file: 6, note: 2, session: 1 }, 'Kind');
  assert.deepEqual(asked, ['/v1/search', '/v1/query']);
});

const completions = () => [...document.querySelectorAll('#completions:not([hidden]) .value')].map((one) => one.textContent);

test('the filter is completed by the keyboard, with the values of the store', async (t) => {
  const tab = await openPage(t, '#q=heron');
  await shows(tab, '.hit');
  await tab.type('#filter', 'doc.ta');
  await becomes(tab, completions, ['doc.tag', 'doc.tags']);
  await tab.keyboard.press('ArrowDown');
  assert.equal(await tab.$eval('#filter', (input) => input.getAttribute('aria-activedescendant')), 'completion-0');
  await tab.keyboard.press('ArrowDown');
  await tab.keyboard.press('Enter');
  await becomes(tab, () => document.getElementById('filter').value, 'doc.tags ');
  await becomes(tab, (all) => [...document.querySelectorAll(all)].map((one) => one.textContent)[0], '=', '#completions .value');
  await tab.keyboard.press('ArrowDown');
  await tab.keyboard.press('Enter');
  await becomes(tab, completions, ['birds', 'pier']);
  assert.deepEqual(await textsOf(tab, '#completions .number-of'), ['2', '1']);
  await tab.keyboard.type("'p");
  await becomes(tab, completions, ['pier']);
  await tab.keyboard.press('ArrowDown');
  await tab.keyboard.press('Enter');
  await becomes(tab, () => document.getElementById('filter').value, "= 'pier' ".replace(/^/, 'doc.tags '));
  await becomes(tab, hitPaths, ['notes/wait.md']);
  await becomes(tab, completions, ['AND', 'OR']);
  await tab.keyboard.press('Escape');
  await becomes(tab, completions, []);
  assert.equal(await tab.evaluate(() => document.activeElement.id), 'filter');
  assert.equal(await tab.$eval('#filter', (input) => input.getAttribute('aria-expanded')), 'false');
  await tab.keyboard.press('ArrowDown'); // without a list it leads to the results, as ever
  await becomes(tab, () => Boolean(document.activeElement.closest('.hit')), true);
});

test('words that no text has are named, with those that were searched', async (t) => {
  const tab = await openPage(t, '#q=heronn+pond');
  await shows(tab, '#expansions');
  const { query } = await reader.run('search', { query: 'heronn pond' });
  assert.deepEqual(query.expansions.map(({ word }) => word), ['heronn']);
  assert.match(await textOf(tab, '#expansions'), new RegExp(`No text has heronn; searched for ${query.expansions[0].terms.join(', ')}`));
  assert.doesNotMatch(await textOf(tab, '#status'), /no chunk contains/); // it is not said twice
  await tab.click('#expansions .action');
  await becomes(tab, () => document.getElementById('query').value, 'heron pond');
  await hides(tab, '#expansions');
});

test('an excerpt of code has colours and numbers, one of Markdown its lines joined', async (t) => {
  const tab = await openPage(t, '#q=Merge');
  await shows(tab, '.snippet .numbered');
  assert.deepEqual(await tab.$$eval('.snippet .numbered', (lines) => lines.map((line) => [line.dataset.number, line.textContent.trimEnd()])).then((all) => all[0]),
    ['1', 'int Merge(int heron) {']);
  assert.ok((await textsOf(tab, '.snippet .code-keyword')).includes('int'));
  await tab.goto(`${reader.url}/#q=fish+pond&filter=${encodeURIComponent("doc.path = 'docs/deep/ponds.md'")}`);
  await becomes(tab, () => [...document.querySelectorAll('.snippet .prose')].map((one) => one.textContent).find((text) => text.includes('fish')), 'A pond with a heron and\nwith fish.');
  assert.equal(await tab.$eval('.snippet .prose', (prose) => getComputedStyle(prose).whiteSpace), 'normal');
  assert.deepEqual(await textsOf(tab, '.snippet .row'), ['pond · heron', 'old · yes']);
});

test('a note is written and edited, by the keyboard', async (t) => {
  const tab = await openPage(t, '', {}, writer);
  await shows(tab, '#new-note');
  await tab.keyboard.press('Escape'); // leaves the query
  await tab.keyboard.press('n');
  await shows(tab, '#editor');
  assert.equal(await tab.evaluate(() => document.activeElement.id), 'note-title');
  await tab.keyboard.type('Gulls <b>are</b> loud');
  await tab.keyboard.press('Tab');
  await tab.keyboard.type('gulls, #noise');
  await tab.focus('#note-text');
  await tab.keyboard.type('The gull **cries** at dawn.');
  await tab.click('[data-preview="1"]');
  assert.deepEqual(await textsOf(tab, '#note-preview strong'), ['cries']);
  await tab.click('[data-preview=""]');
  await tab.focus('#note-text');
  await tab.keyboard.down('Control');
  await tab.keyboard.press('Enter');
  await tab.keyboard.up('Control');
  await hides(tab, '#editor');
  await becomes(tab, () => document.querySelector('#note-card h3')?.textContent, 'Gulls <b>are</b> loud');
  const [{ doc }] = (await queried("SELECT doc.path, doc.type, doc.tags FROM doc FILTER doc.title = 'Gulls <b>are</b> loud'", writer)).results;
  assert.deepEqual([doc.meta.type, doc.meta.tags], ['lesson', ['gulls', 'noise']]);
  await becomes(tab, () => document.querySelector('#rendered p')?.textContent, 'The gull cries at dawn.');

  await tab.focus('#document');
  await tab.keyboard.press('i');
  await shows(tab, '#editor');
  assert.equal(await tab.$eval('#note-text', (field) => field.value), 'The gull **cries** at dawn.\n');
  await tab.keyboard.type('Always. ');
  await tab.click('#editor-form .buttons .action');
  await hides(tab, '#editor');
  await becomes(tab, () => document.querySelector('#rendered p')?.textContent, 'Always. The gull cries at dawn.');
  const { get } = await writer.run('get', { target: doc.path });
  assert.deepEqual([get.doc.meta.title, get.doc.meta.tags], ['Gulls <b>are</b> loud', ['gulls', 'noise']]); // the card is as it was
});

test('what is written is not lost by mistake, and a newer text is not overwritten', async (t) => {
  const tab = await openPage(t, '#doc=notes%2Fnoon.md', {}, writer);
  await shows(tab, '#edit-note');
  await tab.click('#edit-note');
  await shows(tab, '#editor');
  await tab.keyboard.press('Escape'); // nothing was written
  await hides(tab, '#editor');
  await tab.click('#edit-note');
  await shows(tab, '#editor');
  await tab.keyboard.type('Mine. ');
  await tab.keyboard.press('Escape');
  await shows(tab, '#editor-discard');
  await tab.keyboard.press('Enter'); // go on writing
  await hides(tab, '#editor-discard');
  recall(directory, 'save', '--rewrite', 'notes/noon.md', '--text', 'Theirs.', '--quiet');
  await tab.click('#editor-form .buttons .action');
  await shows(tab, '#editor-problem');
  assert.match(await textOf(tab, '#editor-problem'), /has changed since it was opened/);
  assert.match((await writer.run('get', { target: 'notes/noon.md' })).get.chunk.text, /Theirs\.\n$/);
  await tab.keyboard.press('Escape');
  await shows(tab, '#editor-discard');
  await tab.click('#editor-drop');
  await hides(tab, '#editor');
});

test('where the server may not write, nothing is offered', async (t) => {
  const tab = await openPage(t, '#doc=notes%2Fwait.md');
  await shows(tab, '#note-card');
  await tab.waitForNetworkIdle({ idleTime: 100 });
  assert.equal(await tab.$eval('#new-note', (button) => button.hidden), true);
  assert.equal(await tab.$eval('#edit-note', (button) => button.hidden), true);
  await tab.keyboard.press('Escape');
  await tab.keyboard.press('n');
  await becomes(tab, () => document.getElementById('toast').textContent, 'This server only reads; start it with --allow-write');
  assert.equal(await tab.$eval('#editor', (dialog) => dialog.open), false);
});

// The states of the page: fragment, what to wait for, and what to do there.
const STATES = {
  'first screen': ['', '.recent'],
  results: ['#q=heron', '#narrow:not(.stale) .facet', { narrow: true }],
  'words instead': ['#q=heronn', '#expansions'],
  documents: [`#filter=${encodeURIComponent("doc.kind = 'file'")}`, '.hit'],
  completions: ['#q=heron', '.hit', { complete: true }],
  note: ['#q=heron&doc=notes%2Fwait.md', '.graph svg'],
  document: ['#q=heron&doc=docs%2Fdeep%2Fponds.md%3A3-9', '#rendered .cited'],
  editor: ['', '#new-note', { write: true }],
};

async function enter(tab, [fragment, selector, { narrow, complete, write } = {}]) {
  await tab.goto('about:blank'); // the page is loaded anew, not only its fragment read
  await tab.goto(`${writer.url}/${fragment}`);
  if (narrow && await tab.$eval('#narrow-button', (button) => button.checkVisibility())) await tab.click('#narrow-button');
  await shows(tab, selector);
  if (complete) {
    await tab.type('#filter', 'doc.');
    await shows(tab, '#completions');
  }
  if (write) {
    await tab.click('#new-note');
    await shows(tab, '#editor');
  }
}

test('every state passes the accessibility rules and fits the window, light and dark', async (t) => {
  for (const scheme of ['light', 'dark']) {
    for (const width of [360, 1280]) {
      const tab = await openTab(browser, t, { width, height: 800 });
      await emulateScheme(tab, scheme);
      for (const [name, state] of Object.entries(STATES)) {
        await enter(tab, state);
        assert.deepEqual(await widerThanWindow(tab), [], `${name} ${width}`);
        assert.deepEqual(await axeFindings(tab), [], `${name} ${width} ${scheme}`);
      }
      await tab.close();
    }
  }
});

test('what can be pressed is 44 pixels high where fingers press', async (t) => {
  const tab = await openTab(browser, t);
  await tab.setViewport({ width: 360, height: 740, hasTouch: true, isMobile: true });
  for (const [name, state] of Object.entries(STATES)) {
    await enter(tab, state);
    assert.ok(await tab.evaluate(() => matchMedia('(pointer: coarse)').matches));
    // Links within sentences, and in the picture of the links, which the list below it has too, are as high as their text.
    const small = await tab.evaluate(() => [...document.querySelectorAll('button, a[href], select, summary, input:not([type="checkbox"]), [role="option"], label:has(input[type="checkbox"])')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.graph, p, .rendered, .lines, .same'))
      .filter((element) => element.getBoundingClientRect().height < 43.5)
      .map((element) => `${element.tagName}.${element.className}#${element.id} ${element.textContent.slice(0, 20)} ${element.getBoundingClientRect().height}`));
    assert.deepEqual(small, [], name);
  }
});
