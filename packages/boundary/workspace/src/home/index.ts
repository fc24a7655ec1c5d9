/** Entry with the home only, for code that starts before the rest of this package is needed. */
export { openHome } from './private-home.js';
