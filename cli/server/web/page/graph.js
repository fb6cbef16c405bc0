// A picture of the documents around one document, as SVG.

import { nameOf, opens } from './citation.js';
import { el, svg } from './elements.js';
import { count, shorten } from './format.js';
import { showText } from './text.js';

const MOST_NODES = 50; // documents that are drawn
const ROW = 27; // height of a label, in pixels
const LETTER = 6.7; // mean width of a letter of a label

// Draws the graph around the first document. Documents that link to it are on its left, those it links to on
// its right, on an arc for each distance; a document two links away is on the side of its first neighbour.
// Rows are the height of a label apart, so labels do not overlap. The documents are ordered by path, so the
// same links always give the same picture. Returns: the elements.
export function graphOf(documents, all) {
  const drawn = documents.slice(0, MOST_NODES);
  const nodes = new Map(drawn.map((one) => [one.path, { ...one, side: 0 }]));
  const known = all.filter(({ source, target }) => nodes.has(source) && nodes.has(target));
  placeSides(drawn.map(({ path }) => nodes.get(path)), known, nodes);
  const { width, height } = placeNodes([...nodes.values()]);
  const picture = svg('svg', {
    viewBox: `0 0 ${width} ${height}`, width, height, role: 'group',
    'aria-label': `The links around ${nameOf(documents[0])}: ${known.length} links among ${drawn.length} documents. The list below has the same.`,
  }, arrowHead());
  nodes.forEach((node) => labelNode(node, known, documents[0].path));
  for (const link of known) picture.append(edgeElement(nodes.get(link.source), nodes.get(link.target), link));
  nodes.forEach((node) => picture.append(nodeElement(node)));
  const left = documents.length - drawn.length;
  return [picture, left > 0 && el('p', { class: 'note' }, `${count(left)} more documents are not drawn.`)].filter(Boolean);
}

// Sets the side of each node, -1 (left) or 1, and its parent: the neighbour that is nearer to the center.
function placeSides(ordered, known, nodes) {
  for (const node of ordered) {
    if (node.depth === 0) continue;
    const near = known.filter(({ source, target }) => source === node.path || target === node.path)
      .map(({ source, target }) => (source === node.path ? { other: nodes.get(target), side: -1 } : { other: nodes.get(source), side: 1 }))
      .filter(({ other }) => other.depth === node.depth - 1);
    // A document that is linked in both directions is on the right.
    const first = near.find(({ side }) => side === 1) ?? near[0];
    node.parent = first?.other;
    node.side = node.depth === 1 ? (first?.side ?? 1) : (node.parent?.side ?? 1);
  }
}

// Sets the place (x, y) of each node and the room for its label. Returns: the size of the picture.
function placeNodes(nodes) {
  const rowsOf = (side, depth) => nodes.filter((node) => node.side === side && node.depth === depth)
    .sort((a, b) => (a.parent?.y ?? 0) - (b.parent?.y ?? 0)); // stable: by path below one parent
  const sides = [-1, 1].map((side) => ({ side, depths: [1, 2].filter((depth) => rowsOf(side, depth).length > 0) }));
  const most = Math.max(2, ...sides.flatMap(({ side, depths }) => depths.map((depth) => rowsOf(side, depth).length)));
  const height = (most + 1) * ROW + 20;
  const arc = sides.some(({ depths }) => depths.length > 1) ? 230 : 285; // pixels from one distance to the next
  const reach = ({ depths }) => (depths.length === 0 ? 90 : arc * depths.length + 20);
  const width = Math.max(reach(sides[0]) + reach(sides[1]) + 40, 420);
  const x = (width + reach(sides[0]) - reach(sides[1])) / 2;
  for (const node of nodes) if (node.depth === 0) Object.assign(node, { x, y: height / 2 });
  for (const { side, depths } of sides) {
    for (const depth of depths) placeRow(rowsOf(side, depth), { x, side, depth, arc, height });
  }
  return { width, height };
}

// Places the nodes of one side and distance on an arc around the center, which is at `x`.
function placeRow(rows, { x, side, depth, arc, height }) {
  rows.forEach((node, i) => {
    const y = (i - (rows.length - 1) / 2) * ROW;
    const bend = 1 - 0.35 * (y / (height / 2)) ** 2;
    node.room = Math.floor((arc - 70) / LETTER);
    Object.assign(node, { x: x + side * (arc * (depth - 1) + 70 * bend), y: height / 2 + y });
  });
}

// Sets the label of a node: its relations to the open document, and its name. The relation `related` is that
// of most links, so it is not written.
function labelNode(node, known, self) {
  const relations = known.filter(({ source, target, relation }) => relation !== 'related'
    && ((source === self && target === node.path) || (target === self && source === node.path))).map(({ relation }) => relation);
  node.relation = node.depth === 1 ? shorten([...new Set(relations)].join(', '), 14) : '';
  node.name = node.depth === 0 ? '' : shorten(nameOf(node), node.room - node.relation.length);
  node.width = (node.relation.length + node.name.length + 1) * LETTER;
}

function arrowHead() {
  return svg('defs', {}, svg('marker', {
    id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse',
  }, svg('path', { d: 'M1,1 L7,4 L1,7', class: 'arrow-head' })));
}

// Makes the curve of a link. Between different distances it leaves and arrives horizontally; between equal
// ones it bulges towards the center. Where it leaves a node outwards, it begins behind the label.
function edgeElement(from, to, { relation, weight }) {
  const outermost = Math.max(from.depth, to.depth);
  const gap = (node) => (node.depth === 0 ? 12 : node.depth < outermost ? 14 + node.width : 9);
  const way = Math.sign(to.x - from.x) || 1;
  const same = from.depth === to.depth;
  const [x1, x2] = same ? [from.x - from.side * gap(from), to.x - to.side * gap(to)] : [from.x + way * gap(from), to.x - way * gap(to)];
  const bend = same ? -from.side * 34 : way * Math.max(24, Math.abs(x2 - x1) / 2);
  const path = `M${round(x1)},${round(from.y)} C${round(x1 + bend)},${round(from.y)} ${round(x2 + (same ? bend : -bend))},${round(to.y)} ${round(x2)},${round(to.y)}`;
  return svg('path', { class: 'edge', d: path, 'marker-end': 'url(#arrow)' },
    showText(svg('title'), `${nameOf(from)} ${relation} ${nameOf(to)}${weight === 1 ? '' : ` (${weight.toFixed(2)})`}`));
}

const round = (number) => Math.round(number * 10) / 10;

function nodeElement(node) {
  const center = node.depth === 0;
  const kind = ['node', center && 'center', node.missing && 'missing', (node.obsolete || node.lifecycle === 'expired') && 'past']
    .filter(Boolean).join(' ');
  const text = svg('text', { x: round(node.x + node.side * 12), y: round(node.y + 4), 'text-anchor': node.side < 0 ? 'end' : 'start' });
  if (node.relation) text.append(showText(svg('tspan', { class: 'relation' }), node.relation), ' ');
  text.append(showText(svg('tspan'), node.name));
  const parts = [
    svg('circle', { cx: round(node.x), cy: round(node.y), r: center ? 8 : 5 }), !center && text,
    showText(svg('title'), node.title ? `${node.title} (${node.path})` : node.path)];
  if (node.missing || center) return svg('g', { class: kind }, ...parts);
  return opens(svg('a', { class: kind }, ...parts), node.path);
}
