export { Site } from './site.js';
