// The state of the page: tab, query, filter, view and open document.
//
// The state is the fragment of the address, and nothing else, so a bookmark restores it. A change
// writes the fragment (`go`) and shows the page anew; back and forward read it (`readFragment`).

export const START = { tab: 'search', q: '', filter: '', view: '', notes: '', doc: '', turn: '', role: '', name: '', as: '', budget: 1200, store: '' };
export const NO_DOC = { doc: '', turn: '', role: '', name: '' };
export const TABS = ['search', 'context', 'reviews', 'store'];
const ROLES = ['human', 'assistant']; // of turns

// The state that a fragment describes. What is missing or makes no sense has its value of START.
function stateOf(fragment) {
  const given = new URLSearchParams(fragment);
  const state = { ...START };
  for (const name of ['tab', 'q', 'filter', 'view', 'notes', 'doc', 'turn', 'role', 'name', 'as', 'store']) state[name] = given.get(name) ?? START[name];
  if (!TABS.includes(state.tab)) state.tab = START.tab;
  if (!/^\d{1,9}$/.test(state.turn)) state.turn = START.turn;
  if (!ROLES.includes(state.role)) state.role = START.role;
  if (state.as !== 'source') state.as = START.as;
  const budget = Number(given.get('budget'));
  if (Number.isInteger(budget) && budget > 0) state.budget = budget;
  return Object.freeze(state);
}

// The fragment that describes a state: the members that differ from START.
export function fragmentOf(state) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== START[name]) given.set(name, value);
  }
  return `#${given}`;
}

export let state = stateOf('');

// Whether the user is typing or dragging. All changes of one such action are one entry of the history.
export let typing = false;

// Ends the action of typing: the next change is a new entry of the history.
export function endTyping() {
  typing = false;
}

let show = () => {};

// Sets the function that makes the page agree with the state. Its argument is { anew }: with
// `anew: true` it asks the server again even if it has shown this state already.
export function onChange(listener) {
  show = listener;
}

// Shows the page anew, for instance after the server was gone.
export const refresh = () => show({ anew: true });

// Changes members of the state and shows the page. `how` is 'push' for a new entry of the history, or
// 'type' while the user types or drags.
export function go(change, how = 'push') {
  const next = Object.freeze({ ...state, ...change });
  const fragment = fragmentOf(next);
  if (fragment !== fragmentOf(state)) {
    const replace = how === 'type' && typing;
    history[replace ? 'replaceState' : 'pushState'](null, '', fragment);
    typing = how === 'type';
  }
  state = next;
  show({});
}

// Reads the state from the fragment. A token in the fragment is taken out at once, so that it is not
// seen, kept in the history, or sent on. Returns: whether there was one.
export function readFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get('token');
  if (token !== null) {
    sessionStorage.setItem('token', token);
    given.delete('token');
    history.replaceState(null, '', `${location.pathname}#${given}`);
  }
  typing = false;
  state = stateOf(given);
  return token !== null;
}
