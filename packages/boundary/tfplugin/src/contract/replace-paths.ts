import type { Block } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { isWhollyKnown } from '../values/index.js';
import type { Finding } from './finding.js';
import { Findings } from './finding.js';
import { attributeAt, lookUp } from './lookup.js';
import { isNull, same } from './typed.js';

/** Paths that make a change a replacement, and findings for those that lead to nothing [TFC-9]. */
interface ReplacePaths {
  readonly kept: readonly TfPath[];
  /** True if a write-only attribute is among the kept ones. They count even if old and planned state are equal. */
  readonly writeOnly: boolean;
  readonly findings: readonly Finding[];
}

/** Selects the paths that count among those that a provider names. */
export function replacePaths(
  block: Block,
  prior: TfValue,
  planned: TfValue,
  paths: readonly TfPath[],
): ReplacePaths {
  const findings = new Findings();
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
    return !isWhollyKnown(before.value) || !isWhollyKnown(after.value) || !same(before, after);
  });
  return { kept, writeOnly, findings: findings.all };
}
