// Writing a note, and giving a note another text, if the server allows writing.
//
// A new note has type, title, text and tags. Of a note that there is the text is changed, under the card that it
// has; if it has changed in the store since it was opened, nothing is written.

import { byId, el, toast } from './elements.js';
import { readBlocks } from './markdown_blocks.js';
import { drawBlocks } from './markdown_view.js';
import { withoutCard } from './note.js';
import { pane } from './pane.js';
import { isAbort, Problem, showProblem } from './problems.js';
import { run } from './server.js';
import { go, NO_DOC, refresh, state } from './state.js';
import { mayWrite } from './stores.js';
import { showText } from './text.js';

const editor = {
  note: null, // { path, hash } of the note whose text is changed; null for a new one
  before: '', // what was in the fields when they were opened
  saving: false,
};

const FIELDS = ['note-type', 'note-title', 'note-tags', 'note-text'];
const written = () => JSON.stringify(FIELDS.map((id) => byId(id).value));

// Opens the fields for a new note.
export async function newNote() {
  if (!await mayWrite()) return toast('This server only reads; start it with --allow-write');
  openEditor(null, { 'note-type': byId('note-type').value || 'lesson', 'note-title': '', 'note-tags': '', 'note-text': '' });
  byId('note-title').focus();
}

// Opens the fields for the text of the open note.
export async function editNote() {
  if (!pane.card || !state.doc || !await mayWrite()) return;
  try {
    const { doc, chunk } = (await run('get', { target: pane.path })).get;
    openEditor({ path: doc.path, hash: doc.hash }, { 'note-text': `${withoutCard(chunk.text)}\n` });
    byId('note-text').focus();
    byId('note-text').setSelectionRange(0, 0);
  } catch (error) {
    if (!isAbort(error)) showProblem(byId('document-problem'), error);
  }
}

function openEditor(note, values) {
  editor.note = note;
  for (const id of FIELDS) byId(id).value = values[id] ?? '';
  byId('note-facts').hidden = note !== null;
  byId('note-title').required = byId('note-type').required = note === null;
  byId('editor-title').replaceChildren();
  showText(byId('editor-title'), note ? pane.card.title : 'New note');
  showProblem(byId('editor-problem'), null);
  byId('editor-discard').hidden = true;
  showPreview(false);
  editor.before = written();
  byId('editor').showModal();
}

// Shows the text as it will be read, or the field in which it is written.
function showPreview(shown) {
  byId('note-text').hidden = shown;
  byId('note-preview').hidden = !shown;
  for (const button of document.querySelectorAll('[data-preview]')) {
    button.setAttribute('aria-pressed', String((button.dataset.preview === '1') === shown));
  }
  if (!shown) return;
  const text = byId('note-text').value;
  const { blocks, definitions } = readBlocks(text);
  const view = { text, definitions, marks: [], hideMeta: false, linkOf: (target, said) => el('u', {}, said), numberOf: () => '' };
  byId('note-preview').replaceChildren(...drawBlocks(blocks, view).elements);
}

async function save() {
  if (editor.saving) return;
  editor.saving = true; // a second press must not save twice
  try {
    const path = editor.note ? await rewrite(editor.note) : await write();
    editor.before = written();
    byId('editor').close();
    toast('Saved');
    go({ ...NO_DOC, doc: path });
    refresh();
  } catch (error) {
    if (!isAbort(error)) showProblem(byId('editor-problem'), error);
  } finally {
    editor.saving = false;
  }
}

async function write() {
  const tags = byId('note-tags').value.split(',').map((tag) => tag.trim().replace(/^#/, '')).filter(Boolean);
  const { save: saved } = await run('save', {
    note: [byId('note-type').value.trim(), byId('note-title').value.trim()], text: byId('note-text').value, ...(tags.length > 0 ? { tag: tags } : {}) });
  return saved.path;
}

async function rewrite({ path, hash }) {
  const { get } = await run('get', { target: path, fields: 'doc.hash' });
  if (get['doc.hash'] !== hash) {
    throw new Problem({ message: 'the note has changed since it was opened', hint: 'copy your text, close this, and open the note again' });
  }
  return (await run('save', { rewrite: path, text: byId('note-text').value })).save.path;
}

// Closes the fields, unless something is written in them: then one is asked.
function leave(event) {
  event.preventDefault();
  if (written() === editor.before) return byId('editor').close();
  byId('editor-discard').hidden = false;
  byId('editor-keep').focus();
}

// Offers what the server allows.
export async function showEditing() {
  const writes = await mayWrite();
  byId('new-note').hidden = !writes;
  byId('edit-note').hidden = !writes || !pane.card;
}

export function connectEditor() {
  byId('new-note').addEventListener('click', newNote);
  byId('edit-note').addEventListener('click', editNote);
  byId('editor').addEventListener('cancel', leave);
  byId('editor-cancel').addEventListener('click', leave);
  byId('editor-keep').addEventListener('click', () => {
    byId('editor-discard').hidden = true;
    byId('note-text').focus();
  });
  byId('editor-drop').addEventListener('click', () => byId('editor').close());
  byId('editor-form').addEventListener('submit', (event) => {
    event.preventDefault();
    save();
  });
  byId('editor-form').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    byId('editor-form').requestSubmit();
  });
  for (const button of document.querySelectorAll('[data-preview]')) {
    button.addEventListener('click', () => showPreview(button.dataset.preview === '1'));
  }
}
