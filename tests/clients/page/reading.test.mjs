// Documents as they are read: Markdown that is rendered, its links, and the cited lines on windows of every width.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test as anyTest } from 'node:test';
import {
  axeFindings, becomes, emulateScheme, hides, launch, makeStore, openTab, Server, shows, textOf, textsOf, widerThanWindow,
} from './rig.mjs';

const test = (name, run) => anyTest(name, { timeout: 600_000 }, run);

const GUIDE = `---
title: The guide
---
# Guide

A *first* paragraph of **two**
lines with \`code\`.

## Parts

- one
- two
  1. nested
- [x] done

| name | size |
| :--- | ---: |
| \`pier\` | 12 |
| quay | 7 |

\`\`\`cc
int main() {
  return 42;  // the heron
}
\`\`\`

> A quote.

See [the pier](../src/pier.cc:2-3), [the parts](#parts), [other](other.md#far-below), [missing](missing.md),
[the web](https://example.com/a?b=c), [[birds]], <https://example.org>, ![a plan](plan.png).
`;
const lineOf = (text) => GUIDE.split('\n').findIndex((line) => line.includes(text)) + 1;

const HOSTILE = `# <img src="/x" onerror="window.hacked = 1">

[a](javascript:window.hacked=2) [b](JaVaScRiPt:alert(1)) [c](data:text/html,<script>window.hacked=3</script>)
![d](javascript:window.hacked=4) [e](vbscript:x) [f](//evil.example/x) [g]: javascript:window.hacked=5
<script>window.hacked = 6</script> <iframe src="javascript:window.hacked=7"></iframe> <svg onload="window.hacked=8">

[r]: javascript:window.hacked=9

[r] <javascript:window.hacked=10> [[<b onclick=alert(1)>]] [h](" onclick="window.hacked=11)

| <style>*{display:none}</style> | <form action=/x> |
| --- | --- |
| <input autofocus onfocus=window.hacked=12> | \u202elevel |

\`\`\`" onmouseover="window.hacked=13
</code></pre><img src=x onerror=window.hacked=14>
\`\`\`
`;

const LONG = Array.from({ length: 400 }, (_, i) => `Paragraph ${i} of the pier, with some words so that it fills more than a line on a telephone.\n`).join('\n');
const FILES = {
  'docs/guide.md': GUIDE,
  'docs/other.md': `# Other\n\n${LONG.slice(0, 8000)}\n\n## Far below\n\nThe end.\n`,
  'docs/long.md': `# Long\n\n${LONG}`,
  'docs/hostile.md': HOSTILE,
  'docs/nested.md': `# Nested\n\n${'> '.repeat(5000)}quoted\n\n${'- '.repeat(5000)}listed\n\n${'['.repeat(5000)}\n\n${'*a '.repeat(5000)}\n\n![far](https://pictures.example/a.png)\n`,
  'docs/parts.md': `# Parts\n\n## First\n\n${LONG.slice(0, 3000)}\n### Deeper\n\n${LONG.slice(0, 3000)}\n## Second\n\n${LONG.slice(0, 3000)}`,
  'docs/huge.md': `# Huge\n\n${'Words of the quay.\n\n'.repeat(25_000)}`,
  'docs/pier.txt': `${Array.from({ length: 500 }, (_, i) => `${i + 1}: a stone of the pier`).join('\n')}\n`,
  'src/pier.cc': 'int a;\nint Pier(int heron) {\n  return heron;\n}\n',
  'birds.md': '# Birds\n\nHerons.\n',
};

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

const ofDoc = (target, more = '') => `#doc=${encodeURIComponent(target)}${more}`;

async function openDoc(t, target, { more = '', ...size } = {}) {
  const tab = await openTab(browser, t, size);
  await tab.goto(`${server.url}/${ofDoc(target, more)}`);
  await shows(tab, '#document-facts:not(:empty)');
  return tab;
}

test('Markdown is shown as it is meant, and as its source', async (t) => {
  const tab = await openDoc(t, 'docs/guide.md');
  await shows(tab, '#rendered h3');
  assert.deepEqual(await tab.$$eval('#rendered > :not(pre)', (all) => all.map((one) => one.tagName)),
    ['H3', 'P', 'H4', 'UL', 'DIV', 'BLOCKQUOTE', 'P']);
  assert.equal(await textOf(tab, '#rendered h3'), 'Guide');
  assert.equal(await textOf(tab, '#rendered p'), 'A first paragraph of two\nlines with code.');
  assert.deepEqual(await textsOf(tab, '#rendered p em, #rendered p strong, #rendered p > code'), ['first', 'two', 'code']);
  assert.deepEqual(await textsOf(tab, '#rendered li ol li'), ['nested']);
  assert.equal(await tab.$eval('.has-task .task', (task) => task.getAttribute('aria-label')), 'done');
  assert.deepEqual(await textsOf(tab, '#rendered td'), ['pier', '12', 'quay', '7']);
  assert.equal(await tab.$eval('#rendered td:last-child', (cell) => getComputedStyle(cell).textAlign), 'right');
  assert.equal(await textOf(tab, '#rendered pre:last-of-type'), 'int main() {\n  return 42;  // the heron\n}\n');
  assert.deepEqual(await textsOf(tab, '#rendered .code-comment'), ['// the heron']);
  assert.ok((await textsOf(tab, '#rendered .code-keyword')).includes('return'));
  await tab.click('[data-as="source"]');
  await becomes(tab, () => [...document.querySelectorAll('.line .text')].map((line) => line.textContent), GUIDE.trimEnd().split('\n'));
  assert.match(await tab.evaluate(() => location.hash), /&as=source/);
  assert.equal(await tab.$eval('[data-as="source"]', (button) => button.getAttribute('aria-pressed')), 'true');
  assert.equal(await tab.$eval('#rendered', (place) => place.hidden), true);
  await tab.evaluate(() => history.back());
  await shows(tab, '#rendered h3');
  await hides(tab, '.line');
});

test('what is cited is marked, whatever it is part of', async (t) => {
  const tab = await openDoc(t, `docs/guide.md:${lineOf('## Parts')}-${lineOf('## Parts')}`);
  const cited = () => [...document.querySelectorAll('#rendered .cited')].map((one) => one.textContent.trim());
  await becomes(tab, cited, ['Parts']);
  for (const [from, to, expected] of [
    ['quay', 'quay', ['quay7']], ['1. nested', '1. nested', ['nested']], ['return 42', '}', ['return 42;  // the heron', '}']],
    ['A *first*', 'lines with', ['A first paragraph of two\nlines with code.']], ['> A quote', '> A quote', ['A quote.']],
  ]) {
    await tab.goto(`${server.url}/${ofDoc(`docs/guide.md:${lineOf(from)}-${to === '}' ? lineOf('return 42') + 1 : lineOf(to)}`)}`);
    await becomes(tab, cited, expected);
  }
  // A number beside a block cites its lines.
  const first = lineOf('A *first*');
  await tab.$eval(`#rendered .number[data-number="${first}"]`, (number) => number.click());
  await becomes(tab, cited, ['A first paragraph of two\nlines with code.']);
  assert.equal(await textOf(tab, '#document-title .where'), `${first}–${first + 1}`);
  await tab.focus(`#rendered .number[data-number="${first}"]`);
  await tab.keyboard.press('ArrowDown');
  await tab.keyboard.press('Enter');
  await becomes(tab, cited, ['Parts']);
});

test('links lead to documents that exist, to headings and to the web, and to nothing else', async (t) => {
  const tab = await openDoc(t, 'docs/guide.md');
  await becomes(tab, () => [...document.querySelectorAll('#rendered a.link')].map((link) => link.textContent),
    ['the pier', 'the parts', 'other', 'the web', 'birds', 'https://example.org']);
  assert.deepEqual(await tab.$$eval('#rendered a.out', (all) => all.map((link) => [link.getAttribute('href'), link.rel, link.target])),
    [['https://example.com/a?b=c', 'noopener noreferrer', '_blank'], ['https://example.org/', 'noopener noreferrer', '_blank']]);
  assert.deepEqual(await textsOf(tab, '#rendered .unknown'), ['missing', 'a plan']);
  const follow = (text) => tab.$$eval('#rendered a.link', (all, wanted) => all.find((link) => link.textContent === wanted).click(), text);
  await follow('the parts');
  await becomes(tab, () => document.querySelector('#rendered .cited')?.textContent, 'Parts');
  await follow('other');
  await becomes(tab, () => document.querySelector('#rendered .cited')?.textContent, 'Far below');
  assert.equal(await textOf(tab, '#document-title .path'), 'docs/other.md');
  assert.ok(await tab.evaluate(isCitedInView));
  await tab.goto(`${server.url}/${ofDoc('docs/guide.md')}`);
  await shows(tab, '#rendered a.link[data-doc="birds.md"]');
  await follow('the pier');
  await becomes(tab, () => [...document.querySelectorAll('.line.cited .text')].map((line) => line.textContent), ['int Pier(int heron) {', '  return heron;']);
});

test('nothing in Markdown is markup, a script or a request', async (t) => {
  const tab = await openTab(browser, t);
  const asked = [];
  tab.on('request', (request) => asked.push(request.url()));
  await tab.goto(`${server.url}/${ofDoc('docs/hostile.md')}`);
  await shows(tab, '#rendered pre');
  await tab.waitForNetworkIdle({ idleTime: 200 });
  assert.equal(await textOf(tab, '#rendered h3'), '<img src="/x" onerror="window.hacked = 1">');
  assert.equal(await tab.evaluate(() => document.querySelectorAll('#rendered :is(img, svg, iframe, script, style, form, input, object, embed, base, meta)').length), 0);
  assert.deepEqual(await tab.$$eval('#rendered a', (all) => all.map((link) => link.getAttribute('href')).filter((href) => !/^(\.\/)?#/.test(href))), []);
  assert.deepEqual(await tab.$$eval('#rendered *', (all) => all.flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on') || name === 'style' || name === 'src')), []);
  assert.deepEqual(await tab.$$eval('#rendered .control', (all) => all.map((one) => one.dataset.code)), ['U+202E']);
  assert.match(await textOf(tab, '#rendered'), /<iframe src="javascript:window\.hacked=7"><\/iframe>/);
  for (const link of await tab.$$('#rendered a, #rendered .unknown, #rendered td, #rendered pre')) await link.evaluate((one) => one.click());
  assert.equal(await tab.evaluate(() => window.hacked), undefined);
  assert.deepEqual(asked.filter((url) => !url.startsWith(server.url)), []);
});

test('however deep Markdown is nested, the page is not, and it asks nobody else', async (t) => {
  const tab = await openTab(browser, t);
  const asked = [];
  tab.on('request', (request) => asked.push(request.url()));
  await tab.goto(`${server.url}/${ofDoc('docs/nested.md')}`);
  await shows(tab, '#rendered .image, #rendered .unknown');
  await tab.waitForNetworkIdle({ idleTime: 200 });
  const depth = await tab.evaluate(() => Math.max(...[...document.querySelectorAll('#rendered *')].map((one) => {
    let levels = 0;
    for (let at = one; at.id !== 'rendered'; at = at.parentElement) ++levels;
    return levels;
  })));
  assert.ok(depth < 200, `${depth}`);
  assert.match(await textOf(tab, '#rendered'), /quoted[^]*listed/);
  assert.deepEqual(asked.filter((url) => !url.startsWith(server.url)), []);
});

test('the outline lists the headings, nested, and leads to them', async (t) => {
  const tab = await openDoc(t, 'docs/parts.md', { width: 1280, height: 500 });
  await shows(tab, '#outline summary');
  assert.equal(await textOf(tab, '#outline-title'), 'Outline: 4 headings');
  await tab.focus('#document');
  await tab.keyboard.press('o');
  assert.deepEqual(await tab.$$eval('.outline-link', (all) => all.map((link) => [link.textContent.trim(), link.closest('#outline-list > li > ol') !== null])),
    [['Parts', false], ['First', true], ['Deeper', true], ['Second', true]]);
  await tab.keyboard.press('End');
  await tab.keyboard.press('Enter');
  await becomes(tab, () => document.querySelector('#rendered .cited')?.textContent, 'Second');
  assert.ok(await tab.evaluate(isCitedInView));
  await becomes(tab, () => document.querySelector('.outline-link[aria-current]')?.textContent.trim(), 'Second');
  await tab.focus('#document');
  await tab.keyboard.press('[');
  await becomes(tab, () => document.querySelector('#rendered .cited')?.textContent, 'Deeper');
});

test('a long document is shown as lines', async (t) => {
  const tab = await openDoc(t, 'docs/huge.md:40001-40001');
  await shows(tab, '.line.cited');
  assert.equal(await textOf(tab, '.line.cited .text'), 'Words of the quay.');
  assert.equal(await tab.$eval('#ways', (ways) => ways.hidden), true);
});

const isCitedInView = () => {
  const { top, bottom } = document.querySelector('#document .cited').getBoundingClientRect();
  const head = document.querySelector('.document-head').getBoundingClientRect().bottom;
  return top >= head - 1 && bottom <= innerHeight && bottom > top;
};

test('the cited line is in view and the document scrolls, on every window', async (t) => {
  for (const [width, height] of [[360, 740], [390, 844], [640, 480], [899, 800], [900, 800], [901, 800], [1280, 800], [1920, 1080]]) {
    for (const [target, more] of [['docs/long.md:401-401', ''], ['docs/long.md:401-401', '&as=source'], ['docs/pier.txt:250-251', '']]) {
      const what = `${target}${more} at ${width}`;
      const tab = await openDoc(t, target, { more: `&q=pier${more}`, width, height });
      await shows(tab, '#document .cited');
      assert.ok(await tab.evaluate(isCitedInView), what);
      const top = () => tab.$eval('#document', (place) => place.scrollTop);
      const before = await top();
      assert.ok(before > 0, what);
      await tab.focus('#document');
      await tab.keyboard.press('End');
      // At the end, because the way to it goes on against a wheel.
      await tab.waitForFunction((was) => {
        const { scrollTop, clientHeight, scrollHeight } = document.getElementById('document');
        return scrollTop > was && scrollTop + clientHeight >= scrollHeight - 1;
      }, {}, before);
      const { x, y, width: wide, height: high } = await (await tab.$('#document')).boundingBox();
      await tab.mouse.move(x + wide - 30, y + high / 2);
      await tab.mouse.wheel({ deltaY: -100_000 });
      await tab.waitForFunction(() => document.getElementById('document').scrollTop === 0, { timeout: 10_000 }).catch(() => assert.fail(`no wheel: ${what}`));
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), what);
      await tab.close();
    }
  }
});

test('a finger scrolls the document', async (t) => {
  const tab = await openTab(browser, t);
  await tab.setViewport({ width: 360, height: 740, hasTouch: true, isMobile: true });
  await tab.goto(`${server.url}/${ofDoc('docs/long.md:401-401')}`);
  await shows(tab, '#rendered .cited');
  assert.ok(await tab.evaluate(isCitedInView));
  const before = await tab.$eval('#document', (place) => place.scrollTop);
  const client = await tab.createCDPSession();
  const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', { x: 180, y: 600 });
  for (let y = 590; y >= 300; y -= 10) await touch('touchMove', { x: 180, y });
  await touch('touchEnd');
  await tab.waitForFunction((was) => document.getElementById('document').scrollTop > was + 100, {}, before);
});

test('documents pass the accessibility rules and fit the window, light and dark', async (t) => {
  for (const scheme of ['light', 'dark']) {
    for (const width of [360, 1280]) {
      for (const target of ['docs/guide.md:17-20', 'docs/hostile.md', 'src/pier.cc:2-3']) {
        const tab = await openDoc(t, target, { more: '&q=heron', width, height: 800 });
        await emulateScheme(tab, scheme);
        await shows(tab, target.endsWith('.md') ? '#rendered h3' : '#document .cited');
        await tab.waitForNetworkIdle({ idleTime: 100 });
        assert.deepEqual(await widerThanWindow(tab), [], target);
        assert.deepEqual(await axeFindings(tab), [], `${target} ${width} ${scheme}`);
        await tab.close();
      }
    }
  }
});
