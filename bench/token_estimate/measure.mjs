#!/usr/bin/env node
// Compares the token estimate with five public vocabularies.
//
//   measure.mjs TOKEN_FEATURES DIR [TEXTS...]
//
// DIR was prepared by texts.py. TEXTS are further directories with KIND/NAME.txt. Prints for each
// text the estimate divided by the tokens of each vocabulary, by their mean and by their median.

import path from 'node:path';
import {Counts, featuresOf, mean, readTexts, vocabularyNames} from './counts.mjs';

const [program, dir, ...more] = process.argv.slice(2);
if (!dir) {
  console.error('usage: measure.mjs TOKEN_FEATURES DIR [TEXTS...]');
  process.exit(2);
}
const counts = new Counts(dir);
const ratio = (estimate, tokens) => (estimate / tokens).toFixed(2);

function line(cells) {
  return '| ' + cells.join(' | ') + ' |';
}

// `tokens`: of each vocabulary.
function row(kind, name, estimate, tokens) {
  const sorted = tokens.toSorted((a, b) => a - b);
  return line([
    kind, name, ratio(estimate, mean(tokens)), ratio(estimate, sorted[2]),
    ...tokens.map(n => ratio(estimate, n)),
  ]);
}

console.log(line(['kind', 'text', 'mean', 'median', ...vocabularyNames]));
console.log(line(['---', '---', ...Array(2 + vocabularyNames.length).fill('---:')]));
for (const texts of [path.join(dir, 'held-out'), ...more]) {
  const kinds = new Map();
  for (const {kind, name, blocks} of readTexts(texts)) {
    const estimates = featuresOf(program, blocks).map(block => block.estimate);
    const tokens = await counts.of(blocks);
    const estimate = estimates.reduce((sum, n) => sum + n);
    const sums = vocabularyNames.map((_, i) => tokens.reduce((sum, of) => sum + of[i], 0));
    console.log(row(kind, name, estimate, sums));
    // Each text of a kind has the same weight.
    const all = kinds.get(kind) ?? {estimate: 0, sums: vocabularyNames.map(() => 0)};
    all.estimate += estimate / mean(sums);
    sums.forEach((sum, i) => all.sums[i] += sum / mean(sums));
    kinds.set(kind, all);
  }
  for (const [kind, {estimate, sums}] of kinds) console.log(row(kind, '**all**', estimate, sums));
}
