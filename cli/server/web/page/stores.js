// The stores of the server and their views, as choices.

import { byId, el } from './elements.js';
import { ask } from './server.js';
import { state } from './state.js';
import { showText } from './text.js';

// The names of the views of each store.
let viewsOf = new Map();

// Offers the stores of the server. One alone needs no choice. Unless the state names a store, the server asks
// the first.
export async function showStoreNames() {
  const response = await ask('/v1/stores').catch(() => null);
  if (!response?.ok) return;
  const { stores } = await response.json();
  const names = stores.map(({ name }) => name);
  viewsOf = new Map(stores.map(({ name, views }) => [name, views ?? []]));
  showViews();
  byId('stores').hidden = names.length < 2;
  byId('store').replaceChildren(...names.map((name) => el('option', { value: name }, name)));
  byId('store').value = state.store || names[0];
}

// Offers the views of the store. A view of the address that the store does not have is offered too, so that
// the error of the server is understood.
export function showViews() {
  const names = viewsOf.get(state.store) ?? viewsOf.values().next().value ?? [];
  const all = state.view && !names.includes(state.view) ? [...names, state.view] : names;
  byId('view').replaceChildren(el('option', { value: '' }, 'none'), ...all.map((name) => showText(el('option', { value: name }), name)));
  byId('view').value = state.view;
}
