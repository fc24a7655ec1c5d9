import type { Resource } from './resource.js';

/** Where a resource keeps its state; also what tells resources of any copy of this package. */
export const STATE = Symbol.for('cairn.sdk.resource');

/** Whether a value is a resource, of any copy of this package. */
export function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && STATE in value;
}
