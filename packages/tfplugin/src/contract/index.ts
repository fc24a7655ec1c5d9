export { compatible } from './compatible.js';
export { FINDINGS } from './codes.js';
export type { FindingCode, ViolationKind } from './codes.js';
export type { Finding } from './finding.js';
export { normalizeLegacy } from './legacy.js';
export { planValidity } from './plan-validity.js';
export { plannedUnknownObject, proposedNew } from './proposed.js';
