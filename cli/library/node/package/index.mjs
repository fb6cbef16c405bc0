// The package, for import.
import recall from './index.js';

export const {DocumentSet, RecallError, Store, libraryVersion, open, openSync, programPath, version} = recall;
export default recall;
