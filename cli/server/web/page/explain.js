// Why a result has its rank: the parts of its score.

import { el, shadedBar } from './elements.js';
import { count, scoreText } from './format.js';
import { isAbort, showProblem } from './problems.js';
import { searchBody } from './question.js';
import { newestOnly, run } from './server.js';

// The explanations of the results that are shown: { k, promise }. `k` is the number of results.
let explained = null;

const newestExplain = newestOnly();

export function forgetExplanations() {
  explained = null;
}

// Shows or hides the explanation of a result: the element `hit` of a list of `k` results.
export async function toggleExplain(hit, k) {
  const why = hit.querySelector('.why');
  if (!why) return; // a list without ranks has no explanations
  const open = why.getAttribute('aria-expanded') !== 'true';
  why.setAttribute('aria-expanded', String(open));
  hit.querySelector('.explain')?.remove();
  if (!open) return;
  const place = el('div', { class: 'explain' }, el('p', { class: 'note' }, 'asking …'));
  hit.append(place);
  try {
    const { explanations, calibration } = await explanationsOf(k);
    const explain = explanations.get(hit.dataset.chunk);
    place.replaceChildren(...(explain ? explainElements(explain, calibration)
      : [el('p', { class: 'note' }, 'The store has changed since; search again.')]));
  } catch (error) {
    if (!isAbort(error)) showProblem(place, error);
  }
}

// Explains the first `k` results with one request. Returns: { explanations, calibration }; the explanations are a
// map by id of chunk.
function explanationsOf(k) {
  if (explained?.k !== k) {
    const promise = newestExplain((signal) => run('search', searchBody({ k, snippet: 0, explain: true }), signal))
      .then((answer) => ({
        explanations: new Map(answer.results.map(({ chunk, score, explain }) => [chunk.id, { ...explain, score }])),
        calibration: answer.explain.calibration,
      }));
    const mine = { k, promise };
    explained = mine;
    promise.catch(() => { if (explained === mine) explained = null; });
  }
  return explained.promise;
}

// The parts of a score: [name, part, value, rank]. Their sum, times the calibration, is the score.
function partsOf(explain) {
  const ofPath = explain.path_part ?? 0;
  const rank = (number) => (number === undefined ? '' : `rank ${count(number)}`);
  const measured = (name, value, digits) => (value === undefined ? '' : `${name} ${value.toFixed(digits)}`);
  return [
    ['words', (explain.lexical_part ?? 0) - ofPath, measured('BM25', explain.lexical, 2), rank(explain.lexical_rank)],
    ['path', ofPath, measured('BM25', explain.path, 2), ''],
    ['n-grams', explain.gram_part, measured('BM25', explain.grams, 2), ''],
    ['meaning', explain.semantic_part, measured('cosine', explain.semantic, 3), rank(explain.semantic_rank)],
    ['neighbours', explain.neighbour_part, '', ''],
  ].filter(([, part, value]) => part !== undefined && (part !== 0 || value !== ''));
}

function explainElements(explain, calibration) {
  const parts = partsOf(explain);
  const sum = parts.reduce((total, [, part]) => total + Math.max(part, 0), 0);
  const whole = Math.max(sum, calibration ? 1 / calibration : sum) || 1; // the width of a score of 1
  const bar = shadedBar(parts.map(([, part]) => Math.max(part, 0) / whole));
  bar.setAttribute('aria-label', parts.map(([name, part]) => `${name} ${part.toFixed(3)}`).join(', '));
  const rows = parts.map(([name, part, value, rank], i) => el('tr', {},
    el('th', { scope: 'row' }, el('span', { class: `swatch shade-${i}` }), name),
    el('td', {}, part.toFixed(3)), el('td', {}, value), el('td', {}, rank)));
  const notes = [calibration === undefined ? `Score ${scoreText(explain.score)}.`
    : `The sum ${sum.toFixed(3)} × ${calibration.toFixed(3)} is the score ${scoreText(explain.score)}.`];
  if (explain.legs_rank !== undefined) notes.push(`Before reranking it had rank ${explain.legs_rank}.`);
  for (const { stage, was, rank, note } of explain.stages ?? []) {
    notes.push(`Stage ${stage}: rank ${was} → ${rank}${note ? ` (${note})` : ''}.`);
  }
  return [bar, el('table', { class: 'parts' }, ...rows), el('p', { class: 'note' }, notes.join(' '))];
}
