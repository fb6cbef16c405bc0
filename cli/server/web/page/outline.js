// The outline of the open document: the definitions of code, nested by their scopes, or the headings of Markdown.

import { docTarget, opens } from './citation.js';
import { byId, el } from './elements.js';
import { textLiteral } from './filters.js';
import { count } from './format.js';
import { linesInView, numberOf } from './lines.js';
import { pane } from './pane.js';
import { isAbort, Problem } from './problems.js';
import { lineRead } from './rendered.js';
import { newestOnly, run } from './server.js';
import { go, state } from './state.js';
import { showText } from './text.js';

const MOST_SYMBOLS = 3000;
const NAME_WITHIN = 4; // lines from the first of a definition in which its name stands
const FEW = 3; // headings: fewer of them need no list
const WHOLE = 60; // lines of a definition that is cited as a whole
const SCOPE = ' > ';

const outline = { newest: newestOnly(), symbols: [], byLine: new Map(), links: [] };

const wide = matchMedia('(min-width: 1100px)');
const roomy = matchMedia('(min-width: 1600px)'); // beside text of Markdown, which needs more
export const qualified = ({ scope, name }) => (scope ? `${scope}${SCOPE}${name}` : name);

// The target of a definition: its lines, or the first one if they are many.
export const definitionTarget = (path, { start_line: first, end_line: last }) =>
  docTarget(path, first, last - first < WHOLE ? last : first);

// Shows the outline of a document of code; of others, and of those without definitions, there is none.
// Returns: whether there are definitions.
export async function showOutline(path, isCode) {
  setSymbols(path, [], 0);
  try {
    const body = { name: '*', filter: `doc.path = ${textLiteral(path)}`, k: MOST_SYMBOLS };
    const answer = await outline.newest((signal) => (isCode ? run('symbols', body, signal) : null));
    if (answer) setSymbols(path, answer.results, answer.stats.total_hits);
  } catch (error) {
    if (!isAbort(error) && !(error instanceof Problem)) throw error; // an older server has no symbols
  }
  return outline.symbols.length > 0;
}

function setSymbols(path, found, total) {
  const symbols = [...found].sort((a, b) => a.start_line - b.start_line || b.end_line - a.end_line);
  Object.assign(outline, { symbols, byLine: new Map(), links: [] });
  for (const symbol of symbols) {
    for (let line = symbol.start_line; line < symbol.start_line + NAME_WITHIN && line <= symbol.end_line; ++line) {
      if (!outline.byLine.has(line)) outline.byLine.set(line, []);
      outline.byLine.get(line).push(symbol);
    }
  }
  const place = byId('outline');
  if (symbols.length > 0 && place.hidden) place.open = wide.matches;
  place.hidden = symbols.length === 0;
  placeOutline();
  byId('outline-title').textContent = `Outline: ${count(total)} ${total === 1 ? 'definition' : 'definitions'}`;
  const left = total - symbols.length;
  byId('outline-list').replaceChildren(...treeOf(symbols).map((node) => nodeElement(path, node)),
    ...(left > 0 ? [el('li', { class: 'note' }, `and ${count(left)} more`)] : []));
  if (outline.links.length > 0) outline.links[0].tabIndex = 0;
  showCurrent();
}

// Shows the headings of a document of Markdown: [{ text, level, line }], ascending.
export function showHeadings(path, headings) {
  outline.newest(async () => {}).catch(() => {}); // what another document asked for
  const shown = headings.length < FEW ? [] : headings;
  const nodes = shown.map(({ text, level, line }, i) => ({
    label: text, level, children: [], target: docTarget(path, line, line),
    symbol: { name: text, kind: '', start_line: line, end_line: (shown.slice(i + 1).find((next) => next.level <= level)?.line ?? Infinity) - 1 } }));
  Object.assign(outline, { symbols: nodes.map(({ symbol }) => symbol), byLine: new Map(), links: [] });
  byId('outline').hidden = nodes.length === 0;
  byId('outline').open = roomy.matches;
  placeOutline();
  byId('outline-title').textContent = `Outline: ${count(nodes.length)} headings`;
  byId('outline-list').replaceChildren(...nestedByLevel(nodes).map((node) => nodeElement(path, node)));
  if (outline.links.length > 0) outline.links[0].tabIndex = 0;
  showCurrent();
}

// Puts the outline beside the text, or above it where the text needs the room.
const placeOutline = () => document.querySelector('.document-body').classList.toggle('reading', pane.rendered && !roomy.matches);

// Nests headings: each belongs to the last one of a higher level.
function nestedByLevel(nodes) {
  const open = [];
  return nodes.filter((node) => {
    while (open.length > 0 && open.at(-1).level >= node.level) open.pop();
    open.at(-1)?.children.push(node);
    open.push(node);
    return open.length === 1;
  });
}

// The definitions whose name may stand in a line.
export const symbolsAt = (line) => outline.byLine.get(line) ?? [];

// The qualified name of the definition of a name in a line, or undefined.
export function definitionOf(name, line) {
  const symbol = symbolsAt(line).find((one) => one.name === name);
  return symbol && qualified(symbol);
}

// Nests definitions, which are ordered by line: each belongs to the last one that is called as its scope, or
// else to a group with the name of the scope.
function treeOf(symbols) {
  const roots = [];
  const byName = new Map();
  for (const symbol of symbols) {
    const node = { symbol, label: symbol.name, children: [] };
    if (symbol.scope && !byName.has(symbol.scope)) {
      const group = { symbol: null, label: symbol.scope, children: [] };
      byName.set(symbol.scope, group);
      roots.push(group);
    }
    (symbol.scope ? byName.get(symbol.scope).children : roots).push(node);
    byName.set(qualified(symbol), node);
  }
  return roots;
}

function nodeElement(path, { symbol, label, children, target }) {
  const below = () => children.length > 0 && el('ol', {}, ...children.map((child) => nodeElement(path, child)));
  if (!symbol) return el('li', {}, showText(el('span', { class: 'outline-scope' }), label), below());
  const link = opens(el('a', { class: 'outline-link', tabindex: -1, title: `${symbol.kind ? `${symbol.kind}, ` : ''}line ${symbol.start_line}` }), target ?? definitionTarget(path, symbol), { name: '' });
  showText(link, label);
  link.append(' ', el('span', { class: 'kind' }, symbol.kind));
  outline.links.push(Object.assign(link, { symbol }));
  // A name with * or ? would be a pattern.
  const uses = symbol.kind && !/[*?]/.test(label) && el('button', { class: 'outline-uses', tabindex: -1, 'aria-label': `Uses of ${label}`, title: 'Definitions and uses (u)' }, 'uses');
  if (uses) uses.addEventListener('click', () => showUsesOf(symbol));
  return el('li', {}, el('div', { class: 'outline-row' }, link, uses), below());
}

function showUsesOf(symbol) {
  go({ name: qualified(symbol) });
  byId('uses').focus({ preventScroll: true });
}

// The line in view, the first one that is cited or else the first one.
function lineInView() {
  const lines = [...byId('lines').children].slice(...linesInView());
  return lines.length === 0 ? undefined : numberOf(lines.find((one) => one.classList.contains('cited')) ?? lines[0]);
}

// The innermost definition around the first line in view that is cited, or else around the first line in view.
function currentLink() {
  const line = pane.rendered ? lineRead() : lineInView();
  if (line === undefined) return undefined;
  return outline.links.filter(({ symbol }) => symbol.start_line <= line && symbol.end_line >= line)
    .reduce((inner, link) => (!inner || link.symbol.start_line >= inner.symbol.start_line ? link : inner), undefined);
}

// Marks the definition in view, and keeps it in view in the list.
export function showCurrent() {
  const current = outline.links.length > 0 ? currentLink() : undefined;
  const before = byId('outline-list').querySelector('[aria-current]');
  if (current === before) return;
  before?.removeAttribute('aria-current');
  if (!current) return;
  current.setAttribute('aria-current', 'true');
  if (!byId('outline').contains(document.activeElement)) setReached(current);
  const list = byId('outline-list');
  const [row, box] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
  if (row.top < box.top || row.bottom > box.bottom) list.scrollTop += row.top - box.top - box.height / 3;
}

// Of all links one is reached by Tab, the others from it by the arrows.
function setReached(link) {
  for (const one of outline.links) one.tabIndex = one === link ? 0 : -1;
}

export function focusOutline() {
  if (byId('outline').hidden) return;
  byId('outline').open = true;
  (outline.links.find((link) => link.tabIndex === 0) ?? outline.links[0]).focus();
}

// Opens the definition behind (1) or before (-1) the current one.
export function moveDefinition(step) {
  const at = outline.links.indexOf(currentLink());
  const link = outline.links[at < 0 ? 0 : at + step];
  if (link) go({ doc: link.dataset.doc, name: '' });
}

export const hasOutline = () => state.doc !== '' && outline.symbols.length > 0;

export function connectOutline() {
  byId('outline').open = wide.matches;
  wide.addEventListener('change', () => (byId('outline').open = wide.matches && !pane.rendered));
  roomy.addEventListener('change', placeOutline);
  byId('outline-list').addEventListener('keydown', (event) => {
    const at = outline.links.indexOf(event.target);
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: outline.links.length - 1 }[event.key];
    if (event.key === 'u' && event.target.symbol.kind) showUsesOf(event.target.symbol);
    else if (to !== undefined && outline.links[to]) {
      setReached(outline.links[to]);
      outline.links[to].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
