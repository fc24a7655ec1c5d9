/**
 * What a rollback does about a resource that its operation has changed (changes.md g.2). `auto`: brings it back to what it was.
 * `hold`: leaves it to a person and says so. `retain`: it stays as the operation has made it.
 */
export type RollbackOption = 'auto' | 'hold' | 'retain';

const OPTIONS = { auto: true, hold: true, retain: true } as const satisfies Record<RollbackOption, true>;

/** Whether the text is one of the three. */
export function isRollbackOption(text: unknown): text is RollbackOption {
  return typeof text === 'string' && Object.hasOwn(OPTIONS, text);
}
