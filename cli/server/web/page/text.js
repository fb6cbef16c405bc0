// Text of a store in the page. It becomes text nodes alone, so nothing in it is markup; there is no
// innerHTML in these modules.

import { el } from './elements.js';

export const encoder = new TextEncoder();
const decoder = new TextDecoder();

// Control characters except tab and newline, and characters that reorder text. They are shown as codes.
const CONTROLS = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])/u;

// Appends a text to an element as text nodes. Control characters are wrapped in elements that show their
// code, so they have no effect. Returns: the element.
export function showText(parent, text) {
  text.split(CONTROLS).forEach((part, i) => {
    if (part === '') return;
    if (i % 2 === 0) return parent.append(part);
    const code = `U+${part.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    parent.append(el('span', { class: 'control', 'data-code': code }, part));
  });
  return parent;
}

// Appends a text with marks at `ranges`: ascending [start, end) in bytes of UTF-8.
export const showMarked = (parent, text, ranges) => showRanges(parent, text, inCharacters(text, ranges));

// Converts ascending ranges in UTF-8 bytes of a text to ranges in UTF-16 units, which JavaScript counts.
export function inCharacters(text, ranges) {
  const all = encoder.encode(text);
  let [at, byte] = [0, 0];
  const moveTo = (next) => {
    at += decoder.decode(all.subarray(byte, next)).length;
    byte = next;
    return at;
  };
  return ranges.map(({ start, end }) => ({ start: moveTo(start), end: moveTo(end) }));
}

// Appends a text with marks at `ranges`: ascending [start, end) in UTF-16 units.
export function showRanges(parent, text, ranges) {
  let at = 0;
  for (const { start, end } of ranges) {
    showText(parent, text.slice(at, start));
    parent.append(showText(el('mark'), text.slice(start, end)));
    at = end;
  }
  return showText(parent, text.slice(at));
}

// Appends a text with marks and with the colours of `tokens` (lexer.js), both ascending in UTF-16 units.
// Spaces and marks of punctuation belong to no token.
export function showCode(parent, text, tokens, marks) {
  let next = 0;
  const part = (place, start, end) => {
    let at = start;
    for (; next < tokens.length && tokens[next].start < end; ++next) {
      const token = tokens[next];
      const [from, to] = [Math.max(token.start, start), Math.min(token.end, end)];
      showText(place, text.slice(at, from));
      place.append(showText(el('span', { class: `code-${token.kind}` }), text.slice(from, to)));
      at = to;
      if (token.end > end) break; // goes on behind the mark
    }
    return showText(place, text.slice(at, end));
  };
  let at = 0;
  for (const { start, end } of marks) {
    part(parent, at, start);
    parent.append(part(el('mark'), start, end));
    at = end;
  }
  return part(parent, at, text.length);
}

export const fact = (text) => showText(el('span', { class: 'fact' }), text);

// A row of a <dl>: a name and its values. Returns: false if there are no values.
export const factRow = (name, ...children) => children.length > 0 && el('div', {}, el('dt', {}, name), el('dd', {}, ...children));
