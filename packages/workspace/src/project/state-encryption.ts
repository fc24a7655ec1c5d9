import { plainData } from '../yaml/shape.js';
import type { MapReader } from '../yaml/shape.js';

/** Reads `encryption: { state: on | off }`; undefined: the project does not say, and states stay as they lie. */
export function readStateEncryption(reader: MapReader): 'on' | 'off' | undefined {
  const encryption = reader.submap('encryption');
  const node = encryption?.entry('state')?.value;
  encryption?.refuseOthers();
  if (encryption === undefined || node === undefined) return undefined;
  const word = node.kind === 'scalar' ? String(plainData(node)).toLowerCase() : '';
  if (word === 'on' || word === 'true') return 'on';
  if (word === 'off' || word === 'false') return 'off';
  return encryption.problem(
    'state',
    'is neither on nor off',
    'Write on to have states sealed whole, off to have them plain.',
  );
}
