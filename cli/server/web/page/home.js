// The first screen: what the store is, and what was added, written and said last.

import { citation, opens } from './citation.js';
import { byId, el } from './elements.js';
import { agoText, bytes, count } from './format.js';
import { cardOf, chipsOf } from './note.js';
import { Gone, isAbort, showProblem } from './problems.js';
import { newestOnly, run } from './server.js';
import { textIn } from './session_facts.js';
import { state } from './state.js';
import { storeName } from './stores.js';
import { showText } from './text.js';

const MOST = 6; // of each kind
const KINDS = [
  ['Documents', 'file', "Add some with recall add."], ['Notes', 'note', 'Write one with recall save.'],
  ['Sessions', 'session', 'recall capture takes over those of your assistants.'],
];

const home = { newest: newestOnly(), asked: null };

// Shows the first screen. With `anew` the server is asked even if it is shown already.
export async function showHome(anew) {
  if (home.asked === state.store && !anew) return;
  home.asked = state.store;
  try {
    const [name, { stats }, ...recent] = await home.newest((signal) => Promise.all([
      storeName(), run('stats', {}, signal), ...KINDS.map(([, kind]) => run('query', { rql: latest(kind) }, signal))]));
    byId('store-name').replaceChildren();
    showText(byId('store-name'), name);
    byId('store-figures').textContent = figuresText(stats);
    byId('recent').replaceChildren(...KINDS.map((kind, i) => recentElement(kind, recent[i])));
    showProblem(byId('home-problem'), null);
  } catch (error) {
    if (isAbort(error)) return;
    home.asked = null;
    if (!(error instanceof Gone)) showProblem(byId('home-problem'), error);
  }
}

// It is looked up anew each time it is shown.
export function leaveHome() {
  home.asked = null;
}

const latest = (kind) => `SELECT doc.path, doc.mtime, doc.parser, doc.meta FROM doc FILTER doc.kind = '${kind}' ORDER BY doc.mtime DESC, doc.path ASC LIMIT ${MOST}`;

const figuresText = ({ corpus, db_size_bytes: size }) => [
  `${count(corpus.docs)} ${corpus.docs === 1 ? 'document' : 'documents'}`, `${count(corpus.chunks)} chunks`, `${count(corpus.tokens)} words`,
  size !== undefined && bytes(size)].filter(Boolean).join(' · ');

function recentElement([name, kind, advice], { results, stats }) {
  const id = `recent-${kind}`;
  return el('section', { class: 'recent', 'aria-labelledby': id },
    el('h2', { id }, name, ' ', el('span', { class: 'number-of' }, count(stats.total_hits))),
    results.length === 0 ? el('p', { class: 'note' }, `None yet. ${advice}`)
      : el('ol', {}, ...results.map(({ doc }) => el('li', {}, ...entryElement(doc, kind)))));
}

function entryElement(doc, kind) {
  const card = kind === 'note' ? cardOf({ ...doc, parser: 'note' }) : null;
  const title = card?.title ?? (kind === 'session' ? textIn(doc.meta?.title) : '');
  const link = opens(el('a', { class: 'recent-link', title: doc.path }), doc.path);
  if (title) showText(link, title);
  else link.append(...citation(doc.path, 1, 0));
  const agent = kind === 'session' ? textIn(doc.meta?.agent) : '';
  return [link, el('span', { class: 'recent-facts' }, doc.mtime && el('time', { datetime: doc.mtime }, agoText(doc.mtime)),
    agent && showText(el('span'), agent), ...(card ? chipsOf({ ...card, tags: [] }) : []))];
}
