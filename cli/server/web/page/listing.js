// Documents without a query: those that satisfy the filter, the newest first.

import { citation, opens } from './citation.js';
import { el } from './elements.js';
import { bytes, timeText } from './format.js';
import { cardOf, chipsOf } from './note.js';
import { wholeFilter } from './question.js';
import { run } from './server.js';
import { sessionLine } from './session_facts.js';
import { state } from './state.js';
import { showText } from './text.js';

const MOST_LISTED = 100;

// Reads the newest documents. Returns: { elements, said }: what is shown of them, and how many there are.
export async function listDocuments(signal) {
  const rql = `SELECT doc.path, doc.parser, doc.mtime, doc.size, doc.tag, doc.meta FROM doc FILTER ${wholeFilter()} ORDER BY doc.mtime DESC, doc.path ASC LIMIT ${MOST_LISTED}`;
  const { results, stats } = await run('query', { rql }, signal);
  const what = state.notes ? 'notes' : 'documents';
  const said = results.length === 0 ? `No ${what}` : stats.total_hits > results.length ? `The newest ${results.length} of ${stats.total_hits} ${what}`
    : `${results.length} ${results.length === 1 ? what.slice(0, -1) : what}, the newest first`;
  return { elements: results.map(({ doc }) => documentElement(doc)), said };
}

function documentElement(doc) {
  const card = cardOf(doc);
  const facts = [doc.mtime && timeText(doc.mtime), bytes(doc.size), doc.tag].filter(Boolean).join(' · ');
  return el('li', { class: 'hit' },
    el('div', { class: 'hit-head' }, opens(el('a', { class: 'cite' }, ...citation(doc.path, 1, 0)), doc.path)),
    card && el('p', { class: 'hit-note' }, showText(el('strong'), card.title), ...chipsOf(card)),
    card?.summary && showText(el('p', { class: 'heading' }), card.summary),
    doc.parser === 'session' ? sessionLine(doc.meta ?? {}) : !card && showText(el('p', { class: 'heading' }), facts));
}
