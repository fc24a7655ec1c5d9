/** Random values as resources: drawn once, kept until a keeper or a rule changes. */
export * from './generated/classes.js';
