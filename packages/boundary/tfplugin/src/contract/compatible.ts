import type { Block, NestedBlock } from '../schema/index.js';
import { attributeType, impliedType, nestedBlockType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { hasDynamic } from '../values/index.js';
import type { ContractFinding } from './finding.js';
import { ContractFindings } from './finding.js';
import { compareSets } from './set-compatible.js';
import type { Typed } from './typed.js';
import {
  attributeOf,
  typedEntries,
  isTypedMap,
  isNull,
  isPresent,
  isTypedUnknown,
  itemsOf,
  typed,
} from './typed.js';
import { compareValue } from './value-compatible.js';

/**
 * Finds differences between a final value and the planned one [TFC-17]. `masks` are secret whatever the schema says.
 */
export function compatible(
  block: Block,
  planned: TfValue,
  actual: TfValue,
  masks: readonly TfPath[] = [],
): readonly ContractFinding[] {
  const type = impliedType(block);
  const findings = new ContractFindings(masks);
  compareBody(block, typed(type, planned), typed(type, actual), [], findings);
  return findings.all;
}

function compareBody(
  block: Block,
  planned: Typed,
  actual: Typed,
  path: TfPath,
  findings: ContractFindings,
): void {
  if (isNull(planned) && !isNull(actual)) return findings.add(path, 'NOW_PRESENT');
  if (isNull(actual) && !isNull(planned)) return findings.add(path, 'NOW_ABSENT');
  if (isNull(planned)) return;
  for (const [name, attribute] of block.attributes) {
    const declared = attributeType(attribute);
    const here = [...path, name];
    const before = attributeOf(planned, name, declared);
    const after = attributeOf(actual, name, declared);
    if (!attribute.sensitive && !findings.isMasked(here)) compareValue(before, after, here, findings);
    else {
      // One finding for a secret: the position of a difference in it would reveal part of it.
      const inside = new ContractFindings();
      compareValue(before, after, here, inside);
      if (inside.all.length > 0) findings.add(here, 'CHANGED', { masked: true });
    }
  }
  for (const [name, nested] of block.blocks) {
    const declared = nestedBlockType(nested);
    const before = attributeOf(planned, name, declared);
    compareBlock(nested, before, attributeOf(actual, name, declared), [...path, name], findings);
  }
}

function compareBlock(
  nested: NestedBlock,
  planned: Typed,
  actual: Typed,
  path: TfPath,
  findings: ContractFindings,
): void {
  const { nesting, block } = nested;
  if (nesting === 'single' || nesting === 'group') {
    // An unknown block may prove to be absent.
    if (isTypedUnknown(planned) && isNull(actual)) return;
    return compareBody(block, planned, actual, path, findings);
  }
  if (!isPresent(planned) || !isPresent(actual)) return;
  if (nesting === 'list') {
    const before = itemsOf(planned);
    const after = itemsOf(actual);
    if (before.length !== after.length) return findings.add(path, 'BLOCK_COUNT');
    before.forEach((each, at) => compareBody(block, each, after[at] as Typed, [...path, at], findings));
  } else if (nesting === 'map') compareMap(block, planned, actual, path, findings);
  else
    compareSets(planned, actual, path, findings, (before, after, here, inside) =>
      compareBody(block, before, after, here, inside),
    );
}

function compareMap(
  block: Block,
  planned: Typed,
  actual: Typed,
  path: TfPath,
  findings: ContractFindings,
): void {
  const before = typedEntries(planned);
  const after = typedEntries(actual);
  const byType = isTypedMap(planned) && !hasDynamic(planned.type);
  if (byType && before.size !== after.size) return findings.add(path, 'BLOCK_COUNT');
  for (const [key, each] of before) {
    const now = after.get(key);
    if (now !== undefined) compareBody(block, each, now, [...path, byType ? { key } : key], findings);
    else if (!byType) findings.add(path, 'KEY_VANISHED', { key });
  }
  if (byType) return;
  for (const key of after.keys()) if (!before.has(key)) findings.add(path, 'KEY_APPEARED', { key });
}
