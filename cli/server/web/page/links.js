// The links of the open document: a list, and a picture of its neighbourhood.

import { nameOf, opens } from './citation.js';
import { byId, el } from './elements.js';
import { graphOf } from './graph.js';
import { chip, chipsOf } from './note.js';
import { pane, showCard } from './pane.js';
import { isAbort } from './problems.js';
import { newestOnly, run } from './server.js';
import { showText } from './text.js';

export const links = { newest: newestOnly(), path: '', depth: 1, answer: null };

// Shows the documents within `depth` links of a document.
export async function showLinks(path, depth = links.depth) {
  if (path !== links.path) {
    byId('links').hidden = true;
    pane.lifecycle = undefined;
  }
  Object.assign(links, { path, depth });
  try {
    const answer = await links.newest((signal) => run('links', { target: path, depth }, signal));
    links.answer = answer.links;
    drawLinks();
  } catch (error) {
    if (isAbort(error)) return;
    links.path = '';
    byId('links').hidden = true; // the error is shown where the text of the document would be
  }
}

function drawLinks() {
  const { documents, links: all } = links.answer;
  pane.lifecycle = documents[0].lifecycle ?? undefined;
  showCard();
  const leaving = all.filter(({ source }) => source === documents[0].path);
  const own = [...leaving, ...all.filter(({ target }) => target === documents[0].path)];
  const out = leaving.length;
  const place = byId('links');
  place.hidden = own.length === 0;
  // Of a note the text comes first.
  document.querySelector('.document-body')[documents[0].type ? 'after' : 'before'](place);
  if (place.dataset.path !== links.path) place.open = pane.card !== null || documents.some(({ type }) => type);
  place.dataset.path = links.path;
  byId('links-title').textContent = `Links: ${out} out, ${own.length - out} in`;
  for (const button of document.querySelectorAll('.distance')) {
    button.setAttribute('aria-pressed', String(Number(button.dataset.depth) === links.depth));
  }
  byId('graph').replaceChildren(...(own.length > 0 ? graphOf(documents, all) : []));
  showCenter();
  const byPath = new Map(documents.map((one) => [one.path, one]));
  byId('link-list').replaceChildren(...own.map((link) => linkElement(link, byPath, documents[0].path)));
}

// Scrolls the picture, if it is wider than its place, so that the open document is in the middle.
export function showCenter() {
  const center = document.querySelector('#graph .center circle');
  if (center) byId('graph').scrollLeft = center.getAttribute('cx') - byId('graph').clientWidth / 2;
}

// A row of the list. `byPath` has the documents; `self` is the path of the open one.
function linkElement({ source, target, relation, weight, reason }, byPath, self) {
  const out = source === self;
  const other = byPath.get(out ? target : source);
  const name = showText(other.missing ? el('span', { class: 'missing' }) : opens(el('a', { class: 'link' }), other.path), nameOf(other));
  name.title = other.path;
  return el('li', {},
    el('span', { class: 'arrow', 'aria-hidden': 'true' }, out ? '→' : '←'),
    showText(el('span', { class: 'relation' }), relation),
    name,
    el('span', { class: 'chips' }, ...chipsOf({ type: other.type ?? '', status: '', tags: [] }, other.lifecycle),
      weight !== 1 && el('span', { class: 'note' }, weight.toFixed(2)), other.missing && chip('missing', 'late')),
    el('span', { class: 'sr-only' }, out ? 'link to it' : 'links here'),
    reason && showText(el('p', { class: 'note reason' }), reason));
}
