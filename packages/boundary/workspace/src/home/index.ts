/** The home alone, for what starts before everything else of this package is needed. */
export { openHome } from './private-home.js';
