// The lines of the open document: their elements, which of them are cited, and which are in view.

import { docTarget, parseTarget } from './citation.js';
import { byId, el } from './elements.js';
import { pane } from './pane.js';
import { openedHit } from './search.js';
import { fragmentOf, go, NO_DOC, state } from './state.js';
import { encoder, inCharacters, showRanges } from './text.js';

const shown = new WeakMap(); // of the element of a line: its text and marks

// What was shown of a line: { text, marks }, the marks in UTF-16 units.
export const shownOf = (line) => shown.get(line);
export const numberOf = (line) => Number(line.dataset.number);

// The element of a line that is shown, or undefined.
export const lineAt = (number) => byId('lines').children[number - pane.first];

// The elements of a passage of whole lines, with the marks of the result that it was opened from.
export function lineElements({ text, start_line: firstLine, start_byte: startByte }) {
  const cited = parseTarget(state.doc);
  const marks = marksOf(state.doc);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let at = startByte;
  return lines.map((line, i) => {
    const size = encoder.encode(line).length;
    const ranges = marks.filter(({ start, end }) => end > at && start < at + size)
      .map(({ start, end }) => ({ start: Math.max(start - at, 0), end: Math.min(end - at, size) }));
    at += size + 1;
    return lineElement(line.replace(/\r$/, ''), firstLine + i, cited, inCharacters(line, ranges));
  });
}

function lineElement(text, number, { path, first, last }, marks) {
  const isCited = number >= first && number <= last;
  // The number is the content of a pseudo-element, so it is not copied with the text.
  const link = el('a', {
    class: 'number', 'data-number': number, 'aria-label': `Line ${number}`, tabindex: number === Math.max(first, 1) ? 0 : -1,
    href: fragmentOf({ ...state, ...NO_DOC, doc: docTarget(path, number, number) }),
  });
  const element = el('div', { class: isCited ? 'line cited' : 'line', 'data-number': number },
    link, showRanges(el('span', { class: 'text' }), text, marks));
  shown.set(element, { text, marks });
  return element;
}

// The marks of the result that a document was opened from: ranges in bytes of the file.
function marksOf(target) {
  const snippet = openedHit(target)?.snippet;
  if (!snippet) return [];
  const from = snippet.start_byte;
  return snippet.highlights.map(({ start, end }) => ({ start: from + start, end: from + end }));
}

// Marks the lines that the state cites, and scrolls to them if the first one is not in view.
export function citeAnew() {
  const { first, last } = parseTarget(state.doc);
  for (const line of byId('lines').children) {
    line.classList.toggle('cited', numberOf(line) >= first && numberOf(line) <= last);
  }
  const line = lineAt(first);
  const { top, bottom } = line.getBoundingClientRect();
  if (top < viewTop() || bottom > viewBottom()) scrollToLine(line);
}

// Scrolls so that a line is a third from the top, below the head, which stays.
export function scrollToLine(line) {
  const scroller = byId('document');
  scroller.scrollTop = line.offsetTop - scroller.clientHeight / 3;
}

const viewTop = () => document.querySelector('.document-head').getBoundingClientRect().bottom;
function viewBottom() {
  const { bottom } = byId('document').getBoundingClientRect();
  return byId('uses').hidden ? bottom : byId('uses').getBoundingClientRect().top;
}

// The lines in view as indices of the children of `lines`: [first, behind the last]. They are searched by
// their place, so of many lines few are measured.
export function linesInView() {
  const lines = byId('lines').children;
  const firstBelow = (y) => {
    let [low, high] = [0, lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lines[middle].getBoundingClientRect().bottom > y) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const end = firstBelow(byId('document').getBoundingClientRect().bottom);
  return [firstBelow(viewTop()), Math.min(end + 1, lines.length)];
}

// A click on a number cites its line. With a key that opens another tab the browser follows the link. The
// arrows lead from number to number.
export function connectLines() {
  byId('lines').addEventListener('click', (event) => {
    const number = event.target.closest('.number');
    if (!number || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const line = numberOf(number.closest('.line'));
    go({ doc: docTarget(parseTarget(state.doc).path, line, line) });
  });
  byId('lines').addEventListener('keydown', (event) => {
    const line = event.target.closest('.number')?.closest('.line');
    const next = event.key === 'ArrowDown' ? line?.nextElementSibling : event.key === 'ArrowUp' ? line?.previousElementSibling : null;
    if (!next) return;
    event.preventDefault();
    focusNumber(next);
  });
}

// Moves the focus to the number of a line; it is the one that Tab leads to from then on.
export function focusNumber(line) {
  for (const number of byId('lines').querySelectorAll('.number[tabindex="0"]')) number.tabIndex = -1;
  const number = line.querySelector('.number');
  number.tabIndex = 0;
  number.focus();
}
