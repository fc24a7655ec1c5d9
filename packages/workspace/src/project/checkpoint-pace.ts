import { plainData } from '../yaml/shape.js';
import type { MapReader } from '../yaml/shape.js';

const PACES = ['paced', 'each-step', 'end'] as const;

/**
 * Reads `checkpoint: paced | each-step | end`, when the checkpoint is written while an operation runs; undefined: the
 * project does not say.
 */
export function readCheckpointPace(reader: MapReader): (typeof PACES)[number] | undefined {
  const node = reader.entry('checkpoint')?.value;
  if (node === undefined) return undefined;
  const word = node.kind === 'scalar' ? String(plainData(node)) : '';
  return (
    PACES.find((pace) => pace === word) ??
    reader.problem(
      'checkpoint',
      `is none of ${PACES.join(', ')}`,
      'Leave it away to have the checkpoint written now and then.',
    )
  );
}
