// The folders of documents as a tree: how many documents are in each, and the documents themselves.

import { opens } from './citation.js';
import { el } from './elements.js';
import { conditionsOf, globLiteral, hasCondition, textLiteral, withCondition, withoutCondition } from './filters.js';
import { count } from './format.js';
import { go, state } from './state.js';
import { showText } from './text.js';

const MOST_ROWS = 30; // of a folder that are listed at first
const OF_FOLDER = /^doc\.path GLOB '(?:[^'\\]|\\[^])*\/\*\*'$/;

const opened = new Map(); // of folders by path: whether the user has opened or closed it
const whole = new Set(); // paths of folders of which all rows are listed

const conditionOf = (path) => `doc.path GLOB ${textLiteral(`${globLiteral(path)}/**`)}`;

// The elements of the tree of paths. `redraw` draws it again, after a folder was opened.
export function folderElements(paths, redraw) {
  if (paths.length === 0) return [];
  const root = treeOf(paths);
  // A way with only one folder is opened at once, and so is that to the folder of the filter.
  const chosen = (conditionsOf(state.filter) ?? []).find((condition) => OF_FOLDER.test(condition));
  const isOpen = (node) => opened.get(node.path) ?? (node.alone === true || (chosen !== undefined && isOnWay(node, chosen)));
  return [listElement(root, { redraw, isOpen })];
}

// Whether the folder of a condition is this one or in it.
function isOnWay({ path }, condition) {
  const start = conditionOf(path).slice(0, -3); // without **'
  return condition.startsWith(start);
}

function treeOf(paths) {
  const root = { name: '', path: '', folders: new Map(), files: [], number: 0 };
  for (const path of paths) {
    let node = root;
    const parts = path.split('/');
    const file = parts.pop();
    for (const name of parts) {
      if (!node.folders.has(name)) {
        node.folders.set(name, { name, path: node.path === '' && node === root ? name : `${node.path}/${name}`, folders: new Map(), files: [], number: 0 });
      }
      node = node.folders.get(name);
      node.number += 1;
    }
    node.files.push({ name: file, path });
  }
  for (let node = root; node.folders.size === 1 && node.files.length === 0;) {
    [node] = node.folders.values();
    node.alone = true;
  }
  return root;
}

const byName = (a, b) => (a.name < b.name ? -1 : 1);

function listElement(node, view) {
  const rows = [...[...node.folders.values()].sort(byName).map((folder) => () => folderElement(folder, view)),
    ...node.files.sort(byName).map((file) => () => fileElement(file))];
  const shown = whole.has(node.path) ? rows : rows.slice(0, MOST_ROWS);
  const left = rows.length - shown.length;
  const list = el('ul', { class: 'folders' }, ...shown.map((make) => make()));
  if (left === 0) return list;
  const more = el('button', { class: 'facet-more', 'data-key': `more:${node.path}` }, `${count(left)} more`);
  more.addEventListener('click', () => {
    whole.add(node.path);
    view.redraw();
  });
  list.append(el('li', {}, more));
  return list;
}

function folderElement(node, view) {
  const isOpen = view.isOpen(node);
  const toggle = el('button', {
    class: 'fold', 'aria-expanded': String(isOpen), 'aria-label': `Folder ${node.path}`, 'data-key': `fold:${node.path}` }, isOpen ? '▾' : '▸');
  toggle.addEventListener('click', () => {
    opened.set(node.path, !isOpen);
    view.redraw();
  });
  const condition = conditionOf(node.path);
  const pressed = hasCondition(state.filter, condition);
  const name = el('button', { class: 'facet', 'aria-pressed': String(pressed), title: condition, 'data-key': `folder:${node.path}` },
    showText(el('span', { class: 'value' }), node.name), el('span', { class: 'number-of' }, count(node.number)));
  name.addEventListener('click', () => go({ filter: pressed ? withoutCondition(state.filter, condition)
    : withCondition(state.filter, condition, (one) => OF_FOLDER.test(one)) }));
  return el('li', {}, el('div', { class: 'folder-row' }, toggle, name), isOpen && listElement(node, view));
}

const fileElement = ({ name, path }) => el('li', {}, showText(opens(el('a', { class: 'tree-file', title: path, 'data-key': `file:${path}` }), path), name));
