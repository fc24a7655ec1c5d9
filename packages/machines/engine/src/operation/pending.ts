import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Answers } from '../decide/verdict.js';
import type { Cell } from '../model/cell.js';
import type { RegisterResult, Registration } from '../model/registration.js';
import { readFailed, readSkipped } from './refusals.js';

/** A resource that was registered, or is to be read, and is not answered yet. */
export type PendingRegistration = Exclude<Registration, { readonly t: 'outputs' }> & {
  /** Prior cell. With `prior`, undefined once the object turns out to be gone. */
  cell: Cell | undefined;
  /** Prior entry as it was when it was matched, or as this run has found it. */
  prior: ResourceEntry | undefined;
  readonly oldUrn: Urn | undefined;
  /** Grows with every answer. */
  answers: Answers;
};

/**
 * Answers with the resource as it is stored; components have no outputs of their own [REG-11]. `leftOut`: the run does
 * nothing about it. Without an entry a registration has unknown outputs and a read has none.
 */
export function answerStored(
  pending: PendingRegistration,
  entry: ResourceEntry | undefined,
  leftOut = false,
): void {
  const { id = '', outputs = emptyMap } = entry ?? {};
  if (pending.t === 'read')
    return pending.reply.resolve({ urn: pending.goal.urn, id, outputs, oldUrn: formerUrn(pending) });
  const stored = { id, outputs: entry?.custom === true ? outputs : emptyMap, unknown: entry === undefined };
  answer(pending, leftOut ? { ...stored, leftOut } : stored);
}

/** Answers that nothing was done about the resource. A read has no such result: the program receives an error. */
export function answerSkipped(pending: PendingRegistration, because: Urn): void {
  if (pending.t === 'read') pending.reply.refuse(readSkipped(pending.goal.urn, because));
  else answer(pending, { result: 'skip' });
}

/**
 * Answers that the resource failed, on its own or (without `diagnostic`) with its failure domain, while the operation
 * continues.
 */
export function answerFailed(pending: PendingRegistration, diagnostic?: Diagnostic): void {
  if (pending.t === 'register') return answer(pending, { result: 'fail' });
  const { urn } = pending.goal;
  pending.reply.refuse(diagnostic === undefined ? readSkipped(urn, urn) : readFailed(diagnostic));
}

function answer(
  pending: Extract<PendingRegistration, { readonly t: 'register' }>,
  said: Partial<RegisterResult>,
): void {
  pending.reply.resolve({
    urn: pending.goal.urn,
    id: '',
    outputs: emptyMap,
    result: 'success',
    unknown: false,
    oldUrn: formerUrn(pending),
    ...said,
  });
}

function formerUrn({ goal, oldUrn }: PendingRegistration): Urn | undefined {
  return oldUrn === goal.urn ? undefined : oldUrn;
}
