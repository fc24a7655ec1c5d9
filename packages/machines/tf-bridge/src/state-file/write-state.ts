import { moduleText, providerText } from './address.js';
import type { InstanceKey } from './address.js';
import { JsonNumber, laidOut } from './json-tree.js';
import type { JsonMembers, JsonTree } from './json-tree.js';
import type { StateInstance, StateOutput, StatePath, StateResource, TerraformState } from './model.js';

/** Returns the text of a state as Terraform writes it, with the parts in Terraform's order [TFF-3]. */
export function writeState(state: TerraformState): string {
  const { terraformVersion, serial, lineage, outputs, resources, checkResults, more } = state;
  const tree = members(
    [
      ['version', new JsonNumber('4')],
      ['terraform_version', terraformVersion],
      ['serial', new JsonNumber(String(serial))],
      ['lineage', lineage],
      ['outputs', new Map([...outputs].sort(byFirst).map(([name, each]) => [name, outputTree(each)]))],
      ['resources', [...resources].sort(compareResources).map(resourceTree)],
      ['check_results', checkResults],
    ],
    more,
  );
  return `${laidOut(tree)}\n`;
}

type Member = readonly [string, JsonTree | undefined];

function members(known: readonly Member[], more: JsonMembers): JsonMembers {
  const all = [...known, ...more];
  return new Map(all.filter((each): each is [string, JsonTree] => each[1] !== undefined));
}

function outputTree({ value, type, sensitive, more }: StateOutput): JsonTree {
  return members(
    [
      ['value', value],
      ['type', type],
      ['sensitive', sensitive || undefined],
    ],
    more,
  );
}

function resourceTree({
  module,
  mode,
  type,
  name,
  each,
  provider,
  instances,
  more,
}: StateResource): JsonTree {
  return members(
    [
      ['module', moduleText(module) || undefined],
      ['mode', mode],
      ['type', type],
      ['name', name],
      ['each', each || undefined],
      ['provider', provider === undefined ? undefined : providerText(provider)],
      ['instances', [...instances].sort(compareInstances).map(instanceMembers)],
    ],
    more,
  );
}

/** Returns the members of an object in a state, in their order. */
export function instanceMembers(instance: StateInstance): JsonMembers {
  const { key, tainted, deposed, provider, dependencies, createBeforeDestroy, more } = instance;
  return members(
    [
      ['index_key', typeof key === 'number' ? number(key) : key],
      ['status', tainted ? 'tainted' : undefined],
      ['deposed', deposed || undefined],
      ['provider', provider === undefined ? undefined : providerText(provider)],
      ['schema_version', number(instance.schemaVersion)],
      ['attributes', instance.attributes],
      ['sensitive_attributes', instance.sensitive?.map(pathTree)],
      ['identity_schema_version', number(instance.identityVersion)],
      ['identity', instance.identity],
      [
        'private',
        instance.private === undefined ? undefined : Buffer.from(instance.private).toString('base64'),
      ],
      ['dependencies', dependencies.length === 0 ? undefined : dependencies],
      ['create_before_destroy', createBeforeDestroy || undefined],
    ],
    more,
  );
}

function pathTree(path: StatePath): JsonTree {
  return path.map((step) =>
    'attribute' in step
      ? members(
          [
            ['type', 'get_attr'],
            ['value', step.attribute],
          ],
          new Map(),
        )
      : new Map<string, JsonTree>([
          ['type', 'index'],
          [
            'value',
            new Map<string, JsonTree>([
              ['value', step.index],
              ['type', step.type],
            ]),
          ],
        ]),
  );
}

function number(value: number | undefined): JsonTree | undefined {
  return value === undefined ? undefined : new JsonNumber(String(value));
}

/** Compares resources by module, data sources before resources, type and name. */
function compareResources(a: StateResource, b: StateResource): number {
  return (
    byBytes(moduleText(a.module), moduleText(b.module)) ||
    byBytes(a.mode, b.mode) ||
    byBytes(a.type, b.type) ||
    byBytes(a.name, b.name)
  );
}

/**
 * Compares instances by key: one without a key first, and numbers before texts. The present object precedes deposed
 * ones.
 */
function compareInstances(a: StateInstance, b: StateInstance): number {
  return compareKeys(a.key, b.key) || byBytes(a.deposed, b.deposed);
}

function compareKeys(a: InstanceKey, b: InstanceKey): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return byBytes(a, b);
  return rank(a) - rank(b);
}

function rank(key: InstanceKey): number {
  return key === undefined ? 0 : typeof key === 'number' ? 1 : 2;
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return byBytes(a, b);
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
