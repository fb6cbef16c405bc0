// Draws the blocks of a Markdown text (markdown_blocks.js) as elements. All of it becomes text nodes, so nothing
// in it is markup of the page; links are made by the caller, which decides where they may lead.

import { el } from './elements.js';
import { languageOf } from './languages.js';
import { lexLine } from './lexer.js';
import { contentOf, rangesIn, readInline } from './markdown_inline.js';
import { showCode, showRanges, showText } from './text.js';

// Names of languages that are no extension of their files.
const LANGUAGE_NAMES = {
  javascript: 'js', typescript: 'ts', python: 'py', ruby: 'rb', rust: 'rs', shell: 'sh', console: 'sh', 'c++': 'cc', golang: 'go',
  haskell: 'hs', kotlin: 'kt', csharp: 'cs', 'c#': 'cs', perl: 'pl', rql: 'sql', jsonc: 'json', objc: 'm',
};
const MOST_CODE = 3000; // lines of code that are coloured
const HIGHEST = 3; // the rank of the highest heading; those above it are of the page

// Draws blocks. `view` is { text, definitions, marks, linkOf, numberOf, hideMeta }: marks are ascending ranges of the
// text; linkOf(target, isWiki) makes the element of a link; numberOf(first, last) that which stands beside the lines
// of a block. Returns: { elements, units }: units { first, last, element } are the smallest parts that have lines.
export function drawBlocks(blocks, view) {
  const drawing = { ...view, units: [], rank: HIGHEST - 1 };
  return { elements: blocks.map((block) => drawBlock(block, drawing)).filter(Boolean), units: drawing.units };
}

const DRAW = {
  heading: drawHeading,
  paragraph: (block, drawing) => unit(block, drawing, el('p', {}, numberFor(block, drawing), ...drawInline(block.segments, drawing))),
  rule: (block, drawing) => unit(block, drawing, el('hr')),
  comment: (block, drawing) => unit(block, drawing, wholeText(el('p', { class: 'comment' }, numberFor(block, drawing)), block, drawing)),
  code: drawCode,
  meta: (block, drawing) => (drawing.hideMeta ? null : drawCode({ ...block, info: 'yaml', fenced: true }, drawing)),
  quote: (block, drawing) => el('blockquote', {}, ...drawAll(block.blocks, drawing)),
  list: drawList,
  table: drawTable,
};

const drawBlock = (block, drawing) => DRAW[block.kind](block, drawing);
const drawAll = (blocks, drawing) => blocks.map((block) => drawBlock(block, drawing)).filter(Boolean);
const numberFor = ({ first, last }, { numberOf }) => numberOf(first, last);

function unit({ first, last }, { units }, element) {
  units.push({ first, last, element });
  return element;
}

// No rank is left out on the way down, as in a document that begins with "###".
function drawHeading(block, drawing) {
  drawing.rank = Math.min(block.level + HIGHEST - 1, drawing.rank + 1, 6);
  return unit(block, drawing, el(`h${drawing.rank}`, { class: `title-${block.level}` }, numberFor(block, drawing), ...drawInline(block.segments, drawing)));
}

function drawList({ ordered, start, items }, drawing) {
  const rows = items.map((item) => {
    const [first, ...rest] = item.blocks;
    const task = item.task !== null && el('span', { class: 'task', role: 'img', 'aria-label': item.task ? 'done' : 'to do' }, item.task ? '☑' : '☐');
    // What an item says first stands in its line.
    const lead = first?.kind === 'paragraph';
    const place = lead && unit(first, drawing, el('div', {}, numberFor(first, drawing), task, task && ' ', ...drawInline(first.segments, drawing)));
    return el('li', { class: task && 'has-task' }, place, !lead && task, ...drawAll(lead ? rest : item.blocks, drawing));
  });
  return el(ordered ? 'ol' : 'ul', { start: ordered && start !== 1 ? start : undefined }, ...rows);
}

function drawTable({ align, rows }, drawing) {
  const rowOf = ({ first, cells }, name) => unit({ first, last: first }, drawing, el('tr', {}, ...cells.map((cell, i) =>
    el(name, { class: align[i] && `to-${align[i]}`, scope: name === 'th' && 'col' },
      i === 0 && drawing.numberOf(first, first), ...drawInline([cell], drawing)))));
  const [head, ...body] = rows;
  // A wide table is moved within its place.
  return el('div', { class: 'table', tabindex: 0, role: 'group', 'aria-label': 'Table' },
    el('table', {}, el('thead', {}, rowOf(head, 'th')), el('tbody', {}, ...body.map((row) => rowOf(row, 'td')))));
}

function drawCode(block, drawing) {
  const { segments, info, fenced } = block;
  const name = info.split(/[\s,{]/)[0].toLowerCase();
  const language = languageOf(`x.${LANGUAGE_NAMES[name] ?? name}`);
  const coloured = name !== '' && segments.length <= MOST_CODE;
  let state = null;
  const lines = segments.map((segment, i) => {
    const text = drawing.text.slice(segment.start, segment.end);
    const lexed = coloured ? lexLine(language, text, state) : { tokens: [], state: null };
    state = lexed.state;
    const line = el('span', { class: 'code-line' });
    showCode(line, text, lexed.tokens, rangesIn({ segments: [segment] }, drawing.marks));
    line.append('\n');
    const number = block.first + (fenced ? 1 : 0) + i;
    return unit({ first: number, last: number }, drawing, line);
  });
  return el('pre', { tabindex: 0, role: 'group', 'aria-label': name ? `Code, ${name}` : 'Code' }, numberFor(block, drawing), el('code', {}, ...lines));
}

function wholeText(place, { segments }, { text, marks }) {
  const content = contentOf(text, segments);
  return showRanges(place, content.text, rangesIn(content, marks));
}

// The nodes of segments of the text, as elements. `drawing` is the `view` of drawBlocks.
export function drawInline(segments, drawing) {
  const content = contentOf(drawing.text, segments);
  const within = { content, drawing, marks: rangesIn(content, drawing.marks) };
  return readInline(content, drawing.definitions).map((node) => drawNode(node, within));
}

function drawNode(node, within) {
  const { kind, children } = node;
  if (kind === 'text') return textOf(node, within, document.createDocumentFragment());
  if (kind === 'literal') return showText(document.createDocumentFragment(), node.text);
  if (kind === 'break') return el('br');
  if (kind === 'code') return textOf(node, within, el('code'));
  const place = kind === 'em' || kind === 'strong' || kind === 'del' ? el(kind) : document.createDocumentFragment();
  if (children) place.append(...children.map((child) => drawNode(child, within)));
  else textOf(node, within, place);
  if (kind === 'link' || kind === 'wiki') return within.drawing.linkOf(node.target, place, kind === 'wiki');
  if (kind !== 'image') return place;
  if (node.start === node.end) showText(place, node.target); // it has no other name
  return within.drawing.linkOf(node.target, el('span', { class: 'image' }, place), false);
}

function textOf({ start, end }, { content, marks }, place) {
  const own = marks.filter((mark) => mark.end > start && mark.start < end)
    .map((mark) => ({ start: Math.max(mark.start, start) - start, end: Math.min(mark.end, end) - start }));
  return showRanges(place, content.text.slice(start, end), own);
}
