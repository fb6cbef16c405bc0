// Prints, for each PDF file, how well the bags of words of its pages agree with those of pdf.js:
// precision (our words that pdf.js has, too), recall (its words that we have), F1; the mean over the
// pages that have words, and the worst page. Running heads, feet and page numbers, which Recall
// leaves out, lower the recall. A last column shows the recall without them: pdf.js's words within
// 10 % of the page's height from the upper and lower edge are forgiven if we do not have them. Pages
// with nothing else are not counted.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

// For drawing only, and from a package of binaries that is not installed.
globalThis.DOMMatrix ??= class {};
const { warn } = console;
console.warn = () => {};
const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
console.warn = warn;

// Words without hyphens, which are joined or kept at the ends of lines by rules that differ.
const words = (text) => text.normalize('NFKC').toLowerCase()
  .replace(/(?<=\p{L})[-\u2010\u00ad]\s*(?=\p{L})/gu, '').match(/[\p{L}\p{N}]+/gu) ?? [];

function bag(list) {
  const counts = new Map();
  for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function common(a, b) {
  let count = 0;
  for (const [word, n] of a) count += Math.min(n, b.get(word) ?? 0);
  return count;
}

async function theirPages(file) {
  const data = new Uint8Array(readFileSync(file));
  const doc = await getDocument({ data, verbosity: VerbosityLevel.ERRORS, useSystemFonts: false }).promise;
  const pages = [];
  for (let n = 1; n <= doc.numPages; ++n) {
    const page = await doc.getPage(n);
    const [, bottom, , top] = page.view;
    const { items } = await page.getTextContent();
    const text = (list) => list.map((item) => item.str + (item.hasEOL ? '\n' : '')).join('');
    const margin = (top - bottom) * 0.1;
    const edge = items.filter((item) => item.transform[5] < bottom + margin || item.transform[5] > top - margin);
    pages.push({ all: words(text(items)), edge: words(edge.map((item) => item.str).join(' ')) });
    page.cleanup();
  }
  await doc.destroy();
  return pages;
}

const mean = (list) => list.reduce((a, b) => a + b, 0) / Math.max(1, list.length);
console.log('| file | pages | words | precision | recall | F1 | recall without edges | worst page |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |');
for (const file of process.argv.slice(2)) {
  const theirs = await theirPages(file);
  const ours = JSON.parse(execFileSync(process.env.EXTRACT_PDF, [file], { maxBuffer: 1 << 30 }));
  const texts = new Map(ours.pages.map((page) => [page.page, page.text]));
  const scores = [];
  theirs.forEach(({ all, edge }, i) => {
    const mine = words(texts.get(i + 1) ?? '');
    const same = common(bag(mine), bag(all));
    const missing = bag(all);
    for (const [word, n] of bag(mine)) missing.set(word, Math.max(0, (missing.get(word) ?? 0) - n));
    const forgiven = common(bag(edge), missing);
    // Nothing on the page, or nothing but a running head.
    if (mine.length === 0 && forgiven === all.length) return;
    const precision = mine.length ? same / mine.length : Number(all.length === 0);
    const recall = all.length ? same / all.length : 1;
    const inner = all.length > forgiven ? same / (all.length - forgiven) : 1;
    const f1 = precision + recall ? (2 * precision * recall) / (precision + recall) : 0;
    scores.push({ page: i + 1, count: all.length, precision, recall, f1, inner });
  });
  const worst = scores.reduce((a, b) => (b.f1 < a.f1 ? b : a), { f1: 2 });
  const row = [basename(file), theirs.length, scores.reduce((sum, s) => sum + s.count, 0),
    ...['precision', 'recall', 'f1', 'inner'].map((key) => mean(scores.map((s) => s[key])).toFixed(4)),
    `${worst.page}: ${worst.f1.toFixed(3)}`];
  console.log(`| ${row.join(' | ')} |`);
}
