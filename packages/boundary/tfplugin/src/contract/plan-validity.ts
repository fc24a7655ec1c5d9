import type { Block, NestedBlock } from '../schema/index.js';
import { impliedType, nestedBlockType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import type { ContractFinding } from './finding.js';
import { ContractFindings } from './finding.js';
import type { Sides } from './attribute-validity.js';
import { checkAttributes, attributeSides } from './attribute-validity.js';
import {
  typedEntries,
  isTypedMap,
  isNull,
  isTypedUnknown,
  itemsOf,
  nullOf,
  sameTyped,
  typed,
} from './typed.js';

/** Finds violations of the rules for planned states [TFC-4]. `masks` are secret whatever the schema says. */
export function planValidity(
  block: Block,
  prior: TfValue,
  config: TfValue,
  planned: TfValue,
  masks: readonly TfPath[] = [],
): readonly ContractFinding[] {
  const type = impliedType(block);
  const findings = new ContractFindings(masks);
  const at = (value: TfValue) => typed(type, value);
  checkBody(block, { prior: at(prior), config: at(config), planned: at(planned) }, [], findings);
  return findings.all;
}

function checkBody(block: Block, sides: Sides, path: TfPath, findings: ContractFindings): void {
  const { config, planned } = sides;
  if (isNull(planned) && !isNull(config)) return findings.add(path, 'PLAN_ABSENT');
  if (isNull(config) && !isNull(planned)) return findings.add(path, 'PLAN_PRESENT');
  if (isNull(planned)) return;
  checkAttributes(block.attributes, sides, path, findings);
  for (const [name, nested] of block.blocks) {
    checkBlock(nested, attributeSides(sides, name, nestedBlockType(nested)), [...path, name], findings);
  }
}

function checkBlock(nested: NestedBlock, sides: Sides, path: TfPath, findings: ContractFindings): void {
  const { config, planned } = sides;
  if (sameTyped(planned, config, 'compared')) return;
  if (isTypedUnknown(config)) return findings.add(path, 'UNKNOWN_BLOCK_CHANGED');
  if (isTypedUnknown(planned)) return findings.add(path, 'BLOCK_UNKNOWN');
  const { nesting, block } = nested;
  if (nesting === 'single' || nesting === 'group') return checkBody(block, sides, path, findings);
  if (isNull(planned)) return findings.add(path, 'BLOCK_NULL');
  if (nesting === 'list') checkList(block, sides, path, findings);
  else if (nesting === 'map') checkMap(block, sides, path, findings);
  else {
    for (const each of itemsOf(planned)) {
      if (isTypedUnknown(each)) findings.add([...path, { key: each.value }], 'ELEMENT_UNKNOWN');
    }
  }
}

function checkList(block: Block, sides: Sides, path: TfPath, findings: ContractFindings): void {
  const planned = itemsOf(sides.planned);
  const config = itemsOf(sides.config);
  const prior = itemsOf(sides.prior);
  if (planned.length !== config.length) return findings.add(path, 'BLOCK_COUNT');
  const element = nullOf('dynamic');
  planned.forEach((each, at) => {
    const here = [...path, at];
    if (isTypedUnknown(each)) return findings.add(here, 'ELEMENT_UNKNOWN');
    const three = { prior: prior[at] ?? element, config: config[at] ?? element, planned: each };
    checkBody(block, three, here, findings);
  });
}

function checkMap(block: Block, sides: Sides, path: TfPath, findings: ContractFindings): void {
  const planned = typedEntries(sides.planned);
  const config = typedEntries(sides.config);
  const prior = typedEntries(sides.prior);
  const keyed = isTypedMap(sides.planned);
  if (keyed && planned.size !== config.size) return findings.add(path, 'BLOCK_COUNT');
  const element = nullOf('dynamic');
  for (const [key, each] of planned) {
    const here = [...path, keyed ? { key } : key];
    if (isTypedUnknown(each)) {
      findings.add(here, 'ELEMENT_UNKNOWN');
      continue;
    }
    const wanted = config.get(key);
    if (wanted === undefined) findings.add(keyed ? here : path, 'KEY_NOT_IN_CONFIG', { key });
    else
      checkBody(block, { prior: prior.get(key) ?? element, config: wanted, planned: each }, here, findings);
  }
  for (const key of config.keys()) {
    if (!planned.has(key)) findings.add(path, 'KEY_NOT_IN_PLAN', { key });
  }
}
