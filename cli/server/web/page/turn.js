// One turn of a conversation: who said it and when, its text, and the tools that were used.

import { opens } from './citation.js';
import { el } from './elements.js';
import { count, shorten } from './format.js';
import { pane } from './pane.js';
import { openedHit } from './search.js';
import { timeElement } from './session_facts.js';
import { state } from './state.js';
import { inCharacters, showRanges, showText } from './text.js';

const TURN_LENGTH = 20_000; // characters of a turn that are shown at first
const MOST_CALLS = 500; // uses of tools that are listed for a turn

export function turnElement({ ordinal, role, at, text }, calls) {
  const { path, opened, role: only } = pane.session;
  const id = `turn-${ordinal}`;
  const isOpened = ordinal === opened;
  const link = opens(el('a', { class: 'turn-number', title: 'Link to this turn' }, `turn ${ordinal}`), path,
    { turn: String(ordinal), role: only });
  return el('article', {
    class: `turn ${role}`, id, tabindex: '-1', 'aria-labelledby': `${id}-head`, 'aria-current': isOpened && 'true',
  }, el('header', { class: 'turn-head' },
    el('h3', { id: `${id}-head` }, el('span', { class: 'role' }, role), ' ', link),
    isOpened && el('span', { class: 'chip type' }, 'opened'), timeElement(at)),
  turnText(text.replace(/\r\n/g, '\n'), isOpened), toolsElement(calls));
}

// Makes the text of a turn, a part at a time if it is long. Fenced code stands out; no other Markdown is
// interpreted.
function turnText(text, isOpened) {
  const place = el('div', { class: 'turn-text' });
  const blocks = blocksOf(text);
  const marks = isOpened ? marksInTurn(text) : [];
  const add = (from, wanted) => {
    const to = wholeCharacters(text, wanted);
    for (const block of blocks) {
      const [start, end] = [Math.max(block.start, from), Math.min(block.end, to)];
      if (start >= end) continue;
      const ranges = marks.filter((mark) => mark.end > start && mark.start < end)
        .map((mark) => ({ start: Math.max(mark.start - start, 0), end: Math.min(mark.end, end) - start }));
      place.append(showRanges(el(block.code ? 'pre' : 'div', {}), text.slice(start, end), ranges));
    }
    if (to >= text.length) return;
    const more = el('button', { class: 'more', type: 'button' }, `${count(text.length - to)} more characters`);
    more.addEventListener('click', () => {
      more.remove();
      add(to, to + 10 * TURN_LENGTH);
    });
    place.append(more);
  };
  add(0, Math.max(TURN_LENGTH, (marks.at(-1)?.end ?? 0) + TURN_LENGTH / 10));
  return place;
}

// The nearest end of a part of a text, at `at` or behind it, that does not divide a surrogate pair.
const wholeCharacters = (text, at) => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : Math.min(at, text.length));

// Divides a text into fenced code and what is between: [{ code, start, end }].
function blocksOf(text) {
  const blocks = [];
  let [start, fence] = [0, ''];
  for (const { 0: line, 1: mark, 2: rest, index } of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (fence === '') {
      blocks.push({ code: false, start, end: index });
      [start, fence] = [index, mark];
    } else if (mark.startsWith(fence) && rest.trim() === '') {
      const end = Math.min(index + line.length + 1, text.length);
      blocks.push({ code: true, start, end });
      [start, fence] = [end, ''];
    }
  }
  return [...blocks, { code: fence !== '', start, end: text.length }];
}

// The marks of the result that a turn was opened from: ranges in its text.
function marksInTurn(text) {
  const snippet = openedHit(state.doc)?.snippet;
  const at = snippet ? text.indexOf(snippet.text.trimEnd().replace(/\r\n/g, '\n')) : -1;
  return at < 0 ? [] : inCharacters(snippet.text, snippet.highlights).map(({ start, end }) => ({ start: at + start, end: at + end }));
}

// Makes a line that says which tools were used. Opened, it lists each use. Returns: null if there are none.
function toolsElement(calls) {
  if (calls.length === 0) return null;
  const uses = new Map();
  for (const { tool } of calls) uses.set(tool, (uses.get(tool) ?? 0) + 1);
  const names = [...uses].map(([tool, times]) => (times > 1 ? `${tool} ×${times}` : tool));
  const said = `${count(calls.length)} ${calls.length === 1 ? 'use of a tool' : 'uses of tools'}: ${shorten(names.join(', '), 80)}`;
  const details = el('details', { class: 'tools' }, showText(el('summary'), said));
  details.addEventListener('toggle', () => {
    const left = calls.length - MOST_CALLS;
    details.append(el('ul', {}, ...calls.slice(0, MOST_CALLS).map(callElement)),
      left > 0 ? el('p', { class: 'note' }, `and ${count(left)} more`) : '');
  }, { once: true });
  return details;
}

const callElement = ({ tool, path, command }) => el('li', {}, showText(el('strong'), tool),
  path && showText(el('span', { class: 'path' }), path), command && showText(el('code'), `$ ${command}`));
