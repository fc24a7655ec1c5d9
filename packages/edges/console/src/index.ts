/** The web page of the state service: its files and their headers. */
export { consolePage } from './server/pages.js';
