// The open document: what its parts (lines, turns, card, links) share.

import { byId, el } from './elements.js';
import { showEditing } from './editor.js';
import { chipsOf } from './note.js';
import { newestOnly } from './server.js';
import { fact, factRow, showText } from './text.js';

export const LINES_AROUND = 30; // shown before a citation, and twice as many after it

export const pane = {
  newest: newestOnly(), // for requests about the open document
  target: null, // "PATH:FIRST-LAST", or null if no document is shown
  turn: '',
  role: '',
  as: '', // 'source' if Markdown is shown as lines
  rendered: false, // whether the text is rendered; else its lines are shown
  session: null, // the pages of its turns (session_pages.js) if it is a session
  store: '',
  hash: '',
  citation: '', // includes the hash of the cited lines
  card: null, // of a note
  lifecycle: undefined, // state of a note, once its links are known
  path: '', // of the document whose lines are shown; '' while they are loaded
  first: 0, // lines that are shown
  last: 0,
};

// Shows the card of the open note, or hides its place.
export function showCard() {
  showEditing();
  const place = byId('note-card');
  place.hidden = !pane.card;
  if (place.hidden) return;
  const { title, summary, triggers, topics, scope, times } = pane.card;
  place.replaceChildren(
    showText(el('h3'), title),
    el('p', { class: 'chips' }, ...chipsOf(pane.card, pane.lifecycle)),
    summary && showText(el('p'), summary),
    el('dl', {}, ...[
      factRow('when', ...triggers.map(fact)), factRow('topics', ...topics.map(fact)), scope && factRow('scope', fact(scope)),
      ...times.map(([name, day]) => factRow(name, fact(day)))].filter(Boolean)));
}
