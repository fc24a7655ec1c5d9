import { sameHash, tokenHash } from '../crypto/tokens.js';
import { Refusal } from './refusal.js';
import { leaseExpired, nextStatus } from './update-machine.js';
import type { UpdateCall } from './update-machine.js';
import type { UpdateRecord } from './update-record.js';

/** Update as the store has it at one moment. `lapsed` is true if its lease has expired by the clock of the store. */
export interface FoundUpdate {
  readonly record: UpdateRecord;
  readonly lapsed: boolean;
}

/** Rule that lets a call through to an update, and returns its record, or throws a {@link Refusal}. */
export type Admit = (found: FoundUpdate | undefined) => UpdateRecord;

/**
 * Returns the rule for a call of the holder of an update. It refuses a token of another update (403), a call that the
 * update machine refuses (409), and an update whose lease has expired (403).
 */
export function admission(token: string, call: UpdateCall): Admit {
  return (found) => {
    const { record, lapsed } = found ?? noUpdate();
    refuseOthers(record, token);
    nextStatus(record, call);
    if (record.status === 'running' && lapsed) throw leaseExpired();
    return record;
  };
}

/** Refuses a token that is not that of an update. */
export function refuseOthers({ tokenHash: hash }: UpdateRecord, token: string): void {
  if (hash === undefined || !sameHash(hash, tokenHash(token)))
    throw new Refusal(403, 'The token is not the token of this update.');
}

/** Returns the rule for a journal batch: that of a write, for an update that keeps a journal. */
export function journalAdmission(token: string): Admit {
  const admit = admission(token, 'write');
  return (found) => {
    const record = admit(found);
    if (record.journaled !== true) throw new Refusal(409, 'The update keeps no journal.');
    return record;
  };
}

/** Refuses an update that does not exist. */
export function noUpdate(): never {
  throw new Refusal(404, 'Update not found.');
}
