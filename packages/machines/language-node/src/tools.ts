/** Tools of commands for Node programs besides running them. Separate from the host, which starts without this code. */
export { createNodeTools } from './node-tools.js';
export { generateProject } from './generate-project.js';
