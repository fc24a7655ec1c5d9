import type { Violation } from '../model/policy.js';

/** `breaks the mandatory policy "a" of pack p: why`, or how many and which. At least one violation. */
export function brokenPolicies(violations: readonly Violation[]): string {
  const [first] = violations;
  if (first !== undefined && violations.length === 1) {
    return `breaks the mandatory policy "${first.policyName}" of ${first.packName}: ${first.message}`;
  }
  const names = violations.map(({ policyName, packName }) => `"${policyName}" of ${packName}`);
  return `breaks ${violations.length} mandatory policies: ${[...new Set(names)].join(', ')}`;
}
