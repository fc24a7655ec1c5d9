import { cairnError } from '@cairn/diagnostics';
import type { TerraformRecord } from '../store/terraform-store.js';
import type { TurnPorts } from './service-ports.js';

/** Seals a state under the key of its record, with the number of its version [TFK-4]. */
export async function sealVersion(
  { keys }: Pick<TurnPorts, 'keys'>,
  { id, key }: TerraformRecord,
  version: number,
  state: Buffer,
): Promise<Buffer> {
  return (await keys.open(id, key)).encrypt(Buffer.concat([Buffer.from(headOf(version)), state]));
}

/**
 * Opens a version of a state, or returns undefined for a deletion and for none. Fails with `CAIRN-STATE-CORRUPT` for
 * bytes that were altered, or are those of another version or state.
 */
export async function openVersion(
  { keys, store }: Pick<TurnPorts, 'keys' | 'store'>,
  record: TerraformRecord,
  version: number,
): Promise<Buffer | undefined> {
  const sealed = version === 0 ? undefined : await store.terraform.sealedVersion(record, version);
  if (sealed === undefined) return undefined;
  const opened = (await keys.open(record.id, record.key)).decrypt(sealed);
  const head = Buffer.from(headOf(version));
  if (opened?.subarray(0, head.length).equals(head) === true) return opened.subarray(head.length);
  throw cairnError(
    'CAIRN-STATE-CORRUPT',
    `cannot open version ${version} of a state: its bytes were altered`,
    {
      hint: 'Restore them from a backup.',
    },
  );
}

function headOf(version: number): string {
  return `version ${version}\n`;
}
