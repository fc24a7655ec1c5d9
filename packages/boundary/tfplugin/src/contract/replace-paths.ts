import type { Block, Attribute, NestedBlock, NestedObject } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { isWhollyKnown, typeWithin, UNKNOWN_VALUE } from '../values/index.js';
import type { ContractFinding } from './finding.js';
import { ContractFindings } from './finding.js';
import { isNull, sameTyped, typedEntries, isTypedUnknown, itemsOf, typed } from './typed.js';
import { impliedType } from '../schema/index.js';
import type { Typed } from './typed.js';

/** Paths that make a change a replacement, and findings for those that lead to nothing [TFC-9]. */
interface ReplacePaths {
  readonly kept: readonly TfPath[];
  /** True if a write-only attribute is among the kept ones. They count even if old and planned state are equal. */
  readonly writeOnly: boolean;
  readonly findings: readonly ContractFinding[];
}

/** Selects the paths that count among those that a provider names. */
export function replacePaths(
  block: Block,
  prior: TfValue,
  planned: TfValue,
  paths: readonly TfPath[],
): ReplacePaths {
  const findings = new ContractFindings();
  if (prior === null) return { kept: [], writeOnly: false, findings: [] };
  let writeOnly = false;
  const kept = paths.filter((path) => {
    const before = lookUp(block, prior, path);
    const after = lookUp(block, planned, path);
    if (before === undefined && after === undefined) {
      findings.add(path, 'REPLACE_PATH');
      return false;
    }
    if (attributeAt(block, path)?.writeOnly === true) return (writeOnly = true);
    if (before === undefined || after === undefined)
      return !isNull((before ?? after) as NonNullable<typeof before>);
    return !isWhollyKnown(before.value) || !isWhollyKnown(after.value) || !sameTyped(before, after);
  });
  return { kept, writeOnly, findings: findings.all };
}

/** Returns the part of a state at a path. Undefined if the path leads nowhere, also if it passes a null. */
function lookUp(block: Block, value: TfValue, path: TfPath): Typed | undefined {
  return path.reduce<Typed | undefined>(
    (at, step) => (at === undefined ? undefined : part(at, step)),
    typed(impliedType(block), value),
  );
}

function part(of: Typed, step: TfPath[number]): Typed | undefined {
  const key = typeof step === 'object' ? step.key : step;
  if (isNull(of) || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
  if (isTypedUnknown(of)) return { type: typeWithin(of.type, key), value: UNKNOWN_VALUE };
  return typeof key === 'string' ? typedEntries(of).get(key) : inOrder(of)[key];
}

function inOrder(of: Typed): readonly Typed[] {
  return typeof of.type === 'object' && of.type.kind === 'set' ? [] : itemsOf(of);
}

/** Returns the attribute of the schema that a path leads to or into, in nested attributes and blocks too. */
function attributeAt(block: Block, path: TfPath): Attribute | undefined {
  let body: Block | NestedObject = block;
  let found: Attribute | undefined;
  let isElement = false;
  for (const step of path) {
    if (isElement) {
      isElement = false;
      continue;
    }
    if (typeof step !== 'string') return undefined;
    const part: Attribute | NestedBlock | undefined =
      body.attributes.get(step) ?? ('blocks' in body ? body.blocks.get(step) : undefined);
    if (part === undefined) return undefined;
    found = 'block' in part ? undefined : part;
    // An attribute with a type of its own contains no further attributes.
    if (!('block' in part) && part.nested === undefined) return part;
    const { nesting } = 'block' in part ? part : part.nested;
    body = 'block' in part ? part.block : part.nested;
    isElement = nesting !== 'single' && nesting !== 'group';
  }
  return found;
}
