import { createHash } from 'node:crypto';
import { memberTexts } from '@cairn/state';
import type { TerraformLockInfo } from '@cairn/http-api';
import { ofRequest } from './request-fault.js';
import { Refusal } from './refusal.js';

/** Answer to a call that another lock forbids. Clients read the holder from the body. */
export class TerraformLocked extends Error {
  override readonly name = 'TerraformLocked';

  constructor(readonly holder: TerraformLockInfo) {
    super(`the state is locked by ${holder.ID}`);
  }
}

/**
 * Lets a write through that names a lock, or none [TFK-2]. A write under a lock that is gone must not replace what its
 * successor wrote, so it is refused (409). A write beside the lock of another caller is refused too.
 */
export function checkLock(held: TerraformLockInfo | undefined, id: string | undefined): void {
  if (held !== undefined && held.ID !== id) throw new TerraformLocked(held);
  if (held === undefined && id !== undefined)
    throw new Refusal(409, 'The lock of the state is gone: it was removed while the command ran.');
}

/** Returns true if a lock is to be stored [TFK-1]. The same lock again is the retry of a call whose answer was lost. */
export function takesLock(held: TerraformLockInfo | undefined, wanted: TerraformLockInfo): boolean {
  if (held === undefined) return true;
  if (held.ID === wanted.ID) return false;
  throw new TerraformLocked(held);
}

/** Returns true if a lock is to be removed. Without an id, as `force-unlock` asks, that of any caller is. */
export function dropsLock(held: TerraformLockInfo | undefined, id: string | undefined): boolean {
  if (held === undefined) return false;
  if (id !== undefined && held.ID !== id) throw new TerraformLocked(held);
  return true;
}

/** Place of a state among those that a lineage had. OpenTofu leaves both outside of what it encrypts. */
interface StatePlace {
  readonly serial?: number;
  readonly lineage?: string;
}

/** Reads the place of a state. Refuses a body that is no JSON object (400). */
export function statePlace(body: Uint8Array): StatePlace {
  return ofRequest(() => {
    const members = new Map(memberTexts(body, 'the state'));
    const serial = Number(members.get('serial') ?? Number.NaN);
    const lineage = /^"([^"\\]{1,100})"$/.exec(members.get('lineage') ?? '')?.[1];
    return {
      ...(Number.isSafeInteger(serial) && serial >= 0 && { serial }),
      ...(lineage !== undefined && { lineage }),
    };
  });
}

/** Refuses a body that is not the one of which the caller sent the digest (400). */
export function checkDigest(body: Uint8Array, sent: string | undefined): void {
  if (sent !== undefined && sent !== md5Of(body))
    throw new Refusal(400, 'The body does not have the digest of Content-MD5: it was altered on its way.');
}

/** Returns the digest of a body as its header has it. */
export function md5Of(body: Uint8Array): string {
  return createHash('md5').update(body).digest('base64');
}
