// What a line of Markdown says: text, emphasis, code, links.
//
// A content is what the segments of a block (markdown_blocks.js) have in a text, one line below the other; its
// nodes are ranges of it, so that marks of the text can be found in what is drawn:
//   text { start, end }, literal { text } (of an entity), break
//   code { start, end }; em, strong, del { children }
//   link { target, children }, image { target, start, end }, wiki { start, end }
// Targets are as they are written: markdown_view.js decides which of them lead anywhere.
//
// Delimiters are matched as CommonMark says: those of emphasis are a list, and each that closes looks back for
// the nearest that opens. Where none was found once, none is looked for again. Cost: in proportion to the
// content, which is cut to MOST_UNITS.

import { nameOfDefinition } from './markdown_blocks.js';

const MOST_UNITS = 20_000; // what is behind them is text
const MOST_TARGET = 2000; // characters of a destination
const MOST_DEPTH = 12; // of emphasis and links in each other
const ENTITIES = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', hellip: '…', mdash: '—', ndash: '–',
  larr: '←', rarr: '→', uarr: '↑', darr: '↓', times: '×', middot: '·', deg: '°', euro: '€', le: '≤', ge: '≥', ne: '≠',
};

const SPECIAL = /[\\`*_~[\]!<&\nh]/g;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const URL_TEXT = /https?:\/\/[^\s<>`]{1,2000}/y;
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,2000})>/y;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,8}));/y;
const WIKI = /\[\[([^[\]\n|]{1,200})(?:\|([^[\]\n]{1,200}))?\]\]/y;
const REFERENCE = /\[([^[\]]{0,200})\]/y;

// The content of segments of a text: { text, segments }, its lines joined.
export const contentOf = (text, segments) => ({ text: segments.map(({ start, end }) => text.slice(start, end)).join('\n'), segments });

// Ascending ranges of the whole text as ranges of a content.
export function rangesIn({ segments }, ranges) {
  const found = [];
  let at = 0;
  for (const { start, end } of segments) {
    for (const range of ranges) {
      const [from, to] = [Math.max(range.start, start), Math.min(range.end, end)];
      if (from < to) found.push({ start: at + from - start, end: at + to - start });
    }
    at += end - start + 1;
  }
  return found;
}

// Reads a content. `definitions` are those of readBlocks. Returns: nodes.
export function readInline(content, definitions) {
  const reader = {
    text: content.text.slice(0, MOST_UNITS), at: 0, plain: 0, first: null, last: null, brackets: [], definitions, codeEnds: null,
  };
  while (reader.at < reader.text.length) {
    SPECIAL.lastIndex = reader.at;
    const match = SPECIAL.exec(reader.text);
    reader.at = match ? match.index : reader.text.length;
    if (match && !readSpecial(reader, match[0])) reader.at += 1;
  }
  flush(reader, reader.at);
  if (content.text.length > MOST_UNITS) append(reader, { kind: 'text', start: MOST_UNITS, end: content.text.length });
  matchEmphasis(reader.first);
  return nodesFrom(reader.first);
}

// Nodes are a list of links to the next and the one before, from which parts are taken out.
function append(reader, node) {
  node.before = reader.last;
  node.next = null;
  if (reader.last) reader.last.next = node;
  else reader.first = node;
  reader.last = node;
  return node;
}

// Ends the plain text at `end`.
function flush(reader, end) {
  if (end > reader.plain) append(reader, { kind: 'text', start: reader.plain, end });
  reader.plain = end;
}

// Puts a node in place of the text from `at` to `end`.
function put(reader, node, end) {
  flush(reader, reader.at);
  append(reader, node);
  reader.at = reader.plain = end;
  return true;
}

// Reads what begins at the character `mark`. Returns: false if it is plain text.
function readSpecial(reader, mark) {
  switch (mark) {
    case '\\': return readEscape(reader);
    case '`': return readCode(reader);
    case '*': case '_': case '~': return readDelimiters(reader, mark);
    case '!': return reader.text[reader.at + 1] === '[' && openBracket(reader, 2);
    case '[': return readWiki(reader) || openBracket(reader, 1);
    case ']': return closeBracket(reader);
    case '<': return readMatch(reader, AUTOLINK, (match) => linkOfText(match[1], reader.at + 1));
    case '&': return readMatch(reader, ENTITY, entityOf);
    case '\n': return readBreak(reader);
    default: return readUrl(reader);
  }
}

function readMatch(reader, regex, make) {
  regex.lastIndex = reader.at;
  const match = regex.exec(reader.text);
  const node = match && make(match);
  return Boolean(node) && put(reader, node, regex.lastIndex);
}

function readEscape(reader) {
  const next = reader.text[reader.at + 1];
  if (next === '\n') return put(reader, { kind: 'break' }, reader.at + 2);
  if (next === undefined || !/[!-/:-@[-`{-~]/.test(next)) return false;
  flush(reader, reader.at);
  reader.plain = reader.at + 1;
  reader.at += 2;
  return true;
}

// A line that ends in two spaces breaks there.
function readBreak(reader) {
  let start = reader.at;
  while (start > reader.plain && reader.text[start - 1] === ' ') start -= 1;
  if (reader.at - start < 2) return false;
  flush(reader, start);
  reader.plain = reader.at;
  return put(reader, { kind: 'break' }, reader.at + 1);
}

function entityOf([, decimal, hex, name]) {
  if (name !== undefined) return Object.hasOwn(ENTITIES, name) && { kind: 'literal', text: ENTITIES[name] };
  const code = decimal !== undefined ? Number(decimal) : parseInt(hex, 16);
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return { kind: 'literal', text: valid ? String.fromCodePoint(code) : '\ufffd' };
}

const linkOfText = (target, start) => ({ kind: 'link', target, children: [{ kind: 'text', start, end: start + target.length }] });

// An address in the text. Marks that end a sentence are not of it, nor is a bracket that it did not open.
function readUrl(reader) {
  if (/[\p{L}\p{N}_]/u.test(reader.text[reader.at - 1] ?? ' ')) return false;
  return readMatch(reader, URL_TEXT, ([found]) => {
    let url = found.replace(/[.,:;!?'"*_~]{1,100}$/, '');
    if (url.endsWith(')') && !url.includes('(')) url = url.replace(/\){1,100}$/, '');
    URL_TEXT.lastIndex -= found.length - url.length;
    return linkOfText(url, reader.at);
  });
}

function readWiki(reader) {
  return readMatch(reader, WIKI, ([, target, shown]) => {
    const start = reader.at + 2 + (shown === undefined ? 0 : target.length + 1);
    return { kind: 'wiki', target: target.trim(), start, end: start + (shown ?? target).length };
  });
}

// Code between backquotes: as many end it as begin it. Which runs of them there are is looked up once.
function readCode(reader) {
  reader.codeEnds ??= runsOfBackquotes(reader.text);
  const { length } = /^`+/.exec(reader.text.slice(reader.at))[0];
  const from = reader.at + length;
  const ends = reader.codeEnds.get(length);
  while (ends.length > 0 && ends.at(-1) < from) ends.pop();
  if (ends.length === 0) {
    reader.at = from;
    return true; // it stays plain text
  }
  const close = ends.pop();
  let [start, end] = [from, close];
  const inner = reader.text.slice(start, end);
  if (/^[ \n].*[ \n]$/s.test(inner) && inner.trim() !== '') [start, end] = [start + 1, end - 1];
  return put(reader, { kind: 'code', start, end }, close + length);
}

// The places of runs of backquotes by their length, the last one first.
function runsOfBackquotes(text) {
  const runs = new Map();
  for (const { 0: { length }, index } of text.matchAll(/`+/g)) {
    if (!runs.has(length)) runs.set(length, []);
    runs.get(length).push(index);
  }
  for (const places of runs.values()) places.reverse();
  return runs;
}

function readDelimiters(reader, mark) {
  const { text, at } = reader;
  let end = at;
  while (text[end] === mark) end += 1;
  const [before, after] = [text[at - 1] ?? ' ', text[end] ?? ' '];
  const [spaceBefore, spaceAfter] = [/\s/.test(before), /\s/.test(after)];
  const [markBefore, markAfter] = [PUNCTUATION.test(before), PUNCTUATION.test(after)];
  const left = !spaceAfter && (!markAfter || spaceBefore || markBefore);
  const right = !spaceBefore && (!markBefore || spaceAfter || markAfter);
  const inWord = mark === '_' && left && right;
  const count = end - at;
  const usable = mark !== '~' || count === 2;
  return put(reader, {
    kind: 'delimiter', mark, start: at, end, count, opens: usable && left && (!inWord || markBefore), closes: usable && right && (!inWord || markAfter),
  }, end);
}

function openBracket(reader, length) {
  const { at } = reader;
  put(reader, { kind: 'bracket', start: at, end: at + length }, at + length);
  reader.brackets.push(reader.last);
  return true;
}

// Ends a link or an image, if what follows is its destination: `(target "title")`, `[name]`, or nothing.
function closeBracket(reader) {
  const opening = reader.brackets.pop();
  if (!opening) return false;
  const found = destinationAt(reader, reader.at + 1) ?? referenceAt(reader, opening);
  if (!found) return false;
  const isImage = opening.end - opening.start === 2;
  const { at } = reader;
  flush(reader, at);
  const inside = opening.next;
  if (inside) inside.before = null;
  cutBefore(reader, opening);
  if (isImage) return put(reader, { kind: 'image', target: found.target, start: opening.end, end: at }, found.end);
  matchEmphasis(inside);
  const children = nodesFrom(inside);
  reader.brackets = []; // a link has none in it, so those that are open become text
  return put(reader, { kind: 'link', target: found.target, children, depth: depthOf(children) + 1 }, found.end);
}

// Takes the nodes from `node` on out of the list.
function cutBefore(reader, node) {
  reader.last = node.before;
  if (node.before) node.before.next = null;
  else reader.first = null;
}

// Reads `(target "title")`, in which brackets are balanced. Returns: { target, end }, or null.
function destinationAt({ text }, at) {
  if (text[at] !== '(') return null;
  let start = at + 1;
  while (text[start] === ' ') start += 1;
  const angled = text[start] === '<';
  let [end, open] = [angled ? start + 1 : start, 0];
  const most = Math.min(text.length, start + MOST_TARGET);
  for (; end < most; ++end) {
    const char = text[end];
    if (angled ? char === '>' || char === '\n' : /\s/.test(char) || (char === ')' && open === 0)) break;
    if (char === '\\') end += 1;
    else if (char === '(') open += 1;
    else if (char === ')') open -= 1;
  }
  if (angled && text[end] !== '>') return null;
  const target = text.slice(angled ? start + 1 : start, end).replace(/\\([!-/:-@[-`{-~])/g, '$1');
  const close = /^[\s]{0,20}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\))?[\s]{0,20}\)/.exec(text.slice(angled ? end + 1 : end, end + 600));
  return close && { target, end: (angled ? end + 1 : end) + close[0].length };
}

// The destination of `[text][name]`, `[name][]` or `[name]`.
function referenceAt({ text, at, definitions }, opening) {
  if (definitions.size === 0) return null;
  REFERENCE.lastIndex = at + 1;
  const match = REFERENCE.exec(text);
  const own = at - opening.end <= 200 ? text.slice(opening.end, at) : '';
  const target = definitions.get(nameOfDefinition(match?.[1] || own));
  return target === undefined ? null : { target, end: match ? REFERENCE.lastIndex : at + 1 };
}

// Makes emphasis of the delimiters in a list of nodes.
function matchEmphasis(first) {
  const lowest = new Map(); // where nothing opens for this kind of closing, the node before which to stop
  for (let closer = first; closer;) {
    if (closer.kind !== 'delimiter' || !closer.closes || closer.count === 0) {
      closer = closer.next;
      continue;
    }
    const kind = `${closer.mark}${closer.opens}${closer.end - closer.start}`;
    const opener = openerBefore(closer, lowest.get(kind));
    if (opener) {
      enclose(opener, closer);
    } else {
      lowest.set(kind, closer.before);
      if (!closer.opens) closer.closes = false;
      closer = closer.next;
    }
  }
}

function openerBefore(closer, lowest) {
  for (let node = closer.before; node && node !== lowest; node = node.before) {
    if (node.kind !== 'delimiter' || node.mark !== closer.mark || !node.opens || node.count === 0) continue;
    const [a, b] = [node.end - node.start, closer.end - closer.start];
    const third = (node.closes || closer.opens) && (a + b) % 3 === 0 && (a % 3 !== 0 || b % 3 !== 0);
    if (!third) return node;
  }
  return null;
}

// Makes one node of what is between two delimiters, and takes the marks that this needs from them.
function enclose(opener, closer) {
  const used = closer.mark === '~' ? 2 : opener.count >= 2 && closer.count >= 2 ? 2 : 1;
  const children = [];
  for (let node = opener.next; node !== closer; node = node.next) children.push(node);
  opener.count -= used;
  closer.count -= used;
  const inside = children.map(plainDelimiter);
  const depth = depthOf(inside) + 1;
  const kind = closer.mark === '~' ? 'del' : used === 2 ? 'strong' : 'em';
  // Emphasis that is too deep is left out; what it emphasizes is not.
  const node = { kind: depth > MOST_DEPTH ? 'group' : kind, children: inside, depth: Math.min(depth, MOST_DEPTH) };
  node.before = opener;
  node.next = closer;
  opener.next = node;
  closer.before = node;
}

const depthOf = (nodes) => nodes.reduce((most, { depth = 0 }) => Math.max(most, depth), 0);

// What is left of a delimiter is text: the marks that nothing has used.
const plainDelimiter = (node) => (node.kind === 'delimiter' ? { kind: 'text', start: node.end - node.count, end: node.end }
  : node.kind === 'bracket' ? { kind: 'text', start: node.start, end: node.end } : node);

// The nodes of a list as an array; texts that follow each other are one.
function nodesFrom(first) {
  const nodes = [];
  for (let node = first; node; node = node.next) {
    const plain = plainDelimiter(node);
    const last = nodes.at(-1);
    if (plain.kind === 'text' && plain.start === plain.end) continue;
    if (plain.kind === 'text' && last?.kind === 'text' && last.end === plain.start) nodes[nodes.length - 1] = { ...last, end: plain.end };
    else nodes.push(plain);
  }
  return nodes;
}
