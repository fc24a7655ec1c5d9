import { impliedType, namedMap } from '../schema/index.js';
import type { Attribute, Block, NestedBlock, NestedObject, NestingMode } from '../schema/index.js';
import {
  Dynamic,
  isNumber,
  isRecord,
  keysInOrder,
  makeSet,
  numberText,
  parseNumber,
  record,
  typeFromJson,
  typeJson,
  typeWithin,
  TfUnknown,
  UNKNOWN_VALUE,
} from '../values/index.js';
import type { Refinement, TfNumber, TfPath, TfType, TfValue } from '../values/index.js';

/**
 * Notation of schemas and values in cases. A schema is an object of `[flags, type, description?]` for attributes, and
 * of `{block, body}` for block types. Flags are R (required), O (optional), C (computed), S (sensitive), W (write-only)
 * and D (deprecated). A type is the protocol's JSON, or `{nested, attrs}`. A value is JSON read by the schema; a
 * missing part is null, or no blocks. `$unknown`, `$num` and `$dyn` are an unknown, an exact number, and a value with
 * its type.
 */
export type SchemaText = { readonly [name: string]: AttributeText | BlockText };
type AttributeText = readonly [string, unknown] | readonly [string, unknown, string];
interface BlockText {
  readonly block: NestingMode;
  readonly min?: number;
  readonly max?: number;
  readonly body: SchemaText;
}
/** JSON value. */
export type NotationJson =
  null | string | number | boolean | readonly NotationJson[] | { readonly [key: string]: NotationJson };

/** Parses the schema of a case. */
export function blockOf(text: SchemaText): Block {
  const attributes: [string, Attribute][] = [];
  const blocks: [string, NestedBlock][] = [];
  for (const [name, each] of Object.entries(text)) {
    if ('block' in each) {
      const { block: nesting, min = 0, max = 0, body } = each;
      blocks.push([name, { nesting, minItems: min, maxItems: max, block: blockOf(body) }]);
    } else attributes.push([name, attributeOf(each)]);
  }
  return { attributes: namedMap(attributes), blocks: namedMap(blocks) };
}

function attributeOf([flags, type, description]: AttributeText): Attribute {
  const has = (flag: string) => flags.includes(flag);
  const all = {
    required: has('R'),
    optional: has('O'),
    computed: has('C'),
    sensitive: has('S'),
    writeOnly: has('W'),
    ...(has('D') && { deprecated: true }),
    ...(description !== undefined && { description }),
  };
  if (typeof type !== 'object' || type === null || !('nested' in type))
    return { ...all, type: typeFromJson(type) };
  const { nested, attrs } = type as {
    nested: NestedObject['nesting'];
    attrs: Record<string, AttributeText>;
  };
  const attributes = namedMap(
    Object.entries(attrs).map(([name, each]) => [name, attributeOf(each)] as const),
  );
  return { ...all, nested: { nesting: nested, attributes } };
}

/** Parses the value of a block of a case. */
export function valueOf(block: Block, json: unknown): TfValue {
  return (readBody(block, (json ?? null) as NotationJson) as Read).value;
}

interface Read {
  readonly type: TfType;
  readonly value: TfValue;
}

function readBody(block: Block, json: NotationJson, concrete = false): Read {
  const type = impliedType(block);
  const special = marked(type, json);
  if (special !== undefined) return special;
  const given = json as Record<string, NotationJson>;
  const names = Object.keys(type.attributes);
  const read = (name: string): Read => {
    const nested = block.blocks.get(name);
    const declared = type.attributes[name] as TfType;
    const each =
      nested === undefined
        ? readTyped(declared, given[name] ?? null)
        : readBlock(nested, declared, given[name], concrete);
    return concrete ? opened(each) : each;
  };
  const parts = names.map((name) => [name, read(name)] as const);
  return {
    type: concrete
      ? {
          kind: 'object',
          attributes: Object.fromEntries(parts.map(([name, part]) => [name, part.type] as const)),
        }
      : type,
    value: record(parts.map(([name, { value }]) => [name, value] as const)),
  };
}

function opened(read: Read): Read {
  return read.value instanceof Dynamic ? { type: read.value.type, value: read.value.value } : read;
}

function readBlock(
  { nesting, block }: NestedBlock,
  declared: TfType,
  json: NotationJson | undefined,
  concrete = false,
): Read {
  if (nesting === 'single') return readBody(block, json ?? null, concrete);
  if (nesting === 'group') return readBody(block, json === undefined ? {} : json, concrete);
  const special = json === undefined ? undefined : marked(declared, json);
  if (special !== undefined) return special;
  const open = declared === 'dynamic';
  if (nesting === 'map') {
    const entries = Object.entries((json ?? {}) as Record<string, NotationJson>);
    const parts = entries
      .map(([key, each]) => [key, readBody(block, each, open)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const value = record(parts.map(([key, part]) => [key, part.value] as const));
    if (!open) return { type: declared, value };
    const attributes = Object.fromEntries(parts.map(([key, { type }]) => [key, type] as const));
    return { type: 'dynamic', value: new Dynamic({ kind: 'object', attributes }, value) };
  }
  const parts = ((json ?? []) as readonly NotationJson[]).map((each) => readBody(block, each, open));
  const values = Object.freeze(parts.map(({ value }) => value));
  if (nesting === 'set') return { type: declared, value: makeSet(typeWithin(declared, 0), values) };
  if (!open) return { type: declared, value: values };
  const elements = parts.map(({ type }) => type);
  return { type: 'dynamic', value: new Dynamic({ kind: 'tuple', elements }, values) };
}

/** Parses a value by its type alone. */
export function readTyped(type: TfType, json: NotationJson): Read {
  const special = marked(type, json);
  if (special !== undefined) return special;
  if (typeof json === 'number') return { type, value: parseNumber(String(json)) as TfNumber };
  if (typeof json === 'string') return { type, value: json.normalize('NFC') };
  if (typeof type === 'string') return { type, value: json as boolean };
  const within = (step: string | number, each: NotationJson) => readTyped(typeWithin(type, step), each).value;
  if (type.kind === 'object') {
    const given = json as Record<string, NotationJson>;
    const names = keysInOrder(type.attributes);
    return { type, value: record(names.map((name) => [name, within(name, given[name] ?? null)] as const)) };
  }
  if (type.kind === 'map') {
    const given = json as Record<string, NotationJson>;
    return {
      type,
      value: record(keysInOrder(given).map((key) => [key, within(key, given[key] ?? null)] as const)),
    };
  }
  const values = (json as readonly NotationJson[]).map((each, at) => within(at, each));
  return { type, value: type.kind === 'set' ? makeSet(type.element, values) : Object.freeze(values) };
}

function marked(type: TfType, json: NotationJson): Read | undefined {
  if (json === null) return { type, value: null };
  if (typeof json !== 'object' || Array.isArray(json)) return undefined;
  const { $unknown, $num, $dyn } = json as Record<string, NotationJson>;
  if ($unknown !== undefined)
    return {
      type,
      value:
        $unknown === true
          ? UNKNOWN_VALUE
          : TfUnknown.refined(refinementOf($unknown as Record<string, NotationJson>)),
    };
  if ($num !== undefined) return { type, value: parseNumber($num as string) as TfNumber };
  if ($dyn === undefined) return undefined;
  const [own, value] = $dyn as [NotationJson, NotationJson];
  const concrete = typeFromJson(own);
  return { type, value: new Dynamic(concrete, readTyped(concrete, value).value) };
}

function refinementOf(json: Record<string, NotationJson>): Refinement {
  const bound = (given: NotationJson) => {
    const [value, inclusive] = given as [NotationJson, boolean];
    return { value: readTyped('number', value).value as TfNumber, inclusive };
  };
  const { notNull, prefix, min, max, lenMin, lenMax } = json;
  return {
    ...(notNull === true && { notNull }),
    ...(prefix !== undefined && { prefix: prefix as string }),
    ...(min !== undefined && { min: bound(min) }),
    ...(max !== undefined && { max: bound(max) }),
    ...(lenMin !== undefined && { lengthMin: lenMin as number }),
    ...(lenMax !== undefined && { lengthMax: lenMax as number }),
  };
}

/** Writes a value in the notation of cases, without abbreviations. */
export function written(value: TfValue): NotationJson {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof TfUnknown) return { $unknown: refined(value.refinement) };
  if (value instanceof Dynamic)
    return { $dyn: [JSON.parse(typeJson(value.type)) as NotationJson, written(value.value)] };
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (isNumber(value)) return { $num: numberText(value) };
  if (!isRecord(value)) return (value as readonly TfValue[]).map(written);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, written(each)] as const));
}

function refined(refinement: Refinement | undefined): NotationJson {
  if (refinement === undefined) return true;
  const { notNull, prefix, min, max, lengthMin, lengthMax } = refinement;
  return {
    ...(notNull && { notNull }),
    ...(prefix !== undefined && { prefix }),
    ...(min && { min: [written(min.value), min.inclusive] }),
    ...(max && { max: [written(max.value), max.inclusive] }),
    ...(lengthMin !== undefined && { lenMin: lengthMin }),
    ...(lengthMax !== undefined && { lenMax: lengthMax }),
  };
}

/** Writes a path in the notation of cases: `.a[0]["key"]`, an element of a set as `[...]`. */
export function parsePathNotation(path: TfPath): string {
  return path
    .map((step) => {
      if (typeof step === 'string') return `.${step}`;
      if (typeof step === 'number') return `[${step}]`;
      return typeof step.key === 'string' ? `[${JSON.stringify(step.key)}]` : '[...]';
    })
    .join('');
}
