import { createHash } from 'node:crypto';
import type { PendingOperationType } from '../document/serialized.js';

/** Parts that distinguish one step that was begun and not ended from every other one. */
interface PendingStep {
  readonly type: PendingOperationType;
  readonly resource: { readonly urn: string; readonly id?: string | undefined };
}

const LETTERS = 8;

/**
 * Returns the step as a text that no other step of the stack has. Several objects of one resource may be deleted at
 * once, so the id is part of it. An object that is being created has no id.
 */
export function pendingStep({ type, resource: { urn, id } }: PendingStep): string {
  return type === 'creating' ? `${type} ${urn}` : `${type} ${urn} ${id ?? ''}`;
}

/**
 * Returns the name of the step in commands: eight hexadecimal digits. It remains the same while the step is pending,
 * whatever happens to others and to attempts to resolve it. Needs no quoting in a shell.
 */
export function pendingName(step: PendingStep): string {
  return createHash('sha256').update(pendingStep(step)).digest('hex').slice(0, LETTERS);
}

/** Tells whether a text has the form of a {@link pendingName}. */
export function isPendingName(text: string): boolean {
  return new RegExp(`^[0-9a-f]{${LETTERS}}$`).test(text);
}
