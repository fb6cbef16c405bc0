#!/usr/bin/env node
// Fits the costs of the token estimate and writes index/subword/token_costs.h.
//
//   fit.mjs TOKEN_FEATURES DIR
//
// The number of tokens of a text is modelled as a sum of costs of its features. The costs are at
// least 0 and minimise the squared relative error over blocks of DIR/fit, plus that of single words
// (which separate what a word costs from what surrounds it), plus a pull towards plausible values
// for features that the texts hardly have. The target is the mean of the vocabularies. Solved by
// coordinate descent; takes about two minutes after counting.

import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {Counts, featuresOf, mean, readTexts} from './counts.mjs';

const kUnit = 256;
const kSweeps = 60;
const kHeader = fileURLToPath(new URL('../../index/subword/token_features.h', import.meta.url));
const kCosts = fileURLToPath(new URL('../../index/subword/token_costs.h', import.meta.url));
// The weight of each kind of text, and of texts that are less typical than others of their kind.
const kKinds = {
  prose: 1, code: 1.3, german: 1, tables: 1.2, cjk: 1, other: .8, capitals: .8, declaration: .5};
const kTexts = {'prose/dictionary': .5, 'prose/copyright': .5};
const kWords = .2;            // the weight of all words
const kWordFrequency = .8;    // the exponent of a word's frequency in its weight
const kPull = 2e-6;

const [program, dir] = process.argv.slice(2);
if (!dir) {
  console.error('usage: fit.mjs TOKEN_FEATURES DIR');
  process.exit(2);
}

// ---- Features ----

const enumeration = fs.readFileSync(kHeader, 'utf8').match(/enum TokenFeature[^{]*\{([\s\S]*?)\};/)[1];
const names = [...enumeration.replace(/\/\/.*/g, '').matchAll(/(k\w+)\s*(?:=[^,]*)?,/g)].map(m => m[1]);
const single = names.indexOf('kFirstPunctuation');
// The groups behind the single features: size, features a line, a plausible cost, and the factor of
// the pull towards it.
const groups = [
  ['kFirstPunctuation', 32, 16, .7, 1], ['kLaterPunctuation', 32, 16, .5, 1],
  ['kLetterPairs', 26 * 26, 26, .04, 3], ['kHanBlocks', 328, 20, .75, 20],
  ['kLetterTriples', 2048, 32, .04, 2]];
const features = groups.reduce((sum, [, size]) => sum + size, single);
const plausible = new Float64Array(features).fill(.5);
const pull = new Float64Array(features).fill(kPull);
names.slice(0, single).forEach((name, i) => {
  if (name.startsWith('kWordAfter')) plausible[i] = .95;
  if (/^k(Capital|Letter|FurtherCapital)/.test(name)) plausible[i] = .1;
  if (/^k(Indent|Wide|Space|Tab|Further|Second|Sixteen|Line|Repeated)/.test(name)) plausible[i] = .3;
});
let first = single;
for (const [, size, , cost, factor] of groups) {
  plausible.fill(cost, first, first + size);
  pull.fill(kPull * factor, first, first + size);
  first += size;
}

// ---- Rows: features, the target, and the weight ----

const counts = new Counts(dir);
const rows = [];
const texts = readTexts(path.join(dir, 'fit'));
const frequencies = new Map();
for (const {kind, name, blocks} of texts) {
  const tokens = await counts.of(blocks);
  const ofKind = texts.filter(text => text.kind === kind).length;
  const weight = kKinds[kind] * (kTexts[`${kind}/${name}`] ?? 1) / ofKind / blocks.length;
  featuresOf(program, blocks).forEach(({features}, i) => {
    const target = mean(tokens[i]);
    rows.push({features, target, weight: weight / (target * target)});
  });
  const words = [...blocks.join('').matchAll(/ ?[A-Za-z\u00c0-\u024f]+/g)];
  const share = kKinds[kind] / ofKind / Math.max(words.length, 20_000);
  for (const [word] of words) frequencies.set(word, (frequencies.get(word) ?? 0) + share);
}
const words = [...frequencies.keys()].sort();
const wordTokens = await counts.of(words);
const wordWeights = words.map(word => frequencies.get(word) ** kWordFrequency);
const allWeights = wordWeights.reduce((sum, weight) => sum + weight);
// A word alone begins a line for the scanner; it stands for words after punctuation.
const swap = new Map([[names.indexOf('kWordAfterLine'), names.indexOf('kWordAfterPunctuation')]]);
const space = names.indexOf('kSpaceBeforeWord');
featuresOf(program, words).forEach(({features}, i) => {
  rows.push({
    features: features.filter(([f]) => f !== space).map(([f, times]) => [swap.get(f) ?? f, times]),
    target: mean(wordTokens[i]),
    weight: kWords * wordWeights[i] / allWeights,
  });
});

// ---- Coordinate descent ----

const columns = Array.from({length: features}, () => []);
rows.forEach((row, i) => row.features.forEach(([f, times]) => columns[f].push([i, times])));
const cost = Float64Array.from(plausible);
const error = Float64Array.from(
    rows, row => row.target - row.features.reduce((sum, [f, times]) => sum + cost[f] * times, 0));
const weights = Float64Array.from(rows, row => row.weight);
for (let sweep = 0; sweep < kSweeps; ++sweep) {
  for (let f = 0; f < features; ++f) {
    let gradient = pull[f] * (plausible[f] - cost[f]);
    let curvature = pull[f];
    for (const [i, times] of columns[f]) {
      gradient += weights[i] * times * error[i];
      curvature += weights[i] * times * times;
    }
    const next = Math.max(0, cost[f] + gradient / curvature);
    const change = next - cost[f];
    if (change === 0) continue;
    for (const [i, times] of columns[f]) error[i] -= change * times;
    cost[f] = next;
  }
}

// ---- The header ----

const rounded = Array.from(cost, c => Math.round(c * kUnit));
let out = `#pragma once

// What each feature of a text costs, in 1/${kUnit} of a token. Written by bench/token_estimate/fit.mjs;
// do not edit. A change of a number changes which passages fit into a budget.

#include <array>
#include <cstdint>

#include "index/subword/token_features.h"

namespace recall {

inline constexpr int64_t kTokenCostUnit = ${kUnit};

// clang-format off
inline constexpr std::array<uint16_t, kTokenFeatures> kTokenCosts = {
`;
for (let f = 0; f < single; ++f) out += `    ${rounded[f]},  // ${names[f]}\n`;
first = single;
for (const [name, size, width] of groups) {
  out += `    // ${name}\n`;
  for (let f = first; f < first + size; f += width) {
    out += '    ' + rounded.slice(f, Math.min(f + width, first + size)).join(',') + ',\n';
  }
  first += size;
}
out += `};
// clang-format on

}  // namespace recall
`;
fs.writeFileSync(kCosts, out);
console.log(`${rows.length} rows, ${features} features: ${kCosts}`);
