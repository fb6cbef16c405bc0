// The open document as it is meant to be read: Markdown with its headings, lists, tables and code.
//
// The whole document is read for it, because what a line means depends on those before it; so a long one is shown
// as lines. Which lines are cited, and the words of the result, are marked in what is drawn.

import { docTarget, opens, parseTarget } from './citation.js';
import { byId, el } from './elements.js';
import { readBlocks } from './markdown_blocks.js';
import { anchorOf, linkTarget } from './markdown_links.js';
import { drawBlocks } from './markdown_view.js';
import { pane } from './pane.js';
import { isAbort } from './problems.js';
import { openedHit } from './search.js';
import { newestOnly, run } from './server.js';
import { fragmentOf, go, NO_DOC, state } from './state.js';
import { inCharacters } from './text.js';
import { textLiteral } from './filters.js';

const MOST_BYTES = 400_000; // a longer document is shown as lines
const MOST_LINKS = 200; // documents that are looked up in the store
const FEW = 1500; // cells and lines: with more of them, numbers beside the lines are left out

const rendered = { newest: newestOnly(), units: [] };

// Whether a document can be rendered.
export const isMarkdown = ({ parser, size }) => (parser === 'markdown' || parser === 'note') && size <= MOST_BYTES;

// Whether the open document is to be rendered: unless the state asks for its source.
export const isRendered = (doc) => isMarkdown(doc) && state.as !== 'source';

// The whole text of a document of which a passage was read.
export async function readWhole({ doc, chunk }, signal) {
  if (chunk.start_byte === 0 && chunk.end_byte >= doc.size) return chunk.text;
  return (await run('get', { target: doc.path }, signal)).get.chunk.text;
}

// Shows a text, and marks what the state cites.
export function showRendered(text, path) {
  const { blocks, definitions } = readBlocks(text);
  const links = [];
  const snippet = openedHit(state.doc)?.snippet;
  const marks = snippet ? inCharacters(text, snippet.highlights.map(({ start, end }) => ({ start: snippet.start_byte + start, end: snippet.start_byte + end }))) : [];
  const few = text.length < 100 * FEW;
  const { elements, units } = drawBlocks(blocks, {
    text, definitions, marks, hideMeta: pane.card !== null,
    linkOf: (target, place, isWiki) => linkElement(target, place, isWiki, path, links),
    numberOf: (first, last) => few && numberElement(path, first, last),
  });
  rendered.units = units.sort((a, b) => a.first - b.first || b.last - a.last);
  byId('rendered').replaceChildren(...elements);
  const first = byId('rendered').querySelector('.number');
  if (first) first.tabIndex = 0;
  markCited();
  leadToDocuments(path, links);
}

export function hideRendered() {
  rendered.units = [];
  byId('rendered').replaceChildren();
  byId('rendered').hidden = true;
  rendered.newest(async () => {}).catch(() => {});
}

// The element beside a block that cites its lines. Its text is made by the style, so it is not copied.
function numberElement(path, first, last) {
  const target = docTarget(path, first, last);
  return el('a', {
    class: 'number', 'data-number': first, tabindex: -1, 'aria-label': first === last ? `Line ${first}` : `Lines ${first} to ${last}`,
    href: `./${fragmentOf({ ...state, ...NO_DOC, doc: target })}`, 'data-cites': target,
  });
}

// Marks the units with cited lines. Returns: the first of them, or the one behind the cited lines if none has them.
function markCited() {
  const { first, last } = parseTarget(state.doc);
  let found = null;
  for (const { first: from, last: to, element } of rendered.units) {
    const isCited = from <= last && to >= first;
    element.classList.toggle('cited', isCited);
    if (isCited) found ??= element;
  }
  return found ?? (last > 0 ? rendered.units.find(({ last: to }) => to >= first)?.element ?? null : null);
}

// Scrolls to what the state cites, with the first word of the result in view.
export function scrollToCited(atTop) {
  const cited = markCited();
  const scroller = byId('document');
  if (!cited || atTop) {
    scroller.scrollTop = 0;
    return;
  }
  const head = document.querySelector('.document-head').offsetHeight;
  const target = cited.querySelector('mark') ?? cited;
  const top = target.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  if (top < head || top > 0.8 * scroller.clientHeight) scroller.scrollTop += top - Math.max(head + 16, scroller.clientHeight / 3);
}

// Makes a link, if its target is one that links may have; else what it shows is text. A link to a document leads
// there once the server has said that the document exists.
function linkElement(target, shown, isWiki, path, links) {
  const found = isWiki ? { wiki: target, first: 1, last: 0, anchor: '' } : linkTarget(target, path);
  if (!found) return shown;
  if (found.url) return el('a', { class: 'link out', href: found.url, target: '_blank', rel: 'noopener noreferrer' }, shown);
  const place = el('span', { class: 'unknown' }, shown);
  links.push({ place, ...found });
  return place;
}

// Makes those links lead somewhere whose documents exist.
async function leadToDocuments(path, links) {
  for (const link of links) if (link.path === path) leadTo(link, path);
  const wanted = links.filter((link) => link.path !== path);
  const known = await rendered.newest((signal) => lookUp(wanted, signal)).catch((error) => {
    if (!isAbort(error)) console.error(error);
    return null;
  });
  if (!known) return;
  for (const link of wanted) {
    const found = link.wiki === undefined ? known.paths.has(link.path) && link.path
      : candidates(link).find((one) => known.paths.has(one)) ?? known.titles.get(link.wiki);
    if (found) leadTo(link, found);
  }
}

// The paths that [[a]] may mean.
const candidates = ({ path, wiki }) => (wiki === undefined ? [path] : [wiki, `${wiki}.md`, `notes/${wiki}.md`]);

async function lookUp(links, signal) {
  const paths = [...new Set(links.flatMap(candidates))].slice(0, MOST_LINKS);
  const titles = [...new Set(links.map(({ wiki }) => wiki).filter((wiki) => wiki !== undefined))].slice(0, MOST_LINKS);
  const known = { paths: new Set(), titles: new Map() };
  if (paths.length === 0) return known;
  const among = (field, values) => `${field} IN (${values.map(textLiteral).join(', ')})`;
  const filter = [among('doc.path', paths), ...(titles.length > 0 ? [among('doc.title', titles)] : [])].join(' OR ');
  const { results } = await run('query', { rql: `SELECT doc.path, doc.title FROM doc FILTER ${filter} LIMIT ${2 * MOST_LINKS}` }, signal);
  for (const { doc } of results) {
    known.paths.add(doc.path);
    if (typeof doc.meta?.title === 'string') known.titles.set(doc.meta.title, doc.path);
  }
  return known;
}

function leadTo({ place, first, last, anchor }, path) {
  const link = el('a', { class: 'link' }, ...place.childNodes);
  opens(link, last > 0 ? docTarget(path, first, last) : path);
  if (anchor !== '') link.addEventListener('click', (event) => followAnchor(event, path, anchor), { capture: true });
  place.replaceWith(link);
}

// Opens a document at a heading. The lines of a heading of another document are asked for.
async function followAnchor(event, path, anchor) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const own = path === pane.path && headings().find(({ element }) => anchorOf(element.textContent) === anchor.toLowerCase());
  let lines = own ? `${own.first}-${own.last}` : '';
  if (!own) {
    try {
      lines = (await run('get', { target: `${path}#${anchor}`, fields: 'lines' })).get.lines ?? '';
    } catch {
      lines = ''; // there is no such heading: the document is opened at its beginning
    }
  }
  const [first, last = first] = lines.split('-').map(Number);
  go({ ...NO_DOC, doc: first > 0 ? docTarget(path, first, own ? last : first) : path });
  byId('document').focus();
}

// The headings of what is shown: [{ text, level, line }].
export const headingsShown = () => headings().map(({ first, element }) => ({
  text: element.textContent, level: Number(element.className.at(6)), line: first }));

// The first cited line, or else the first one in view; undefined if nothing is shown.
export function lineRead() {
  const top = document.querySelector('.document-head').getBoundingClientRect().bottom;
  const inView = rendered.units.filter(({ element }) => element.getBoundingClientRect().bottom > top);
  return (inView.find(({ element }) => element.classList.contains('cited')) ?? inView[0])?.first;
}

const headings = () => rendered.units.filter(({ element }) => /^H\d$/.test(element.tagName));

export function connectRendered() {
  const place = byId('rendered');
  place.addEventListener('click', (event) => {
    const number = event.target.closest('.number');
    if (!number || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go({ doc: number.dataset.cites });
  });
  // The arrows lead from number to number.
  place.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.matches('.number')) return;
    event.preventDefault();
    const numbers = [...place.querySelectorAll('.number')];
    const next = numbers[numbers.indexOf(event.target) + step];
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  for (const button of document.querySelectorAll('[data-as]')) {
    button.addEventListener('click', () => go({ as: button.dataset.as }));
  }
}
