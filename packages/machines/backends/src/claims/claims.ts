import { EVERYTHING } from '@cairn/changes';
import type { Claim } from '@cairn/changes';

/** The whole stack, alone: what an operation holds that does not say what it needs. */
export const ALL: readonly Claim[] = Object.freeze([{ key: EVERYTHING, mode: 'exclusive' } as const]);

/** Whether somebody with other claims could work beside. */
export function leavesRoom(claims: readonly Claim[]): boolean {
  return !claims.some((claim) => claim.key === EVERYTHING && claim.mode === 'exclusive');
}

/** Claims out of a file. What is not there, or cannot be read, claims everything: better to wait than to collide. */
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
