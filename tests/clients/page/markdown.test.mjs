// Markdown as the page reads it, the links that it may have, and filters as texts: without a browser.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { completionsFor, placeAt } from './modules/completing.js';
import { conditionsOf, globLiteral, hasCondition, textLiteral, withCondition, withoutCondition } from './modules/filters.js';
import { readBlocks, withoutFences } from './modules/markdown_blocks.js';
import { contentOf, rangesIn, readInline } from './modules/markdown_inline.js';
import { anchorOf, linkTarget } from './modules/markdown_links.js';
import { RQL_FIELDS } from './modules/rql_words.js';

// Nodes as a short text: <em>…</em>, <a TARGET>…</a>.
function nodesText(text, nodes) {
  return nodes.map((node) => {
    const { kind, children } = node;
    const inner = children ? nodesText(text, children) : text.slice(node.start, node.end);
    if (kind === 'text') return inner;
    if (kind === 'literal') return node.text;
    if (kind === 'break') return '<br>';
    if (kind === 'link' || kind === 'wiki' || kind === 'image') return `<${kind} ${node.target}>${inner}</>`;
    return `<${kind}>${inner}</>`;
  }).join('');
}

function inlineText(text, definitions = new Map()) {
  const content = contentOf(text, [{ start: 0, end: text.length }]);
  return nodesText(content.text, readInline(content, definitions));
}

// Blocks as lines: kind, lines, what they say, with what is in them below.
function blocksText(text) {
  const { blocks, definitions } = readBlocks(text);
  const say = (segments) => {
    const content = contentOf(text, segments);
    return nodesText(content.text, readInline(content, definitions));
  };
  const lines = (all, indent) => all.flatMap((block) => {
    const head = `${indent}${block.kind}${block.level ?? ''} ${block.first}-${block.last}`;
    if (block.kind === 'list') {
      return [`${head} ${block.ordered ? `from ${block.start}` : ''}`.trimEnd(),
        ...block.items.flatMap((item) => [`${indent}  item${item.task === null ? '' : item.task ? ' done' : ' to do'}`, ...lines(item.blocks, `${indent}    `)])];
    }
    if (block.kind === 'quote') return [head, ...lines(block.blocks, `${indent}  `)];
    if (block.kind === 'table') return [head, ...block.rows.map((row) => `${indent}  ${row.first}: ${row.cells.map((cell) => say([cell])).join(' | ')}`)];
    if (block.kind === 'code' || block.kind === 'meta') return [`${head} ${block.info ?? ''}`.trimEnd(), ...block.segments.map(({ start, end }) => `${indent}  |${text.slice(start, end)}`)];
    return [block.segments ? `${head} ${say(block.segments)}` : head];
  });
  return lines(blocks, '');
}

const INLINE = [
  ['a **b** c *d* __e__ _f_', 'a <strong>b</> c <em>d</> <strong>e</> <em>f</>'],
  ['***x***', '<em><strong>x</></>'],
  ['snake_case_name 2*3*4', 'snake_case_name 2<em>3</>4'],
  ['**a* and *b', '*<em>a</> and *b'],
  ['~~no~~ but ~yes~', '<del>no</> but ~yes~'],
  ['`a*b*` ``c`d`` `e', '<code>a*b*</> <code>c`d</> `e'],
  ['[a *b*](u(1) "t") c', '<link u(1)>a <em>b</></> c'],
  ['[a](<u v>) [b]( u )', '<link u v>a</> <link u>b</>'],
  ['[x][y], [y], [z]', '<link def>x</>, <link def>y</>, [z]', new Map([['y', 'def']])],
  ['![a picture](p.png)', '<image p.png>a picture</>'],
  ['[[note-1]] and [[docs/a.md|that]]', '<wiki note-1>note-1</> and <wiki docs/a.md>that</>'],
  ['see https://a.b/c(d). (https://e.f)', 'see <link https://a.b/c(d)>https://a.b/c(d)</>. (<link https://e.f>https://e.f</>)'],
  ['<https://a.b?c=d> <script>x</script>', '<link https://a.b?c=d>https://a.b?c=d</> <script>x</script>'],
  ['\\*a\\* \\z &amp; &#x41; &bogus; &#0;', '*a* \\z & A &bogus; \ufffd'],
  ['one  \ntwo\\\nthree\nfour', 'one<br>two<br>three\nfour'],
  ['[a [b](c)', '[a <link c>b</>'],
];

test('what a line says: emphasis, code, links, breaks', () => {
  for (const [text, expected, definitions] of INLINE) assert.equal(inlineText(text, definitions), expected, text);
});

test('blocks have their lines and what they say', () => {
  assert.deepEqual(blocksText('---\ntitle: x\n---\n# A *b* #\ntext\nmore\n\nUnder\n===\n'),
    ['meta 1-3', '  |title: x', 'heading1 4-4 A <em>b</>', 'paragraph 5-6 text\nmore', 'heading1 8-9 Under']);
  assert.deepEqual(blocksText('- a\n  b\n- [x] c\n  1. d\n\n     e\n- [ ] f\n\ng'), [
    'list 1-7', '  item', '    paragraph 1-2 a\nb', '  item done', '    paragraph 3-3 c', '    list 4-6 from 1', '      item',
    '        paragraph 4-4 d', '        paragraph 6-6 e', '  item to do', '    paragraph 7-7 f', 'paragraph 9-9 g']);
  assert.deepEqual(blocksText('3) a\n4) b\n* c'), ['list 1-2 from 3', '  item', '    paragraph 1-1 a', '  item', '    paragraph 2-2 b',
    'list 3-3', '  item', '    paragraph 3-3 c']);
  assert.deepEqual(blocksText('> a\nlazy\n> > b\n\nc'), ['quote 1-3', '  paragraph 1-2 a\nlazy', '  quote 3-3', '    paragraph 3-3 b', 'paragraph 5-5 c']);
  assert.deepEqual(blocksText('~~~ sh\n# no\n~~~\n\n    in\n\n    dented\n'), ['code 1-3 sh', '  |# no', 'code 5-7', '  |in', '  |', '  |dented']);
  assert.deepEqual(blocksText('| a | b |\n| :- | -: |\n| `x|y` | \\| |\n| 1 |\nend'), ['table 1-5', '  1: a | b', '  3: <code>x|y</> | |', '  4: 1', '  5: end']);
  assert.deepEqual(blocksText('a\n***\n<!-- b\nc -->\n[d]: e "f"\n[d]\n```\nopen'),
    ['paragraph 1-1 a', 'rule 2-2', 'comment 3-4 <!-- b\nc -->', 'paragraph 6-6 <link e>d</>', 'code 7-8', '  |open']);
});

// The texts of all segments and rows of blocks.
function segmentsOf(blocks) {
  return blocks.flatMap((block) => [...(block.segments ?? []), ...(block.blocks ? segmentsOf(block.blocks) : []),
    ...(block.items ?? []).flatMap((item) => segmentsOf(item.blocks)), ...(block.rows ?? []).flatMap(({ cells }) => cells)]);
}

const infosOf = (blocks) => blocks.flatMap((block) => [...(block.info ? [block.info] : []), ...infosOf(block.blocks ?? []),
  ...(block.items ?? []).flatMap((item) => infosOf(item.blocks))]);

test('nothing of a text is lost, and every part is where it says', () => {
  for (const name of ['docs/rql.md', 'docs/http.md', 'docs/RETRIEVAL.md', 'README.md', 'CHANGELOG.md']) {
    const text = fs.readFileSync(name, 'utf8');
    const { blocks } = readBlocks(text);
    const seen = new Uint8Array(text.length);
    for (const { start, end } of segmentsOf(blocks)) seen.fill(1, start, end);
    const left = Array.from({ length: text.length }, (_, i) => (seen[i] ? '' : text[i])).join('').replace(/[^\p{L}]/gu, '');
    assert.equal(left, infosOf(blocks).join('').replace(/[^\p{L}]/gu, ''), name); // languages of code
    const lines = text.split('\n').length;
    let last = 0;
    for (const block of blocks) {
      assert.ok(block.first > last && block.last >= block.first && block.last <= lines, `${name}: ${block.kind} ${block.first}`);
      last = block.last;
    }
  }
});

test('marks of a text are found in what a block says', () => {
  const text = '> one **two**\n> three\n';
  const { blocks: [{ blocks: [{ segments }] }] } = readBlocks(text);
  const content = contentOf(text, segments);
  const at = (word) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length });
  assert.deepEqual(rangesIn(content, [at('two'), at('three')]).map(({ start, end }) => content.text.slice(start, end)), ['two', 'three']);
});

const times = (part, number) => part.repeat(number);

// Texts that make a careless reader slow, or nest without an end.
const ADVERSARIAL = {
  stars: times('*a ', 20_000), 'stars in stars': times('**a*', 20_000), brackets: times('[', 50_000), links: times('[a](', 20_000),
  'closed brackets': times('[a]', 20_000), backquotes: times('`a``', 20_000), underscores: times('_a_ ', 20_000), quotes: times('>', 50_000),
  lists: times('- ', 50_000), 'deep list': Array.from({ length: 500 }, (_, i) => `${' '.repeat(2 * i)}- a`).join('\n'),
  'wide table': `${times('|', 400)}\n${times('|-', 400)}\n${times('x|\n', 50_000)}`, spaces: `- ${times(' ', 200_000)}x`,
  'links in links': times('[*', 20_000) + times('*](u)', 20_000), pipes: times('a | b\n', 30_000), entities: times('&a', 100_000),
  'code without an end': times('<!-- a\n', 20_000), hashes: `# ${times(' #', 100_000)}x`, images: times('![', 50_000), nested: times('> - ', 20_000),
};

test('no text takes long or nests deeply', () => {
  const depthOf = (blocks) => blocks.reduce((most, block) => Math.max(most, 1 + depthOf(block.blocks ?? []),
    ...(block.items ?? []).map((item) => 2 + depthOf(item.blocks))), 0);
  const depthIn = (nodes) => nodes.reduce((most, { children }) => Math.max(most, children ? 1 + depthIn(children) : 0), 0);
  for (const [name, text] of Object.entries(ADVERSARIAL)) {
    const { blocks, definitions } = readBlocks(text);
    assert.ok(depthOf(blocks) <= 60, name);
    let said = 0;
    for (const segment of segmentsOf(blocks).slice(0, 2000)) {
      const content = contentOf(text, [segment]);
      const nodes = readInline(content, definitions);
      assert.ok(depthIn(nodes) <= 40, name);
      said += nodes.length;
    }
    assert.ok(said > 0 || name === 'lists' || name === 'brackets' || name === 'quotes' || name === 'nested', name);
  }
});

test('links lead to http and https, to documents and headings, and nowhere else', () => {
  const from = 'docs/guide/a.md';
  const doc = (path, more = {}) => ({ path, first: 1, last: 0, anchor: '', ...more });
  const targets = [
    ['http://a.b/c', { url: 'http://a.b/c' }], ['HTTPS://a.b', { url: 'https://a.b/' }], ['b.md', doc('docs/guide/b.md')],
    ['../b.md#The-part', doc('docs/b.md', { anchor: 'The-part' })], ['#here', doc(from, { anchor: 'here' })], ['/README.md', doc('README.md')],
    ['./c%20d.md', doc('docs/guide/c d.md')], ['b.cc:12-14', doc('docs/guide/b.cc', { first: 12, last: 14 })],
    ['b.cc#L5-L9', doc('docs/guide/b.cc', { first: 5, last: 9 })], ['b.md?plain=1', doc('docs/guide/b.md')],
  ];
  for (const [target, expected] of targets) assert.deepEqual(linkTarget(target, from), expected, target);
  for (const target of ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x',
    'file:///etc/passwd', 'mailto:a@b', 'blob:x', '//evil.example/x', '\\\\evil\\x', '../../../x', 'http://', '%E0%A4%A', '', 'x\u0000y', 'javascript:1:2']) {
    assert.equal(linkTarget(target, from), null, target);
  }
  assert.equal(anchorOf('What `recall` *does*, and why?'), 'what-recall-does-and-why');
});

test('a condition is put into a filter and taken out', () => {
  assert.deepEqual(conditionsOf("a = 'x AND y' AND (b = 1 OR c = 2) AND d BETWEEN 1 AND 2 AND e = \"q\\\" AND\""),
    ["a = 'x AND y'", '(b = 1 OR c = 2)', 'd BETWEEN 1 AND 2', 'e = "q\\" AND"']);
  for (const one of ['a = 1 OR b = 2', '(a = 1', "a = 'x", 'a = 1)']) assert.equal(conditionsOf(one), null, one);
  const kind = "doc.kind = 'note'";
  assert.equal(withCondition('', kind), kind);
  assert.equal(withCondition('a = 1 OR b = 2', kind), `(a = 1 OR b = 2) AND ${kind}`);
  assert.equal(withCondition(`a = 1 AND ${kind}`, kind), `a = 1 AND ${kind}`);
  assert.equal(withCondition("doc.mtime >= '-7d' AND a = 1", "doc.mtime >= '-1d'", (one) => one.startsWith('doc.mtime ')), "a = 1 AND doc.mtime >= '-1d'");
  assert.equal(withoutCondition(`a = 1 AND ${kind}`, kind), 'a = 1');
  assert.equal(withoutCondition(kind, kind), '');
  assert.ok(hasCondition(`a = 1 and ${kind}`, kind) && !hasCondition(`a = 1 OR ${kind}`, kind));
  assert.equal(textLiteral("a'b\\c"), "'a\\'b\\\\c'");
  assert.equal(globLiteral('a[b]*{c}'), 'a\\[b\\]\\*\\{c\\}');
});

const names = (filter, values) => completionsFor(placeAt(filter, filter.length), values).map(({ name }) => name);

test('what may stand in a filter next', () => {
  assert.equal(names('')[0], 'doc.path');
  assert.deepEqual(names('doc.mt'), ['doc.mtime']);
  assert.ok(names("doc.kind = 'note' AND (NOT doc.ta").includes('doc.tags'));
  assert.deepEqual(names('doc.path GL'), ['GLOB', 'NOT GLOB']);
  assert.ok(names('doc.mtime ').includes('BETWEEN') && !names('doc.mtime ').includes('GLOB'));
  assert.deepEqual(names('doc.kind = '), ['file', 'note', 'session']);
  assert.deepEqual(names("doc.kind = 'no"), ['note']);
  assert.deepEqual(names('doc.tag IN '), ['(']);
  assert.deepEqual(names("doc.tag IN ('b', 'a", [{ value: 'alpha', number: 2 }, { value: 'beta', number: 1 }]).at(0), 'alpha');
  assert.deepEqual(names("doc.tag IN ('b' "), [',', ')']);
  assert.deepEqual(names("doc.tag = 'b' "), ['AND', 'OR']);
  assert.deepEqual(names("doc.mtime BETWEEN '-7d' "), ['AND', 'OR']);
  assert.ok(names("doc.mtime BETWEEN '-7d' AND ").includes('today'));
  assert.deepEqual(names('doc.tag IS NOT NULL '), ['AND', 'OR']);
  assert.deepEqual(placeAt("doc.tag = 'it\\'s", 16), { expects: 'value', field: 'doc.tag', start: 10, prefix: "it\\'s" });
  const [whole] = completionsFor(placeAt('doc.tag = ', 10), [{ value: "it's", number: 1 }]);
  assert.equal(whole.text, "'it\\'s' "); // its quotes are those of RQL
});

test('the fields that are offered are those of RQL', () => {
  const documented = new Set([...fs.readFileSync('docs/rql.md', 'utf8').matchAll(/`((?:doc|chunk)\.[a-z_.]+)`/g)].map(([, name]) => name));
  const isDocumented = (name) => documented.has(name) || documented.has(name.replace(/^(doc\.(?:session|link|backlink))\..*/, '$1'));
  assert.deepEqual(RQL_FIELDS.map(({ name }) => name).filter((name) => !isDocumented(name)), []);
  const table = fs.readFileSync('docs/rql.md', 'utf8').split('## Fields')[1].split('### The card')[0];
  const missing = [...table.matchAll(/^\| `((?:doc|chunk)\.[a-z_]+)`/gm)].map(([, name]) => name)
    .filter((name) => !RQL_FIELDS.some((field) => field.name === name || field.name.startsWith(`${name}.`)));
  assert.deepEqual(missing, ['doc.meta', 'chunk.id', 'chunk.doc_id', 'chunk.offset', 'chunk.start_byte', 'chunk.end_byte']);
});

test('a text in one line has no fences', () => {
  assert.equal(withoutFences('use\n```sh\nls ``` -l\n```\nthen\n> ~~~\n> x\n~~~~'), 'use\nls ``` -l\nthen\n> x\n');
});
