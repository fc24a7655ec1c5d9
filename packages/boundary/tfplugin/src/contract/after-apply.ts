import type { Block } from '../schema/index.js';
import { impliedType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { conform } from '../values/index.js';
import { compatible } from './compatible.js';
import type { ContractFinding } from './finding.js';
import { ContractFindings } from './finding.js';
import { nullWhere } from './null-where.js';
import { asDeclared, typed } from './typed.js';
import { unknownPaths, unknownsAsNull } from './unknowns.js';
import { writeOnlyValues } from './write-only.js';

/** Request of an apply. */
export interface ApplyQuestion {
  readonly block: Block;
  /** A replacement is a delete and a create. */
  readonly action: 'create' | 'update' | 'delete';
  readonly prior: TfValue;
  readonly planned: TfValue;
  readonly masks?: readonly TfPath[];
}

/** Answer of the provider to an apply. */
export interface ApplyAnswer {
  /** Object after the apply. Undefined if the answer has none. */
  readonly state: TfValue | undefined;
  /** True if the provider reported an error. */
  readonly failed: boolean;
  /** True if the answer is of the old type system [TFC-15]. */
  readonly legacy: boolean;
}

/** Change of the object in the state [TFC-26]. */
type Saved =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'object'; readonly value: TfValue; readonly tainted: boolean };

/** Judgement of an answer as a whole. */
export interface ApplyOutcome {
  readonly findings: readonly ContractFinding[];
  /** Findings that are only logged, because the answer is of the old type system. */
  readonly notes: readonly ContractFinding[];
  readonly saved: Saved;
}

/** Judges the answer to an apply, in the order of [TFC-25]. */
export function afterApply(question: ApplyQuestion, answer: ApplyAnswer): ApplyOutcome {
  const { block, action, planned, masks } = question;
  const findings = new ContractFindings(masks);
  if (answer.state === undefined) {
    if (!answer.failed) findings.add([], 'NO_OBJECT');
    const removed = !answer.failed && action === 'delete';
    return { findings: findings.all, notes: [], saved: { kind: removed ? 'removed' : 'unchanged' } };
  }
  for (const { path } of conform(impliedType(block), answer.state)) findings.add(path, 'NONCONFORMING');
  if (findings.all.length > 0) return { findings: findings.all, notes: [], saved: { kind: 'unchanged' } };

  for (const path of unknownPaths(block, answer.state)) findings.add(path, 'UNKNOWN_LEFT');
  const state = unknownsAsNull(impliedType(block), answer.state);
  const differences =
    action === 'delete' || answer.failed || findings.all.length > 0
      ? []
      : // A write-only value is reported once, as such.
        compatible(block, planned, withoutSecrets(block, state), masks);
  const hard = answer.legacy ? [] : differences;
  if (!answer.failed && action === 'delete' && state !== null) findings.add([], 'NOT_DELETED');
  const absent = action !== 'delete' && state === null && hard.length === 0;
  if (!answer.failed && absent) findings.add([], 'NULL_RESULT');
  for (const path of writeOnlyValues(block, state)) findings.add(path, 'WRITE_ONLY');
  return {
    findings: [...hard, ...findings.all],
    notes: answer.legacy ? differences : [],
    saved: savedOf(question, answer, withoutSecrets(block, state), hard.length + findings.all.length > 0),
  };
}

function savedOf({ action }: ApplyQuestion, { failed }: ApplyAnswer, state: TfValue, broken: boolean): Saved {
  if (state === null) {
    if (failed || action !== 'delete') return { kind: 'unchanged' };
    return { kind: 'removed' };
  }
  return { kind: 'object', value: state, tainted: action === 'create' && (failed || broken) };
}

/** Removes write-only values: they are never saved, whatever a provider returns. */
function withoutSecrets(block: Block, state: TfValue): TfValue {
  const type = impliedType(block);
  return asDeclared(
    type,
    nullWhere(block, typed(type, state), ({ writeOnly }) => writeOnly),
  );
}
