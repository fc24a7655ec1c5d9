import type { Block } from '../schema/index.js';
import { impliedType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { conform } from '../values/index.js';
import { compatible } from './compatible.js';
import type { ContractFinding } from './finding.js';
import { ContractFindings } from './finding.js';
import { normalizeLegacy } from './legacy.js';
import { unknownPaths } from './unknowns.js';
import { writeOnlyValues } from './write-only.js';

/** Judgement of a call that returns an existing object. */
interface ObjectOutcome {
  readonly findings: readonly ContractFinding[];
  /** Differences from the prior object, for the log. */
  readonly notes: readonly ContractFinding[];
  /** Value to use. Null if there is no object, or if there are findings. */
  readonly value: TfValue;
}

/** Judges the result of a read [TFC-29]; null means that the object no longer exists. */
export function afterRead(
  block: Block,
  prior: TfValue,
  state: TfValue,
  masks: readonly TfPath[] = [],
): ObjectOutcome {
  const findings = wholeObject(block, state, masks);
  if (findings.all.length > 0) return { findings: findings.all, notes: [], value: null };
  const value = normalizeLegacy(block, state);
  const notes = value === null || prior === null ? [] : compatible(block, prior, value, masks);
  return { findings: [], notes, value };
}

/** Object that an import returned. */
interface Imported {
  readonly typeName: string;
  readonly state: TfValue;
}

/** Judges the result of an import before it is read [TFC-30]. */
export function afterImport(block: Block, typeName: string, imported: readonly Imported[]): ObjectOutcome {
  const findings = new ContractFindings();
  const [only, another] = imported;
  if (only === undefined) findings.add([], 'IMPORT_NONE');
  else if (another !== undefined) findings.add([], 'IMPORT_MANY');
  else if (only.typeName !== typeName) findings.add([], 'IMPORT_TYPE');
  else if (only.state === null) findings.add([], 'IMPORT_NULL');
  else return used(wholeObject(block, only.state), only.state);
  return { findings: findings.all, notes: [], value: null };
}

/** Judges the read that follows an import: the object must exist. */
export function afterImportRead(block: Block, state: TfValue): ObjectOutcome {
  if (state !== null) return afterRead(block, null, state);
  const findings = new ContractFindings();
  findings.add([], 'IMPORT_ABSENT');
  return { findings: findings.all, notes: [], value: null };
}

/** Checks if stored state can be upgraded at all [TFC-31]. */
export function beforeUpgrade(stored: number, current: number): readonly ContractFinding[] {
  const findings = new ContractFindings();
  if (stored > current) findings.add([], 'NEWER_STATE');
  return findings.all;
}

/** Judges the result of an upgrade or a move [TFC-31]. */
export function afterUpgrade(block: Block, state: TfValue): ObjectOutcome {
  return used(wholeObject(block, state, [], 'required'), state);
}

/** Judges the result of a data source [TFC-32]. */
export function afterDataRead(block: Block, state: TfValue, masks: readonly TfPath[] = []): ObjectOutcome {
  return used(wholeObject(block, state, masks, 'required'), state);
}

function used(findings: ContractFindings, state: TfValue): ObjectOutcome {
  const usable = findings.all.length === 0;
  return { findings: findings.all, notes: [], value: usable ? state : null };
}

/** Checks the requirements for every object that is returned as it exists. */
function wholeObject(
  block: Block,
  state: TfValue,
  masks: readonly TfPath[] = [],
  presence: 'required' | 'optional' = 'optional',
): ContractFindings {
  const findings = new ContractFindings(masks);
  if (presence === 'required' && state === null) findings.add([], 'NULL_OBJECT');
  for (const { path } of conform(impliedType(block), state)) findings.add(path, 'NONCONFORMING');
  if (findings.all.length > 0) return findings;
  for (const path of unknownPaths(block, state)) findings.add(path, 'UNKNOWN_VALUE');
  for (const path of writeOnlyValues(block, state)) findings.add(path, 'WRITE_ONLY');
  return findings;
}
