import { EVERYTHING } from '@cairn/changes';
import type { Claim } from '@cairn/changes';

/** Claims the whole stack exclusively. This is the default of an operation that does not say what it needs. */
export const ALL: readonly Claim[] = Object.freeze([{ key: EVERYTHING, mode: 'exclusive' } as const]);

/** Returns true if an operation with other claims could run beside these. */
export function leavesRoom(claims: readonly Claim[]): boolean {
  return !claims.some((claim) => claim.key === EVERYTHING && claim.mode === 'exclusive');
}

/** Reads claims from a file. Missing or unreadable claims claim everything: waiting is better than a collision. */
export function takeClaims(value: unknown): readonly Claim[] {
  if (!Array.isArray(value)) return ALL;
  const claims = (value as readonly unknown[]).map(takeClaim);
  return claims.every((claim) => claim !== undefined) ? claims : ALL;
}

function takeClaim(value: unknown): Claim | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { key, mode } = value as { key?: unknown; mode?: unknown };
  if (typeof key !== 'string' || key === '') return undefined;
  return mode === 'exclusive' || mode === 'shared' ? { key, mode } : undefined;
}
