// The question that the state asks, as the body of a request.

import { state } from './state.js';

// A text that is the same for two states if they ask the same question.
export const questionOf = ({ q, filter, view, notes, store }) =>
  JSON.stringify([q.trim(), filter.trim(), view, notes, store]);

// The filter that the user has typed, and that of "Notes only".
export function wholeFilter() {
  const typed = state.filter.trim();
  return !state.notes ? typed : typed ? `(${typed}) AND doc.kind = 'note'` : "doc.kind = 'note'";
}

// The body of a request that asks this question; `more` has further members.
export function askBody(more) {
  const filter = wholeFilter();
  return { query: state.q.trim(), ...(filter ? { filter } : {}), ...(state.view ? { view: state.view } : {}), ...more };
}

// A view may set a lean payload, which has no snippets; the page needs them.
export const searchBody = (more) => askBody({ ...(state.view ? { payload: 'full' } : {}), ...more });

// Whether the latest sessions are listed: the view `sessions` without a query.
export const listsSessions = () => state.view === 'sessions' && state.q.trim() === '' && state.notes === '';

// Whether the first screen is shown: nothing is asked for.
export const isHome = () => state.tab === 'search' && state.q.trim() === '' && wholeFilter() === '' && !listsSessions();
