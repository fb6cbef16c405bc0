// The view of the store: its figures. Measurements and events run as long as the view is open.

import { byId, el, shadedBar } from './elements.js';
import { followEvents } from './events.js';
import { bytes, count } from './format.js';
import { pollMetrics } from './metrics.js';
import { isAbort, showProblem } from './problems.js';
import { ask, newestOnly, run } from './server.js';
import { state } from './state.js';
import { showText } from './text.js';

const store = {
  newest: newestOnly(),
  visit: null, // AbortController that ends measurements and events; null while the view is closed
  shown: null, // the store that is shown
  commit: null, // the commit whose figures are shown
};

// Opens the view or closes it, as the state says. With `anew`, or for another store, it is opened afresh.
export function showStore(anew) {
  const visible = state.tab === 'store';
  const changed = anew || store.shown !== state.store;
  if (!visible || changed) leaveStore();
  if (!visible || store.visit) return;
  store.shown = state.store;
  store.visit = new AbortController();
  const { signal } = store.visit;
  showFigures();
  pollMetrics(signal);
  followEvents(signal, showIfNewer);
}

function leaveStore() {
  store.visit?.abort();
  Object.assign(store, { visit: null, shown: null, commit: null });
}

async function showFigures() {
  try {
    const [answer, version] = await store.newest(async (signal) => Promise.all([
      run('stats', {}, signal), ask('/version', { signal }).then((response) => response.json())]));
    showProblem(byId('store-problem'), null);
    store.commit = answer.stats.snapshot;
    byId('figures').replaceChildren(...figureElements(answer, version));
    byId('sizes').replaceChildren(sizesElement(answer.store.sizes));
  } catch (error) {
    if (!isAbort(error)) showProblem(byId('store-problem'), error);
  }
}

// Shows the figures again after a commit. A stream of events begins with the last commit, whose figures may
// be shown already.
function showIfNewer(commit) {
  if (store.commit !== null && commit !== store.commit) showFigures();
}

// A server that hides documents tells nothing of the whole file.
function figureElements({ stats, store: facts }, version) {
  const known = (format, value) => (value === undefined ? undefined : format(value));
  const figures = [
    ['documents', count(stats.corpus.docs)],
    ['chunks', count(stats.corpus.chunks)],
    ['words', count(stats.corpus.tokens)],
    ['text', bytes(stats.corpus.bytes)],
    ['file', known(bytes, stats.db_size_bytes)],
    ['commit', stats.snapshot],
    ['vectors', `${facts.embedding}, ${facts.embedding_dim}`],
    ['removed chunks', known(count, facts.removed_chunks)],
    ['recall', version.version.program],
  ];
  const shown = figures.filter(([, value]) => value !== undefined);
  return shown.map(([name, value]) => el('div', {}, el('dt', {}, name), showText(el('dd'), String(value))));
}

function sizesElement(sizes) {
  const parts = Object.entries(sizes ?? {});
  const sum = parts.reduce((total, [, size]) => total + size, 0) || 1;
  const bar = shadedBar(parts.map(([, size]) => size / sum));
  bar.setAttribute('aria-label', parts.map(([name, size]) => `${name} ${bytes(size)}`).join(', '));
  return el('div', { class: 'sizes' }, bar, legend(parts.map(([name, size]) => `${name} ${bytes(size)}`)));
}

function legend(names) {
  const entry = (name, i) => el('span', {}, el('span', { class: `swatch shade-${i}` }), name);
  return el('p', { class: 'legend' }, ...names.map(entry));
}
