// Elements of the page: finding them, making them, and the small things done to them.

import { typing } from './state.js';

export const byId = (id) => document.getElementById(id);

// Makes an element with attributes and children, which are elements or texts. An attribute that is
// false or undefined is not set; a child that is false, null or '' is left out.
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== '' && child !== null && child !== undefined && child !== false));
  return element;
}

// Makes a bar divided into parts; `shares` are their widths as shares of the whole, 0 to 1.
export function shadedBar(shares) {
  const bar = el('div', { class: 'bar', role: 'img' });
  shares.forEach((share, i) => {
    const part = el('span', { class: `shade-${i}` });
    part.style.width = `${(100 * share).toFixed(2)}%`;
    bar.append(part);
  });
  return bar;
}

// Shows a value in a field, unless the user is typing there: what is typed is newer.
export function setValue(input, value) {
  if (typing && input === document.activeElement) return;
  if (input.value !== value) input.value = value;
}

let toastTimer = null;

// Shows a message at the edge of the page for two seconds.
export function toast(text) {
  const place = byId('toast');
  place.textContent = text;
  place.classList.add('shown');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => place.classList.remove('shown'), 2000);
}

// Copies a text to the clipboard. `what` names it in the message that follows: "Citation".
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    toast('The browser does not let this page copy');
  }
}
