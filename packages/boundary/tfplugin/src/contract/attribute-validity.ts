import type { Attribute, NestedObject } from '../schema/index.js';
import { attributeType } from '../schema/index.js';
import type { TfPath } from '../values/index.js';
import { isWhollyKnown, TfUnknown } from '../values/index.js';
import type { ContractFindings } from './finding.js';
import type { Typed } from './typed.js';
import {
  attributeOf,
  typedEntries,
  isNull,
  isPresent,
  isTypedUnknown,
  itemsOf,
  nullOf,
  sameTyped,
} from './typed.js';

/** The three values by which a plan is judged. */
export interface Sides {
  readonly prior: Typed;
  readonly config: Typed;
  readonly planned: Typed;
}

/** Returns the same attribute of all three values. */
export function attributeSides({ prior, config, planned }: Sides, name: string, type: Typed['type']): Sides {
  return {
    prior: attributeOf(isPresent(prior) ? prior : nullOf(prior.type), name, type),
    config: attributeOf(config, name, type),
    planned: attributeOf(planned, name, type),
  };
}

/** Judges attributes of a body or nested object. */
export function checkAttributes(
  attributes: ReadonlyMap<string, Attribute>,
  sides: Sides,
  path: TfPath,
  findings: ContractFindings,
): void {
  for (const [name, attribute] of attributes) {
    checkAttribute(
      attribute,
      attributeSides(sides, name, attributeType(attribute)),
      [...path, name],
      findings,
    );
  }
}

function checkAttribute(attribute: Attribute, sides: Sides, path: TfPath, findings: ContractFindings): void {
  const { prior, config, planned } = sides;
  if (attribute.sensitive) findings.mask(path);
  if (sameTyped(planned, config)) return;
  // The provider keeps the prior value: it declares the difference meaningless.
  if (!isNull(prior) && !isNull(config) && sameTyped(planned, prior)) return;
  if (attribute.computed && !attribute.optional) return;
  if (isNull(config)) {
    if (attribute.computed) return;
    if (!isNull(planned)) return findings.add(path, 'NOT_COMPUTED');
  }
  if (attribute.writeOnly && isNull(planned) && !isNull(config)) return;
  if (attribute.nested !== undefined) return checkNested(attribute.nested, sides, path, findings);
  findings.add(path, isNull(prior) ? 'CONFIG_MISMATCH' : 'CONFIG_PRIOR_MISMATCH');
}

/** Judges a nested attribute, whose parts have flags of their own [TFC-6]. */
function checkNested(nested: NestedObject, sides: Sides, path: TfPath, findings: ContractFindings): void {
  const { config, planned } = sides;
  if (isTypedUnknown(planned) && isPresent(config)) return findings.add(path, 'UNKNOWN_FOR_CONFIGURED');
  if (nested.nesting === 'single') checkObject(nested, sides, path, findings);
  else if (isNull(planned)) findings.add(path, 'PLAN_ABSENT');
  else if (nested.nesting === 'list') checkList(nested, sides, path, findings);
  else if (nested.nesting === 'map') checkMap(nested, sides, path, findings);
  else {
    const [fewest, most] = lengths(planned);
    const [wantedFewest, wantedMost] = lengths(config);
    if (wantedMost < fewest || wantedFewest > most) findings.add(path, 'COUNT');
  }
}

function checkObject(nested: NestedObject, sides: Sides, path: TfPath, findings: ContractFindings): void {
  const { config, planned } = sides;
  if (isNull(planned) && !isNull(config)) findings.add(path, 'PLAN_ABSENT');
  else if (isNull(config) && !isNull(planned)) findings.add(path, 'PLAN_PRESENT');
  else if (!isNull(planned)) checkAttributes(nested.attributes, sides, path, findings);
}

function checkList(nested: NestedObject, sides: Sides, path: TfPath, findings: ContractFindings): void {
  const planned = itemsOf(sides.planned);
  const config = itemsOf(sides.config);
  const prior = itemsOf(sides.prior);
  if (isTypedUnknown(sides.config) || planned.length !== config.length) return findings.add(path, 'COUNT');
  const element = nullOf('dynamic');
  planned.forEach((each, at) => {
    const three = { prior: prior[at] ?? element, config: config[at] ?? element, planned: each };
    checkObject(nested, three, [...path, at], findings);
  });
}

function checkMap(nested: NestedObject, sides: Sides, path: TfPath, findings: ContractFindings): void {
  const planned = typedEntries(sides.planned);
  const config = typedEntries(sides.config);
  const prior = typedEntries(sides.prior);
  if (isTypedUnknown(sides.config) || planned.size !== config.size) return findings.add(path, 'COUNT');
  const element = nullOf('dynamic');
  for (const [key, each] of planned) {
    const wanted = config.get(key);
    if (wanted === undefined) findings.add(path, 'KEY_NOT_IN_CONFIG', { key });
    else {
      const three = { prior: prior.get(key) ?? element, config: wanted, planned: each };
      checkObject(nested, three, [...path, key], findings);
    }
  }
  for (const key of config.keys()) if (!planned.has(key)) findings.add(path, 'KEY_NOT_IN_PLAN', { key });
}

/**
 * Returns the smallest and largest possible number of elements of a set. Elements with unknown parts may prove to be
 * equal to others.
 */
function lengths(set: Typed): readonly [number, number] {
  if (set.value instanceof TfUnknown) {
    return [set.value.refinement?.lengthMin ?? 0, set.value.refinement?.lengthMax ?? Infinity];
  }
  const items = itemsOf(set);
  const known = items.filter(({ value }) => isWhollyKnown(value)).length;
  return [known === items.length ? known : 1, items.length];
}
