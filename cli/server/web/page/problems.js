// What can go wrong with a request, and how the page shows it.

import { byId, el } from './elements.js';
import { state } from './state.js';

// An error that the server has reported. `hint` may be undefined.
export class Problem extends Error {
  constructor(error) {
    super(error.message);
    this.hint = error.hint;
    this.details = error.details ?? {};
  }
}

// The server does not answer. The banner says so, and no other place repeats it.
export class Gone extends Error {}

// Whether a request ended because a newer one replaced it. Such an error is never shown.
export const isAbort = (error) => error?.name === 'AbortError';

// Shows an error in the element `place`, or hides the element if `error` is null or the banner shows it.
export function showProblem(place, error) {
  place.replaceChildren();
  place.hidden = !error || error instanceof Gone;
  if (place.hidden) return;
  if (!(error instanceof Problem)) console.error(error); // a bug of this page
  place.append(el('p', {}, error.message));
  const { excerpt } = error.details ?? {};
  if (excerpt) place.append(el('pre', {}, excerpt));
  if (error.hint) place.append(el('p', { class: 'hint' }, error.hint));
}

// Shows an error of a question: below the filter if it is one of the filter, and in `place` otherwise.
// Only errors of the filter have a position, because any text is a valid query.
export function showAskProblem(place, error) {
  const ofFilter = error instanceof Problem && error.details.line !== undefined && state.filter !== '';
  byId('filter').setAttribute('aria-invalid', String(ofFilter));
  showProblem(byId('filter-error'), ofFilter ? error : null);
  showProblem(place, ofFilter ? null : error);
}
