export * from './schema/index.js';
export * from './values/index.js';
