// Names of documents and of their lines, and links that open them.

import { byId, el } from './elements.js';
import { fragmentOf, go, NO_DOC, state } from './state.js';
import { showText } from './text.js';

// The nodes of a citation such as "docs/a.md 9–17", in which the name of the file stands out. With
// `last` = 0 it cites the whole document. With `turn`, the number of a turn, it cites that turn of a
// session and no lines.
export function citation(path, first, last, turn = '') {
  const slash = path.lastIndexOf('/') + 1;
  return [
    el('bdi', { class: 'path' }, showText(el('span', { class: 'folder' }), path.slice(0, slash)),
      showText(el('span', { class: 'file' }), path.slice(slash))),
    ' ',
    turn !== '' ? el('span', { class: 'where' }, `turn ${turn}`)
      : last > 0 && el('span', { class: 'where' }, first === last ? `${first}` : `${first}–${last}`),
  ].filter(Boolean);
}

// The target of the command `get` for lines of a document.
export const docTarget = (path, first, last) => `${path}:${first}-${last}`;

// The opposite of docTarget. A target without lines has `last` = 0.
export function parseTarget(target) {
  const match = /^(.*):(\d+)-(\d+)$/s.exec(target);
  if (!match) return { path: target, first: 1, last: 0 };
  return { path: match[1], first: Number(match[2]), last: Number(match[3]) };
}

// Makes a citation that opens the document at these lines or at this turn.
export function citeLink(path, first, last, turn = '') {
  const target = docTarget(path, first, last);
  return opens(el('a', { class: 'cite' }, ...citation(path, first, last, turn)), target, { turn });
}

// Makes a link open a document. `more` has further members of the state: the turn and the role of a
// session. The link has the address of that state, so it can also be copied or opened in another tab.
export function opens(link, target, more = {}) {
  const change = { ...NO_DOC, doc: target, ...more };
  link.setAttribute('href', fragmentOf({ ...state, ...change }));
  link.dataset.doc = target;
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(change);
    byId('document').focus();
  });
  return link;
}

// What a document is called: its title if it has one.
export const nameOf = ({ title, path }) => title || path;

// The links to documents in the list of the open tab.
export const shownLinks = () => [...document.querySelectorAll(`#panel-${state.tab} .cite`)];

// Marks the entries of the lists whose document is open.
export function markOpenHit() {
  for (const link of document.querySelectorAll('.cite')) {
    link.closest('li').classList.toggle('open', link.dataset.doc === state.doc);
  }
}
