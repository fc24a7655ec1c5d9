import type { TfPath } from '../values/index.js';
import { ContractFindings } from './finding.js';
import type { Typed } from './typed.js';
import { itemsOf } from './typed.js';

type Compare = (planned: Typed, actual: Typed, path: TfPath, findings: ContractFindings) => void;

/**
 * Judges a set by corresponding elements [TFC-19]: each planned one needs an actual one, and each actual one a planned
 * one. Elements may become equal to each other, but their number must not grow.
 */
export function compareSets(
  planned: Typed,
  actual: Typed,
  path: TfPath,
  findings: ContractFindings,
  compare: Compare,
): void {
  const before = itemsOf(planned);
  const after = itemsOf(actual);
  const lost = before.filter((each) => !after.some((now) => corresponds(compare, each, now)));
  for (const _ of lost) findings.add(path, 'SET_ELEMENT_LOST');
  if (lost.length === 0) {
    const appeared = after.filter((now) => !before.some((each) => corresponds(compare, each, now)));
    for (const _ of appeared) findings.add(path, 'SET_ELEMENT_NEW');
  }
  if (after.length > before.length) findings.add(path, 'SET_GREW');
}

function corresponds(compare: Compare, planned: Typed, actual: Typed): boolean {
  const inside = new ContractFindings();
  compare(planned, actual, [], inside);
  return inside.all.length === 0;
}
