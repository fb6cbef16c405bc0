// What there is among the documents of the question, and how many of each: folders, kinds, dates, tags, agents.
//
// One request reads the path and the facts of every document that satisfies the filter and has words of the query.
// A click puts a condition into the filter, or takes it out; the server filters. The request waits until the
// results are there and nothing is typed, so that it delays neither.

import { byId, el } from './elements.js';
import { hasCondition, textLiteral, withCondition, withoutCondition } from './filters.js';
import { count } from './format.js';
import { isAbort } from './problems.js';
import { questionOf, wholeFilter } from './question.js';
import { newestOnly, pause, run } from './server.js';
import { textsIn } from './session_facts.js';
import { go, state } from './state.js';
import { showText } from './text.js';
import { folderElements } from './tree.js';

const MOST_DOCUMENTS = 20_000; // that are counted
const MOST_VALUES = 12; // of a group that are listed at first
const REST_MS = 250;

const DATES = [
  ['last day', "doc.mtime >= '-1d'", 1], ['last week', "doc.mtime >= '-7d'", 7], ['last month', "doc.mtime >= '-30d'", 30],
  ['last year', "doc.mtime >= '-365d'", 365],
];
const DAY = 86_400_000;

const facets = { newest: newestOnly(), asked: null, answer: null, all: new Set() };

// Counts for the state. With `anew` the server is asked even if they are shown already.
export async function showFacets(anew) {
  const visible = state.tab === 'search' || state.tab === 'context';
  byId('side').hidden = !visible;
  if (!visible) return;
  const asked = questionOf(state);
  if (asked === facets.asked && !anew) return;
  facets.asked = asked;
  byId('narrow').classList.add('stale');
  try {
    facets.answer = await facets.newest(async (signal) => {
      await pause(REST_MS, signal);
      return readDocuments(signal);
    });
    draw();
  } catch (error) {
    if (isAbort(error)) return;
    facets.asked = null;
    facets.answer = null; // what is wrong with the question is said where its results would be
    byId('narrow').replaceChildren();
  }
}

async function readDocuments(signal) {
  const words = state.q.trim();
  const kind = state.view === 'sessions' ? ["doc.kind = 'session'"] : [];
  const filters = [wholeFilter(), ...kind].filter(Boolean);
  const filter = filters.length > 1 ? `(${filters[0]}) AND ${filters[1]}` : filters[0];
  const { results, stats } = await run('query', { rql: [
    'SELECT doc.path, doc.kind, doc.tag, doc.tags, doc.mtime, doc.session.agent FROM doc',
    words && `USING lexical(${textLiteral(words)})`, filter && `FILTER ${filter}`, `LIMIT ${MOST_DOCUMENTS}`,
  ].filter(Boolean).join(' ') }, signal);
  return { documents: results.map(({ doc }) => doc), total: stats.total_hits };
}

function draw() {
  const { documents, total } = facets.answer;
  const focused = document.activeElement.closest?.('#narrow [data-key]')?.dataset.key;
  const groups = [
    ['Kind', valuesOf(documents, ({ kind }) => [kind], (value) => `doc.kind = ${textLiteral(value)}`)],
    ['Changed', datesOf(documents)],
    ['Tag', tagsOf(documents)],
    ['Agent', valuesOf(documents, ({ session }) => textsIn(session?.agent), (value) => `doc.session.agent = ${textLiteral(value)}`)],
  ];
  const more = total > documents.length && el('p', { class: 'note' }, `The first ${count(documents.length)} of ${count(total)} documents are counted.`);
  byId('narrow').replaceChildren(
    groupElement('Folders', folderElements(documents.map(({ path }) => path), draw)),
    ...groups.filter(([, values]) => isOfUse(values, documents.length)).map(([name, values]) => groupElement(name, valueElements(name, values))),
    more || '');
  byId('narrow').classList.remove('stale');
  byId('narrow-count').textContent = state.filter.trim() === '' ? '' : `${count(total)} left`;
  if (!focused) return;
  // What had the focus keeps it; if it is gone, what narrows now has it.
  const places = [...byId('narrow').querySelectorAll('[data-key]')];
  (places.find(({ dataset }) => dataset.key === focused) ?? byId('narrow').querySelector('[aria-pressed="true"]') ?? places[0])?.focus();
}

// Counts the documents for each value. Returns: [{ value, condition, number }], the most frequent first.
function valuesOf(documents, valuesIn, conditionFor) {
  const numbers = new Map();
  for (const one of documents) {
    for (const value of new Set(valuesIn(one))) numbers.set(value, (numbers.get(value) ?? 0) + 1);
  }
  return [...numbers].map(([value, number]) => ({ value, condition: conditionFor(value), number }))
    .sort((a, b) => b.number - a.number || (a.value < b.value ? -1 : 1));
}

// A document has the tag that it was added with, a note those of its card.
function tagsOf(documents) {
  const own = new Set(documents.map(({ tag }) => tag).filter(Boolean));
  const ofCards = new Set(documents.flatMap(({ meta }) => textsIn(meta?.tags)));
  const conditions = (value) => [own.has(value) && `doc.tag = ${textLiteral(value)}`, ofCards.has(value) && `doc.tags = ${textLiteral(value)}`].filter(Boolean);
  const conditionFor = (value) => (conditions(value).length > 1 ? `(${conditions(value).join(' OR ')})` : conditions(value)[0]);
  return valuesOf(documents, ({ tag, meta }) => [...textsIn(tag), ...textsIn(meta?.tags)], conditionFor);
}

function datesOf(documents) {
  const now = Date.now();
  return DATES.map(([value, condition, days]) => ({
    value, condition, number: documents.filter(({ mtime }) => mtime && Date.parse(mtime) >= now - days * DAY).length, isDate: true }))
    .filter(({ number }, i, all) => number > 0 && number !== all[i - 1]?.number);
}

// Whether values tell documents apart: those that all have narrow nothing.
const isOfUse = (values, total) => values.some(({ number, condition }) => number < total || hasCondition(state.filter, condition));

const groupElement = (name, children) => children.length > 0 && el('section', { class: 'facets', 'aria-label': name },
  el('h2', {}, name), ...children);

function valueElements(name, values) {
  const all = facets.all.has(name);
  const shown = all ? values : values.slice(0, MOST_VALUES);
  const list = el('ul', { class: 'facet-list' }, ...shown.map((value) => el('li', {}, valueElement(name, value))));
  if (shown.length === values.length) return [list];
  const more = el('button', { class: 'facet-more', 'data-key': `${name}:more` }, `${count(values.length - shown.length)} more`);
  more.addEventListener('click', () => {
    facets.all.add(name);
    draw();
  });
  return [list, more];
}

function valueElement(name, { value, condition, number, isDate }) {
  const pressed = hasCondition(state.filter, condition);
  const button = el('button', { class: 'facet', 'aria-pressed': String(pressed), title: condition, 'data-key': `${name}:${value}` },
    showText(el('span', { class: 'value' }), value), el('span', { class: 'number-of' }, count(number)));
  const replaced = isDate ? (one) => one.startsWith('doc.mtime ') : undefined;
  button.addEventListener('click', () => go({
    filter: pressed ? withoutCondition(state.filter, condition) : withCondition(state.filter, condition, replaced) }));
  return button;
}

// Where there is no room beside the results, a button shows and hides it all.
export function connectFacets() {
  byId('narrow-button').addEventListener('click', () => {
    const open = byId('side').classList.toggle('open');
    byId('narrow-button').setAttribute('aria-expanded', String(open));
  });
}
