export { Site } from './site.js';
export type { SiteArgs } from './site.js';
