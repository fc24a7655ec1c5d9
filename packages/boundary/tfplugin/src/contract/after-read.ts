import type { Block } from '../schema/index.js';
import { impliedType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { conform } from '../values/index.js';
import { compatible } from './compatible.js';
import type { Finding } from './finding.js';
import { Findings } from './finding.js';
import { normalizeLegacy } from './legacy.js';
import { unknownPaths } from './unknowns.js';
import { writeOnlyValues } from './write-only.js';

/** What a call gave that returns an object as it is. */
interface ObjectOutcome {
  readonly findings: readonly Finding[];
  /** What differs from before, for the log. */
  readonly notes: readonly Finding[];
  /** What is used; null where there is no object, and where there are findings. */
  readonly value: TfValue;
}

/** Judges what a read returns [TFC-29]; null is an object that is gone. */
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

/** One object that an import returned. */
interface Imported {
  readonly typeName: string;
  readonly state: TfValue;
}

/** Judges what an import returns before it is read [TFC-30]. */
export function afterImport(block: Block, typeName: string, imported: readonly Imported[]): ObjectOutcome {
  const findings = new Findings();
  const [only, another] = imported;
  if (only === undefined) findings.add([], 'IMPORT_NONE');
  else if (another !== undefined) findings.add([], 'IMPORT_MANY');
  else if (only.typeName !== typeName) findings.add([], 'IMPORT_TYPE');
  else if (only.state === null) findings.add([], 'IMPORT_NULL');
  else return used(wholeObject(block, only.state), only.state);
  return { findings: findings.all, notes: [], value: null };
}

/** Judges the read that follows an import: the object has to be there. */
export function afterImportRead(block: Block, state: TfValue): ObjectOutcome {
  if (state !== null) return afterRead(block, null, state);
  const findings = new Findings();
  findings.add([], 'IMPORT_ABSENT');
  return { findings: findings.all, notes: [], value: null };
}

/** Whether stored state can be upgraded at all [TFC-31]. */
export function beforeUpgrade(stored: number, current: number): readonly Finding[] {
  const findings = new Findings();
  if (stored > current) findings.add([], 'NEWER_STATE');
  return findings.all;
}

/** Judges what an upgrade or a move returns [TFC-31]. */
export function afterUpgrade(block: Block, state: TfValue): ObjectOutcome {
  return used(wholeObject(block, state, [], 'required'), state);
}

/** Judges what a data source returns [TFC-32]. */
export function afterDataRead(block: Block, state: TfValue, masks: readonly TfPath[] = []): ObjectOutcome {
  return used(wholeObject(block, state, masks, 'required'), state);
}

function used(findings: Findings, state: TfValue): ObjectOutcome {
  const usable = findings.all.length === 0;
  return { findings: findings.all, notes: [], value: usable ? state : null };
}

/** What every object that is returned as it is has to be. */
function wholeObject(
  block: Block,
  state: TfValue,
  masks: readonly TfPath[] = [],
  presence: 'required' | 'optional' = 'optional',
): Findings {
  const findings = new Findings(masks);
  if (presence === 'required' && state === null) findings.add([], 'NULL_OBJECT');
  for (const { path } of conform(impliedType(block), state)) findings.add(path, 'NONCONFORMING');
  if (findings.all.length > 0) return findings;
  for (const path of unknownPaths(block, state)) findings.add(path, 'UNKNOWN_VALUE');
  for (const path of writeOnlyValues(block, state)) findings.add(path, 'WRITE_ONLY');
  return findings;
}
