/** What commands ask of Node programs besides running them. Apart from the host, which starts without this code. */
export { createNodeTools } from './node-tools.js';
export { generateProject } from './generate-project.js';
