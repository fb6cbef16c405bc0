// How near is the main content that Recall takes from a page to that of Mozilla's Readability, or to
// what the page's generator puts into its container of content?
//
//   npm install            in this directory (Node 20 or newer)
//   node measure_content.mjs HTML_TEXTS DIRECTORY [--half develop|held-out|all] [--pages N] [--worst N]
//        [--oracle readability|containers]
//
// DIRECTORY has one sub-directory for each package of documentation, for instance made by
//   apt-get download PACKAGE && dpkg-deb -x PACKAGE_*.deb DIRECTORY/PACKAGE
// HTML_TEXTS is the program bench/html_texts of a build with RECALL_BUILD_BENCH.
//
// Of each package N pages (14) of 2 to 400 KB are taken, by the SHA-256 of their paths. Packages in
// the order of their names belong in turn to the half for development and to the half held out:
// rules are tried with the one only, and figures are told of the other. Pages for which Readability
// finds nothing are left out.
//
// Readability was made for articles. Of documentation it drops whole sections, declarations and
// warnings with references. `containers` compares with the elements in which HTML (`main`,
// `article`, role `main`) and the generators (rustdoc, Doxygen, gi-docgen, GTK-Doc, Asciidoctor; of
// DocBook and Texinfo all but their bars of navigation) put the content, without navigation in
// them. Pages without such an element are left out. Precision and recall are printed as well.
//
// Prints the mean over all pages, and of each package, of F1 over words: letters and digits in lower
// case, each as often as it occurs. "all text" is the same figure for a page's whole text. What
// Readability finds is kept in DIRECTORY/readability.json, what containers hold in containers.json.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readability } from '@mozilla/readability';
import { JSDOM, VirtualConsole } from 'jsdom';

const [program, directory, ...rest] = process.argv.slice(2);
const options = { half: 'develop', pages: '14', worst: '0', oracle: 'readability' };
for (let i = 0; i + 1 < rest.length; i += 2) options[rest[i].slice(2)] = rest[i + 1];

function* pagesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* pagesOf(path);
    else if (entry.isFile() && /\.x?html?$/.test(entry.name)) yield path;
  }
}

const hash = (text) => createHash('sha256').update(text).digest('hex');

function chosenPages(name) {
  const folder = join(directory, name);
  return [...pagesOf(folder)]
    .filter((path) => statSync(path).size >= 2000 && statSync(path).size <= 400000)
    .map((path) => [hash(path.slice(directory.length)), path])
    .sort()
    .slice(0, Number(options.pages))
    .map(([, path]) => path);
}

const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function compare(found, wanted) {
  const counts = new Map();
  for (const word of wanted) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of found) {
    const left = counts.get(word) ?? 0;
    if (left > 0) common += 1;
    counts.set(word, left - 1);
  }
  return {
    f1: found.length + wanted.length === 0 ? 1 : (2 * common) / (found.length + wanted.length),
    precision: common / Math.max(1, found.length),
    recall: common / Math.max(1, wanted.length),
  };
}

// Text of an element with a blank at the borders of blocks, as a reader sees it.
function blockText(html) {
  const spaced = html.replace(/<(\/?)(p|div|li|td|th|tr|h[1-6]|pre|dt|dd|br|section|table|ul|ol|dl)\b/gi, ' <$1$2');
  return new JSDOM(`<body>${spaced}</body>`).window.document.body.textContent;
}

function readable(path) {
  const page = new JSDOM(readFileSync(path), { virtualConsole: new VirtualConsole() });
  const article = new Readability(page.window.document).parse();
  page.window.close();
  return article?.content ? blockText(article.content) : null;
}

const kContainers = ['main', '[role=main]', '#main-content', 'div.contents', 'section#main', 'div.refentry',
  'div#content', 'article'];
const kBars = 'div.navheader, div.navfooter, div.nav-panel, table.navigation, div.header';
const kNoContent = 'script, style, template, noscript, select, textarea, nav, footer, [role=navigation], ' +
  'div.navheader, div.navfooter, div.nav-panel, table.navigation, a.headerlink';

function contained(path) {
  const page = new JSDOM(readFileSync(path), { virtualConsole: new VirtualConsole() });
  const document = page.window.document;
  const selector = kContainers.find((one) => document.querySelector(one));
  let root = selector ? document.querySelector(selector) : null;
  if (!root && document.body?.querySelector(kBars)) root = document.body;
  let text = null;
  if (root) {
    root.querySelectorAll(kNoContent).forEach((part) => part.remove());
    root.querySelectorAll('div.header').forEach((part) => part.querySelector('h1') || part.remove());
    // Doxygen has the title beside the contents.
    const title = selector === 'div.contents' ? document.querySelector('div.headertitle') : null;
    text = blockText((title ? title.innerHTML + ' ' : '') + root.innerHTML);
  }
  page.window.close();
  return text;
}

const names = readdirSync(directory, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();
const halves = { develop: (i) => i % 2 === 0, 'held-out': (i) => i % 2 === 1, all: () => true };
const [oracle, store] = options.oracle === 'containers'
  ? [contained, join(directory, 'containers.json')]
  : [readable, join(directory, 'readability.json')];
const kept = existsSync(store) ? JSON.parse(readFileSync(store)) : {};
const pages = [];
names.filter((_, i) => halves[options.half](i)).forEach((name) => {
  for (const path of chosenPages(name)) {
    const key = path.slice(directory.length);
    if (kept[key] === undefined) {
      try {
        kept[key] = oracle(path);
      } catch {
        kept[key] = null;
      }
    }
    if (kept[key]) pages.push({ name, path, wanted: words(kept[key]) });
  }
});
writeFileSync(store, JSON.stringify(kept));

function extracted(mode) {
  const run = spawnSync(program, [mode], {
    input: pages.map((page) => page.path + '\n').join(''),
    maxBuffer: 1 << 30,
  });
  if (run.status !== 0) throw new Error(`${program}: ${run.stderr}`);
  return run.stdout.toString().split('\x1e').slice(1);
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const main = extracted('main');
const all = extracted('all');
pages.forEach((page, i) => {
  const newline = main[i].indexOf('\n');
  page.score = main[i].slice(0, newline);
  const got = words(main[i].slice(newline + 1));
  const found = compare(got, page.wanted);
  page.main = found.f1;
  page.precision = found.precision;
  page.recall = found.recall;
  page.sizes = [got.length, page.wanted.length];
  page.all = compare(words(all[i].slice(all[i].indexOf('\n') + 1)), page.wanted).f1;
});
for (const name of new Set(pages.map((page) => page.name))) {
  const own = pages.filter((page) => page.name === name);
  console.log(`${name.padEnd(34)} ${String(own.length).padStart(3)} pages  main ${mean(own.map((p) => p.main)).toFixed(3)}  all text ${mean(own.map((p) => p.all)).toFixed(3)}`);
}
console.log(`${options.half}: ${pages.length} pages  main ${mean(pages.map((p) => p.main)).toFixed(4)} (precision ${mean(pages.map((p) => p.precision)).toFixed(3)}, recall ${mean(pages.map((p) => p.recall)).toFixed(3)})  all text ${mean(pages.map((p) => p.all)).toFixed(4)}`);
pages.sort((a, b) => a.main - b.main).slice(0, Number(options.worst)).forEach((page) => {
  console.log(`${page.main.toFixed(3)} all ${page.all.toFixed(3)} words ${page.sizes[0]} of ${page.sizes[1]} ${page.score} ${page.path}`);
});
