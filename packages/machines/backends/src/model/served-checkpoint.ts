import { createHash } from 'node:crypto';
import type { StateText } from './state-text.js';

/**
 * Returns the checkpoint of a state that a service keeps, in the form of a stack file. Both ends make it from the exact
 * texts of the export document, so that its digest names the state.
 */
export function servedCheckpoint({ version, features, deployment }: StateText): Buffer {
  const head = `{"version":${version},${features === undefined ? '' : `"features":${features},`}`;
  return Buffer.from(`${head}"checkpoint":{"latest":${deployment}}}`);
}

/** Returns the digest of a state that a service keeps, as journals name the state that they start from or leave. */
export function stateDigest(state: StateText): string {
  return createHash('sha256').update(servedCheckpoint(state)).digest('hex');
}
