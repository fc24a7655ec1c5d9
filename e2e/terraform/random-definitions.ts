import { createHash } from 'node:crypto';
import { Property, ProviderError, defineProvider, defineResource, s } from '@cairn/provider-sdk';
import type {
  PlainValues,
  PropertySpec,
  ProviderDefinition,
  Shape,
  ShapeSpec,
  TypeSpec,
} from '@cairn/provider-sdk';
import type { Random } from '../support/random.js';

type AnyProperty = Shape[string];

/** Existing objects of a random provider, by id. */
export type World = Map<string, { readonly inputs: PlainValues; readonly outputs: PlainValues }>;

const NAMES = ['alpha', 'betaRay', 'count', 'deltaURL', 'id', 'eps2', 'aB', 'a_b', 'type'] as const;

/** Makes a package with one resource type of random properties, whose provider keeps its promises. */
export function randomDefinition(random: Random, world: World): ProviderDefinition {
  const inputs = randomShape(random, 2, true);
  const reported = Object.entries(inputs).filter(() => random.below(4) > 0);
  const extra = Object.entries(randomShape(random, 1, false)).map(
    ([name, each]) => [`${name}Out`, each] as const,
  );
  const outputs: Record<string, AnyProperty> = Object.fromEntries([
    ...reported,
    ...extra.map(([name, each]) => [name, bare(each)] as const),
  ]);
  // A provider has to report the values that it chooses.
  for (const [name, each] of Object.entries(inputs))
    if (each.spec.presence === 'computed') outputs[name] = each;
  const shape = specs(outputs);
  const updates = random.below(4) > 0;
  const thing = defineResource({
    inputs,
    outputs,
    deleteBeforeReplace: random.below(2) === 0,
    create: async (given) => {
      const id = `thing-${world.size + 1}`;
      const made = reportOf(shape, given as PlainValues, {});
      world.set(id, { inputs: given as PlainValues, outputs: made });
      return { id, outputs: made as never };
    },
    read: async (id) => {
      const there = world.get(id);
      return there === undefined ? undefined : ({ id, ...there } as never);
    },
    ...(updates && {
      update: async (old: { id: string; outputs: object }, given: object) => {
        const made = reportOf(shape, given as PlainValues, old.outputs as PlainValues);
        world.set(old.id, { inputs: given as PlainValues, outputs: made });
        return made as never;
      },
    }),
    delete: async ({ id }) => {
      if (!world.delete(id)) throw new ProviderError('NOT_FOUND', `${id} is deleted twice`);
    },
  });
  return defineProvider({ name: 'things', version: '1.0.0', resources: { 'index:Thing': thing } });
}

function randomShape(random: Random, depth: number, top: boolean): Shape {
  const count = 1 + random.below(top ? 6 : 3);
  const shape: Record<string, AnyProperty> = {};
  for (let at = 0; at < count; at += 1) {
    shape[random.pick(NAMES)] = decorated(random, randomProperty(random, depth), top);
  }
  return shape;
}

function decorated(random: Random, property: Property<unknown>, top: boolean): Property<unknown> {
  const presence = random.below(top ? 8 : 6);
  const { type } = property.spec;
  let made: Property<unknown> = property;
  if (presence < 2) made = property.optional();
  else if (presence === 2)
    made = property.default(valueOf({ ...property.spec, presence: 'required' }, 'default'));
  else if (presence === 6) made = property.computed();
  else if (presence === 7 && type.kind === 'string') made = s.string().autoname();
  if (random.below(6) === 0) made = made.secret();
  if (random.below(5) === 0) made = made.replaceOnChange();
  else if (top && random.below(10) === 0) made = made.immutable();
  return made;
}

function randomProperty(random: Random, depth: number): Property<unknown> {
  const inner = (): Property<never> => bare(randomProperty(random, depth - 1)) as Property<never>;
  switch (random.below(depth === 0 ? 4 : 9)) {
    case 0:
      return s.string();
    case 1:
      return s.boolean();
    case 2:
      return s.number();
    case 4:
      return s.array(inner());
    case 5:
      return s.set(inner());
    case 6:
      return s.map(inner());
    case 7:
      return s.object(randomShape(random, depth - 1, false)) as Property<unknown>;
    case 8:
      return depth === 2 && random.below(3) === 0
        ? s.any()
        : (s.array(s.object(randomShape(random, depth - 1, false))) as Property<unknown>);
    default:
      return s.string();
  }
}

/** Removes the parts that only inputs have. */
function bare(property: Property<unknown>): Property<unknown> {
  return new Property({
    ...property.spec,
    ...{ presence: 'required' as const, defaultValue: undefined, naming: undefined },
    ...{ replaceOnChange: false, immutable: false },
  });
}

const specs = (shape: Shape): ShapeSpec =>
  Object.fromEntries(Object.entries(shape).map(([name, { spec }]) => [name, spec]));

/**
 * Returns a provider's report of an object: its inputs, the values it chose before, and what follows from the inputs.
 */
function reportOf(shape: ShapeSpec, given: PlainValues, before: PlainValues): PlainValues {
  const seed = JSON.stringify(given);
  const entries = Object.entries(shape).map(([name, spec]) => {
    if (given[name] !== undefined) return [name, given[name]] as const;
    if (spec.presence === 'optional') return [name, undefined] as const;
    if (spec.presence === 'computed') return [name, before[name] ?? valueOf(spec, name)] as const;
    return [name, valueOf(spec, seed + name)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** A value that follows from a text. */
function valueOf({ type }: PropertySpec, seed: string): unknown {
  const digest = createHash('sha256').update(seed).digest();
  const number = digest.readUInt16BE();
  return valueOfType(type, number, seed);
}

function valueOfType(type: TypeSpec, number: number, seed: string): unknown {
  switch (type.kind) {
    case 'integer':
      return number;
    case 'number':
      return number / 10;
    case 'boolean':
      return number % 2 === 0;
    case 'array':
      return Array.from({ length: number % 3 }, (_, at) => valueOf(type.items, `${seed}${at}`));
    case 'map':
      return Object.fromEntries(
        ['k', 'Key 2'].slice(number % 3).map((key) => [key, valueOf(type.values, seed + key)]),
      );
    case 'object':
      return Object.fromEntries(
        Object.entries(type.properties).map(([name, spec]) => [name, valueOf(spec, seed + name)]),
      );
    case 'any':
      return number % 2 === 0 ? [number, { a: seed.length }] : `any ${number}`;
    default:
      return `text ${number}`;
  }
}
