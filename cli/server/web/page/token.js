// The token that a server may ask for. It is kept in sessionStorage, until the tab is closed.

import { byId } from './elements.js';
import { Problem } from './problems.js';

// While the dialog is open, all requests that need a token wait for this promise. After Cancel it stays
// rejected, so that no later request asks again.
let tokenQuestion = null;

// Waits until there is a token other than `refused`, which the server does not accept (null if the
// request had none).
export function newToken(refused) {
  const token = sessionStorage.getItem('token');
  if (token && token !== refused) return Promise.resolve();
  tokenQuestion ??= askForToken(Boolean(refused)).then(() => (tokenQuestion = null));
  return tokenQuestion;
}

// Asks the user for a token. `wasWrong`: the dialog says that the last one was refused. Throws a Problem
// after Cancel.
function askForToken(wasWrong) {
  const dialog = byId('token-dialog');
  const input = byId('token');
  byId('token-problem').hidden = !wasWrong;
  input.value = '';
  dialog.showModal();
  return new Promise((resolve, reject) => {
    byId('token-form').onsubmit = (event) => {
      event.preventDefault();
      sessionStorage.setItem('token', input.value.trim());
      dialog.close('token');
    };
    dialog.onclose = () => {
      if (dialog.returnValue === 'token') resolve();
      else reject(new Problem({ message: 'the server needs a token', hint: 'reload the page to enter it' }));
      dialog.returnValue = '';
    };
  });
}
