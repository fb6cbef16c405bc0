export * from './index.js';
import * as recall from './index.js';
export default recall;
