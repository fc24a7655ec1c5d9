import { cairnError } from '@cairn/diagnostics';
import type { DoubtResolution } from '@cairn/engine';
import type { Continuation } from '../operation/continuation.js';
import type { PendingCreates } from '../operation/operation.js';

/**
 * Returns the start of an operation, with the answers about its creates in doubt. Throws CAIRN-USAGE for a URN without
 * a create in doubt.
 */
export function withPendingCreates(going: Continuation, said: PendingCreates | undefined): Continuation {
  if (said === undefined) return going;
  const creates = going.doubts.filter(({ doubt }) => doubt.type === 'creating');
  const known = new Set<string>(creates.map(({ doubt }) => doubt.resource.urn));
  const stray = [...said.made.keys()].find((urn) => !known.has(urn));
  if (stray !== undefined)
    throw cairnError('CAIRN-USAGE', `no create of ${stray} is pending`, {
      hint:
        known.size === 0
          ? 'No create of this stack is pending: leave the flag out.'
          : `Pending are: ${[...known].join(', ')}.`,
    });
  const answers = creates.flatMap(({ name, doubt }): readonly (readonly [string, DoubtResolution])[] => {
    const id = said.made.get(doubt.resource.urn);
    if (id !== undefined) return [[name, { created: id }]];
    return said.clear === true ? [[name, 'not-created']] : [];
  });
  const resolutions = new Map([...(going.engine.resolutions ?? []), ...answers]);
  return { ...going, engine: { ...going.engine, resolutions } };
}
