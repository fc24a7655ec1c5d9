import { createHash } from 'node:crypto';
import type { PendingOperationType } from './snapshot.js';

/** What tells one step that was begun and not ended from every other one. */
interface PendingStep {
  readonly type: PendingOperationType;
  readonly resource: { readonly urn: string; readonly id?: string | undefined };
}

const LETTERS = 8;

/**
 * The step as a text that no other step of the stack has. Several objects of one resource may be on their way out at
 * once; an object that is being created has no id that would tell.
 */
export function pendingStep({ type, resource: { urn, id } }: PendingStep): string {
  return type === 'creating' ? `${type} ${urn}` : `${type} ${urn} ${id ?? ''}`;
}

/**
 * How people name the step in commands: eight hexadecimal digits, the same for as long as it is pending, whatever
 * becomes of others and whoever tries to find out. Needs no quoting in a shell.
 */
export function pendingName(step: PendingStep): string {
  return createHash('sha256').update(pendingStep(step)).digest('hex').slice(0, LETTERS);
}

/** Whether a text has the form of a {@link pendingName}. */
export function isPendingName(text: string): boolean {
  return new RegExp(`^[0-9a-f]{${LETTERS}}$`).test(text);
}
