import type { Block } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import type { Action } from './action.js';
import { compatible } from './compatible.js';
import type { ContractFinding } from './finding.js';
import { ContractFindings } from './finding.js';

/** Action of a plan, and its planned value. */
interface PlannedChange {
  readonly action: Action;
  readonly planned: TfValue;
}

/** Compares the plan of an apply with the earlier plan [TFC-16]. Applies to the old type system too. */
export function initialVersusFinal(
  block: Block,
  initial: PlannedChange,
  final: PlannedChange,
  masks: readonly TfPath[] = [],
): readonly ContractFinding[] {
  const findings = new ContractFindings(masks);
  const same = initial.action === final.action || (initial.action === 'update' && final.action === 'none');
  if (!same) findings.add([], 'ACTION_CHANGED');
  const differences = compatible(block, initial.planned, final.planned, masks);
  return [...findings.all, ...differences.map((each) => Object.freeze({ ...each, rule: 'TFC-16' }))];
}
