// The blocks of a Markdown text: headings, paragraphs, lists, tables, code, quotes.
//
// A block knows its lines in the text, so that lines which are cited can be found in what is drawn. What it
// says is kept as segments of the text, [start, end) in UTF-16 units, one for each line, without the marks of
// the lists and quotes around it; markdown_inline.js reads those.
//
// What looks like HTML is text. Of the rules of CommonMark those are kept that people use; where a text breaks
// them it is still shown, all of it, if not as it was meant.
//
// Cost: each line is read once for each list or quote around it, of which MOST_LEVELS are told apart.

const MOST_LEVELS = 24;
const MOST_COLUMNS = 200; // of a table; further cells belong to the last one
const MOST_DELIMITERS = 2000; // characters of the line below the head of a table

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])(?:([ \t]+)|$)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const DEFINITION = /^ {0,3}\[([^[\]]{1,200})\]:[ \t]*<?([^\s<>]{1,2000})>?(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;
const COMMENT = /^ {0,3}<!--/;
const TASK = /^\[([ xX])\][ \t]+/;

const isBlank = (line) => line.text.trim() === '';
const indentOf = (text) => /^[ \t]*/.exec(text)[0].replace(/\t/g, '    ').length;

// A line without its first `columns` columns of white space.
function outdented(line, columns) {
  let [at, column] = [0, 0];
  for (; column < columns && (line.text[at] === ' ' || line.text[at] === '\t'); ++at) column += line.text[at] === '\t' ? 4 : 1;
  return { ...line, text: line.text.slice(at), start: line.start + at };
}

const without = (line, length) => ({ ...line, text: line.text.slice(length), start: line.start + length });

// The part of a line as a segment, without white space at its ends.
function segmentOf({ text, start }) {
  const left = text.length - text.trimStart().length;
  const kept = text.trim();
  return { start: start + left, end: start + left + kept.length };
}

// The lines of a text: { text, start, number }, without what ends them.
function linesOf(text) {
  let start = 0;
  const lines = text.split('\n').map((line, i) => {
    const one = { text: line.replace(/\r$/, ''), start, number: i + 1 };
    start += line.length + 1;
    return one;
  });
  if (lines.at(-1).text === '') lines.pop();
  return lines;
}

// Reads a text. Returns: { blocks, definitions }: the destinations of link references by their names, and blocks
// { kind, first, last, … } with the lines from `first` to `last`, counted from 1. The kinds:
//   heading { level, segments }, paragraph { segments }, rule, comment { segments }
//   code { info, segments }, of which the segments are whole lines
//   meta { segments }: YAML at the beginning
//   quote { blocks }, list { ordered, start, items: [{ first, last, task, blocks }] }
//   table { align, rows: [{ first, cells: [segment] }] }, of which the first row is the head
export function readBlocks(text) {
  const reader = { definitions: new Map() };
  const lines = linesOf(text);
  const end = metaEnd(lines);
  const meta = end > 0 ? [{ kind: 'meta', first: 1, last: end, segments: wholeLines(lines.slice(1, end - 1)) }] : [];
  return { blocks: [...meta, ...blocksOf(reader, lines.slice(end), 0)], definitions: reader.definitions };
}

const wholeLines = (lines) => lines.map(({ text, start }) => ({ start, end: start + text.length }));

// The number of lines of the YAML at the beginning; 0 if there is none.
function metaEnd(lines) {
  if (lines[0]?.text.trimEnd() !== '---') return 0;
  const end = lines.findIndex(({ text }, i) => i > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(text));
  return end < 0 ? 0 : end + 1;
}

function blocksOf(reader, lines, level) {
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const { block, next } = readBlock(reader, lines, at, level);
    if (block) blocks.push({ ...block, first: lines[at].number, last: lines[next - 1].number });
    at = next;
  }
  return blocks;
}

// Reads the block that begins in line `at`. Returns: { block, next }: without first and last, and the line behind it.
function readBlock(reader, lines, at, level) {
  const { text } = lines[at];
  if (indentOf(text) >= 4) return readIndented(lines, at);
  if (HEADING.test(text)) return { block: headingOf(lines[at]), next: at + 1 };
  if (FENCE.test(text)) return readFence(lines, at);
  if (COMMENT.test(text)) return readComment(lines, at);
  if (RULE.test(text)) return { block: { kind: 'rule' }, next: at + 1 };
  if (QUOTE.test(text) && level < MOST_LEVELS) return readQuote(reader, lines, at, level);
  if (ITEM.test(text) && level < MOST_LEVELS) return readList(reader, lines, at, level);
  if (beginsTable(lines, at)) return readTable(lines, at);
  const definition = DEFINITION.exec(text);
  if (definition) {
    const name = nameOfDefinition(definition[1]);
    if (!reader.definitions.has(name)) reader.definitions.set(name, definition[2]);
    return { block: null, next: at + 1 };
  }
  return readParagraph(lines, at);
}

// The name of a link reference as names are compared.
export const nameOfDefinition = (name) => name.trim().replace(/\s+/g, ' ').toLowerCase();

function headingOf(line) {
  const [mark, { length: level }] = HEADING.exec(line.text);
  const rest = without(line, mark.length);
  return { kind: 'heading', level, segments: [segmentOf({ ...rest, text: withoutClosing(rest.text.trimEnd()) })] };
}

// A heading without the `#` that may close it, which white space precedes.
function withoutClosing(text) {
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t' ? text.slice(0, end) : text;
}

function readFence(lines, at) {
  const [, mark, info] = FENCE.exec(lines[at].text);
  const indent = indentOf(lines[at].text);
  const close = new RegExp(`^ {0,3}${mark[0]}{${mark.length},}[ \\t]*$`);
  let end = at + 1;
  while (end < lines.length && !close.test(lines[end].text)) end += 1;
  const inner = lines.slice(at + 1, end).map((line) => outdented(line, indent));
  return { block: { kind: 'code', info: info.trim(), fenced: true, segments: wholeLines(inner) }, next: Math.min(end + 1, lines.length) };
}

function readIndented(lines, at) {
  let end = at + 1;
  for (let next = end; next < lines.length && (isBlank(lines[next]) || indentOf(lines[next].text) >= 4); ++next) {
    if (!isBlank(lines[next])) end = next + 1;
  }
  const inner = lines.slice(at, end).map((line) => outdented(line, 4));
  return { block: { kind: 'code', info: '', fenced: false, segments: wholeLines(inner) }, next: end };
}

function readComment(lines, at) {
  let end = at;
  while (end < lines.length - 1 && !lines[end].text.includes('-->')) end += 1;
  return { block: { kind: 'comment', segments: wholeLines(lines.slice(at, end + 1)) }, next: end + 1 };
}

// Whether a line begins a block that ends a paragraph. A list with another number than 1 does not.
function beginsBlock(lines, at) {
  const { text } = lines[at];
  if (indentOf(text) >= 4) return false;
  if (HEADING.test(text) || FENCE.test(text) || RULE.test(text) || QUOTE.test(text) || COMMENT.test(text)) return true;
  const item = ITEM.exec(text);
  return (item && item[3] !== undefined && (/[-+*]/.test(item[2]) || parseInt(item[2], 10) === 1)) || beginsTable(lines, at);
}

function readParagraph(lines, at) {
  let end = at + 1;
  for (; end < lines.length && !isBlank(lines[end]); ++end) {
    const underline = UNDERLINE.exec(lines[end].text);
    if (underline) {
      const level = underline[1][0] === '=' ? 1 : 2;
      return { block: { kind: 'heading', level, segments: lines.slice(at, end).map(segmentOf) }, next: end + 1 };
    }
    if (beginsBlock(lines, end)) break;
  }
  // White space at the end of a line may be a hard break, so it is kept there.
  const segments = lines.slice(at, end).map((line, i) => {
    const { start, end: trimmed } = segmentOf(line);
    return { start, end: i === end - at - 1 ? trimmed : line.start + line.text.length };
  });
  return { block: { kind: 'paragraph', segments }, next: end };
}

function readQuote(reader, lines, at, level) {
  let end = at + 1;
  const inner = [without(lines[at], QUOTE.exec(lines[at].text)[0].length)];
  for (; end < lines.length && !isBlank(lines[end]); ++end) {
    const mark = QUOTE.exec(lines[end].text);
    // A line without a mark goes on with a paragraph.
    if (!mark && (isBlank(inner.at(-1)) || beginsBlock(lines, end))) break;
    inner.push(mark ? without(lines[end], mark[0].length) : lines[end]);
  }
  return { block: { kind: 'quote', blocks: blocksOf(reader, inner, level + 1) }, next: end };
}

function readList(reader, lines, at, level) {
  const ordered = /\d/.test(ITEM.exec(lines[at].text)[2]);
  const kindOf = (text) => {
    const item = ITEM.exec(text);
    return item && !RULE.test(text) ? item[2].at(-1) : null;
  };
  const kind = kindOf(lines[at].text);
  const items = [];
  let next = at;
  while (next < lines.length && kindOf(lines[next].text) === kind) {
    const item = readItem(reader, lines, next, level);
    items.push(item.item);
    next = item.next;
    let blank = next;
    while (blank < lines.length && isBlank(lines[blank])) blank += 1;
    if (blank < lines.length && kindOf(lines[blank].text) === kind) next = blank;
  }
  const start = ordered ? parseInt(ITEM.exec(lines[at].text)[2], 10) : 1;
  return { block: { kind: 'list', ordered, start, items }, next };
}

function readItem(reader, lines, at, level) {
  const [mark, indent, bullet, space = ' '] = ITEM.exec(lines[at].text);
  const columns = indent.length + bullet.length + (space.length > 4 ? 1 : space.replace(/\t/g, '    ').length);
  const first = without(lines[at], space.length > 4 ? indent.length + bullet.length + 1 : mark.length);
  const inner = [first];
  let end = at + 1;
  for (let next = end; next < lines.length; ++next) {
    if (isBlank(lines[next])) {
      if (next === at + 1 && isBlank(first)) break; // an item that begins with a blank line has no more
      inner.push({ ...lines[next], text: '' });
      continue;
    }
    const belongs = indentOf(lines[next].text) >= columns;
    const goesOn = next === end && !beginsBlock(lines, next) && !ITEM.test(lines[next].text);
    if (!belongs && !goesOn) break;
    inner.push(belongs ? outdented(lines[next], columns) : lines[next]);
    end = next + 1;
  }
  const own = inner.slice(0, end - at);
  const task = TASK.exec(own[0].text);
  if (task) own[0] = without(own[0], task[0].length);
  const blocks = blocksOf(reader, own, level + 1);
  return { item: { first: lines[at].number, last: lines[end - 1].number, task: task ? task[1] !== ' ' : null, blocks }, next: end };
}

// The cells of a row of a table, as segments. A `|` behind a backslash or within code divides nothing.
export function cellsOf(line) {
  const { text, start } = line;
  const cells = [];
  let from = /^[ \t]*\|?/.exec(text)[0].length;
  const end = text.trimEnd().length;
  for (let at = from; at < end; ++at) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '`') at = codeEnd(text, at);
    else if (text[at] === '|' && cells.length < MOST_COLUMNS) {
      cells.push(segmentOf({ text: text.slice(from, at), start: start + from }));
      from = at + 1;
    }
  }
  if (from < end) cells.push(segmentOf({ text: text.slice(from, end), start: start + from }));
  return cells;
}

// The last character of the code that begins with the backquotes at `at`, or of these if nothing ends it.
function codeEnd(text, at) {
  const mark = /^`+/.exec(text.slice(at, at + 16))[0];
  const end = text.indexOf(mark, at + mark.length);
  return end < 0 ? at + mark.length - 1 : end + mark.length - 1;
}

function beginsTable(lines, at) {
  const next = lines[at + 1];
  if (!next || !lines[at].text.includes('|') || next.text.length > MOST_DELIMITERS || !DELIMITERS.test(next.text)) return false;
  return cellsOf(lines[at]).length === cellsOf(next).length;
}

function readTable(lines, at) {
  const marks = lines[at + 1].text;
  const align = cellsOf({ text: marks, start: 0 }).map(({ start, end }) => {
    const mark = marks.slice(start, end);
    return mark.endsWith(':') ? (mark.startsWith(':') ? 'center' : 'right') : '';
  });
  let end = at + 2;
  while (end < lines.length && !isBlank(lines[end]) && !(beginsBlock(lines, end) && !lines[end].text.trimStart().startsWith('|'))) end += 1;
  const rows = [lines[at], ...lines.slice(at + 2, end)]
    .map((line) => ({ first: line.number, cells: cellsOf(line).slice(0, align.length) }));
  return { block: { kind: 'table', align, rows }, next: end };
}

// A text in Markdown without the lines that begin and end blocks of code, for places that show no blocks.
export const withoutFences = (text) => text.replace(/^[ >]*(?:`{3,}|~{3,})[^`\n]*\n?/gm, '');
