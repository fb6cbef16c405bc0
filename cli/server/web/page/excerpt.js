// The excerpt of a result: code with its colours and the numbers of its lines, Markdown with its lines joined.

import { el } from './elements.js';
import { languageOf } from './languages.js';
import { lexLine } from './lexer.js';
import { cellsOf } from './markdown_blocks.js';
import { drawInline } from './markdown_view.js';
import { inCharacters, showCode, showRanges } from './text.js';

const NONE = new Map();
const HEADING = /^ {0,3}#{1,6}[ \t]+/;
const ITEM = /^\s*(?:[-+*]|\d{1,9}[.)])[ \t]/;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const TABLE = /^\s*\|/;
const RULED = /^[\s|:-]*$/; // the line below the head of a table

// Makes the excerpt of a result of a document.
export function excerptElement({ text, highlights, start_line: first }, { path, parser }) {
  const shown = text.trimEnd();
  const marks = inCharacters(text, highlights);
  if (parser === 'code') return codeElement(shown, marks, path, first);
  const place = el('div', { class: 'snippet' });
  if (parser !== 'markdown' && parser !== 'note') return showRanges(place, shown, marks);
  for (const { kind, start, end } of partsOf(shown)) {
    place.append(kind === 'prose' || kind === 'title' ? proseElement(shown, [{ start, end }], marks, kind)
      : kind === 'row' ? rowElement(shown, start, end, marks) : showRanges(el('span', { class: kind }), shown.slice(start, end), within(marks, start, end)));
  }
  return place;
}

// Those of ascending ranges that are in a part of a text, counted from its beginning.
const within = (ranges, start, end) => ranges.filter((range) => range.end > start && range.start < end)
  .map((range) => ({ start: Math.max(range.start, start) - start, end: Math.min(range.end, end) - start }));

function codeElement(text, marks, path, first) {
  const language = languageOf(path);
  const place = el('div', { class: 'snippet code' });
  let [state, at] = [null, 0];
  text.split('\n').forEach((line, i, all) => {
    const lexed = lexLine(language, line, state);
    state = lexed.state;
    const row = el('span', { class: 'numbered', 'data-number': first + i });
    showCode(row, line, lexed.tokens, within(marks, at, at + line.length));
    if (i < all.length - 1) row.append('\n');
    place.append(row);
    at += line.length + 1;
  });
  return place;
}

// Divides Markdown into paragraphs, headings and what keeps its lines: { kind, start, end }.
function partsOf(text) {
  const parts = [];
  let [at, fenced] = [0, false];
  for (const line of text.split('\n')) {
    const fence = FENCE.test(line);
    const kind = fenced || fence ? 'mono' : line.trim() === '' ? 'gap' : TABLE.test(line) ? (RULED.test(line) ? 'gap' : 'row')
      : HEADING.test(line) ? 'title' : 'prose';
    if (fence) fenced = !fenced;
    const last = parts.at(-1);
    const start = kind === 'title' ? at + HEADING.exec(line)[0].length : at;
    const end = at + line.length + 1;
    if (last?.kind === kind && (kind === 'mono' || (kind === 'prose' && !ITEM.test(line)))) last.end = end;
    else parts.push({ kind, start, end });
    at = end;
  }
  return parts.map((part) => ({ ...part, end: Math.min(part.end, text.length) }));
}

// A paragraph: emphasis and code are shown as such, links as what they say.
function proseElement(text, segments, marks, kind) {
  const trimmed = segments.map(({ start, end }) => ({ start, end: start + text.slice(start, end).trimEnd().length }));
  const drawing = { text, marks, definitions: NONE, linkOf: (target, shown) => shown };
  return el('span', { class: kind }, ...drawInline(trimmed, drawing));
}

// A row of a table: its cells side by side.
function rowElement(text, start, end, marks) {
  const cells = cellsOf({ text: text.slice(start, end).trimEnd(), start });
  return el('span', { class: 'row' }, ...cells.flatMap((cell, i) => [i ? ' · ' : '', proseElement(text, [cell], marks, 'cell')]));
}
