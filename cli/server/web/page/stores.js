// The stores of the server and their views, as choices.

import { byId, el } from './elements.js';
import { ask } from './server.js';
import { state } from './state.js';
import { showText } from './text.js';

// The names of the views of each store.
let viewsOf = new Map();

let loading = null;
let writes = false;

// Asks for the stores of the server, once, and offers them. One alone needs no choice. Unless the state names a
// store, the server asks the first.
export const showStoreNames = () => (loading ??= readStoreNames());

async function readStoreNames() {
  const response = await ask('/v1/stores').catch(() => null);
  if (!response?.ok) {
    loading = null; // the next one asks again
    return;
  }
  const { stores, allow_write: allowWrite } = await response.json();
  writes = allowWrite === true;
  const names = stores.map(({ name }) => name);
  viewsOf = new Map(stores.map(({ name, views }) => [name, views ?? []]));
  showViews();
  byId('stores').hidden = names.length < 2;
  byId('store').replaceChildren(...names.map((name) => el('option', { value: name }, name)));
  byId('store').value = state.store || names[0];
}

// The name of the store that is asked.
export async function storeName() {
  await showStoreNames();
  return state.store || [...viewsOf.keys()][0] || '';
}

// Whether the server may write.
export async function mayWrite() {
  await showStoreNames();
  return writes;
}

// Offers the views of the store. A view of the address that the store does not have is offered too, so that
// the error of the server is understood.
export function showViews() {
  const names = viewsOf.get(state.store) ?? viewsOf.values().next().value ?? [];
  const all = state.view && !names.includes(state.view) ? [...names, state.view] : names;
  byId('view').replaceChildren(el('option', { value: '' }, 'none'), ...all.map((name) => showText(el('option', { value: name }), name)));
  byId('view').value = state.view;
}
