// The list below the filter: what may be typed next. It asks the server for the values of a field, once for each.

import { completionsFor, needsValues, placeAt } from './completing.js';
import { byId, el } from './elements.js';
import { count } from './format.js';
import { newestOnly, run } from './server.js';
import { textsIn } from './session_facts.js';
import { state } from './state.js';
import { showText } from './text.js';

const MOST_DOCUMENTS = 5000; // whose values are read

const list = { newest: newestOnly(), known: new Map(), shown: [], active: -1 };

// Completes what was typed. Values of the store are remembered while the field has the focus.
export async function complete() {
  const input = byId('filter');
  const place = placeAt(input.value, input.selectionStart);
  const values = needsValues(place) ? await valuesOf(place) : [];
  if (values === null || document.activeElement !== input) return close();
  if (input.selectionStart !== input.selectionEnd || place.start !== placeAt(input.value, input.selectionStart).start) return close();
  const now = placeAt(input.value, input.selectionStart);
  const fitting = completionsFor(now, values);
  // What is there already in full is no help.
  const help = fitting.filter(({ name }) => name.toLowerCase() !== now.prefix.toLowerCase() || now.expects === 'value');
  show(help, now);
}

// The values of a field, the most frequent first; null if a newer question has replaced this one.
async function valuesOf({ field }) {
  const key = JSON.stringify([state.store, field]);
  if (!list.known.has(key)) {
    try {
      const { results } = await list.newest((signal) => run('query', { rql: `SELECT ${field} FROM doc FILTER ${field} IS NOT NULL LIMIT ${MOST_DOCUMENTS}` }, signal));
      list.known.set(key, countedValues(results, field));
    } catch {
      return null; // an unknown field, or a newer question
    }
  }
  return list.known.get(key);
}

// Short names of the fields of cards are those of metadata in answers.
const CARD = { triggers: 'recall_when', topics: 'topic_path' };

function countedValues(results, field) {
  const [, ...parts] = field.split('.');
  const numbers = new Map();
  for (const { doc } of results) {
    const own = parts.reduce((value, part) => value?.[part], doc) ?? doc.meta?.[CARD[parts[0]] ?? parts[0]];
    for (const value of new Set(textsIn(own))) numbers.set(value, (numbers.get(value) ?? 0) + 1);
  }
  return [...numbers].map(([value, number]) => ({ value, number })).sort((a, b) => b.number - a.number || (a.value < b.value ? -1 : 1));
}

function show(options, place) {
  list.shown = options;
  list.place = place;
  list.active = -1;
  const isOpen = options.length > 0;
  byId('completions').hidden = !isOpen;
  byId('filter').setAttribute('aria-expanded', String(isOpen));
  byId('filter').removeAttribute('aria-activedescendant');
  byId('completions').replaceChildren(...options.map(({ name, detail }, i) => {
    const row = el('li', { role: 'option', id: `completion-${i}`, 'aria-selected': 'false' },
      showText(el('span', { class: 'value' }), name), detail && showText(el('span', { class: 'number-of' }), /^\d+$/.test(detail) ? count(detail) : detail));
    // The field keeps the focus.
    row.addEventListener('pointerdown', (event) => event.preventDefault());
    row.addEventListener('click', () => accept(i));
    return row;
  }));
}

export const close = () => show([], null);

function move(step) {
  const rows = [...byId('completions').children];
  list.active = (list.active + step + rows.length + (list.active < 0 && step < 0 ? 1 : 0)) % rows.length;
  rows.forEach((row, i) => row.setAttribute('aria-selected', String(i === list.active)));
  rows[list.active].scrollIntoView({ block: 'nearest' });
  byId('filter').setAttribute('aria-activedescendant', `completion-${list.active}`);
}

// Puts a completion into the field, as if it had been typed.
function accept(i) {
  const input = byId('filter');
  const { text } = list.shown[i];
  const rest = input.value.slice(input.selectionStart).replace(/^['"]?\s*/, '');
  const before = input.value.slice(0, list.place.start) + text;
  input.value = before + rest;
  input.setSelectionRange(before.length, before.length);
  close();
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

const KEYS = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  Escape: close,
  Enter: () => (list.active >= 0 ? accept(list.active) : false),
};

export function connectCompletions() {
  const input = byId('filter');
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      complete();
      return;
    }
    const action = list.shown.length > 0 && !event.ctrlKey && !event.altKey && !event.metaKey && KEYS[event.key];
    if (!action || action() === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
  input.addEventListener('blur', () => {
    close();
    list.known.clear();
  });
}
