import { attributeType } from '@cairn/tfplugin';
import type { Attribute, Block, Documentation, NestedBlock, TfType } from '@cairn/tfplugin';
import { refuseMapping } from './mapping.js';
import type { FieldMapping } from './mapping.js';
import { plural } from './plural.js';
import { camelCase, distinct } from './property-names.js';
import type { WantedName } from './property-names.js';
import { objectIn } from './shape.js';
import type { BlockShape, Form, ObjectShape, Part } from './shape.js';

/** Rules for the names of one object that come from outside its schema. */
export interface ShapeRules {
  /** Terraform's name of the object, for errors. */
  readonly of: string;
  /** Mappings by path of attribute names, separated by dots. */
  readonly fields: ReadonlyMap<string, FieldMapping>;
  /** Properties that no attribute may have, with their replacements. */
  readonly reserved: ReadonlyMap<string, string>;
  /** True if the attribute `id` is the resource's id, provided that its schema allows it. */
  readonly hasId: boolean;
}

/** A part without its name. */
type Unnamed = Omit<Part, 'property'>;

type Flags = Pick<Part, 'required' | 'optional' | 'computed' | 'sensitive' | 'writeOnly' | 'isBlock'>;

/** {@link ShapeRules}, and the existing paths. */
interface Naming extends ShapeRules {
  readonly seen: Set<string>;
}

/** Names a block and everything in it, in both directions [TFN-1] to [TFN-6]. */
export function makeShape(block: Block, rules: ShapeRules): BlockShape {
  const naming = { ...rules, seen: new Set<string>() };
  const shape = blockShape(block, '', naming);
  for (const path of rules.fields.keys()) {
    if (!naming.seen.has(path))
      refuseMapping(`for ${rules.of}`, `/fields/${path}`, 'there is no such attribute');
  }
  return Object.freeze({ ...shape, block });
}

function blockShape(block: Block, path: string, rules: Naming): ObjectShape {
  const attributes = [...block.attributes].map(([name, each]) => attributePart(name, each, path, rules));
  const blocks = [...block.blocks].map(([name, each]) => blockPart(name, each, path, rules));
  return named([...attributes, ...blocks], path, rules);
}

function attributePart(name: string, attribute: Attribute, path: string, rules: Naming): Unnamed {
  const here = `${path}${name}`;
  const form =
    attribute.nested === undefined
      ? typeForm(attribute.type, here, rules, attribute.computed)
      : nestedForm(attribute, here, rules);
  const { required, optional, computed, sensitive, writeOnly } = attribute;
  const flags = { required, optional, computed, sensitive, writeOnly, isBlock: false };
  const isId = path === '' && name === 'id' && rules.hasId && isPlainId(attribute);
  return { ...part(name, form, flags, attribute, here, rules), isId };
}

/**
 * Tells whether an attribute `id` is only the id [TFN-5]: a computed text. Older SDKs give every resource one that
 * could also be set, without a description.
 */
function isPlainId(id: Attribute): boolean {
  if (!id.computed || attributeType(id) !== 'string' || id.sensitive) return false;
  return !id.optional || (id.description === undefined && id.deprecated !== true);
}

function nestedForm(attribute: Attribute, path: string, rules: Naming): Form {
  if (attribute.nested === undefined) throw new TypeError(`${path} has no nested attributes`);
  const { nesting, attributes } = attribute.nested;
  const parts = [...attributes].map(([name, each]) => attributePart(name, each, `${path}.`, rules));
  const element: Form = { t: 'object', shape: named(parts, `${path}.`, rules) };
  return nesting === 'single' ? element : collection(nesting, element, false, path, rules);
}

function blockPart(name: string, nested: NestedBlock, path: string, rules: Naming): Unnamed {
  const here = `${path}${name}`;
  const { nesting, block, minItems, maxItems } = nested;
  const shape = blockShape(block, `${here}.`, rules);
  const element: Form = { t: 'object', shape };
  const form =
    nesting === 'single' || nesting === 'group'
      ? element
      : collection(nesting, element, maxItems === 1, here, rules);
  const isResult = shape.parts.length > 0 && shape.parts.every(isOutputOnly);
  const required = minItems > 0 && !isResult;
  const flags = { required, optional: !required && !isResult, computed: isResult };
  return part(
    name,
    form,
    { ...flags, sensitive: false, writeOnly: false, isBlock: true },
    block,
    here,
    rules,
  );
}

/** Tells whether only the provider sets a part. */
export const isOutputOnly = ({ computed, optional, required }: Part): boolean =>
  computed && !optional && !required;

function collection(
  nesting: 'list' | 'set' | 'map',
  element: Form,
  one: boolean,
  path: string,
  rules: Naming,
): Form {
  if (nesting === 'map') return { t: 'map', element };
  return (rules.fields.get(path)?.maxItemsOne ?? one)
    ? { t: 'one', of: nesting, element }
    : { t: nesting, element };
}

/** Returns the form of values of a type. Names of objects in it also come from the schema. */
function typeForm(type: TfType, path: string, rules: Naming, computed: boolean, isElement = false): Form {
  if (typeof type === 'string') return { t: 'value', type };
  if (type.kind === 'tuple') {
    const elements = type.elements.map((each, at) => typeForm(each, `${path}.${at}`, rules, computed));
    return elements.some((each) => each.t !== 'value') ? { t: 'tuple', elements } : { t: 'value', type };
  }
  if (type.kind !== 'object') {
    const element = typeForm(type.element, path, rules, computed, true);
    return collection(type.kind, element, false, isElement ? '' : path, rules);
  }
  const flags = {
    required: false,
    optional: true,
    computed,
    sensitive: false,
    writeOnly: false,
    isBlock: false,
  };
  const parts = Object.entries(type.attributes).map(([name, each]) => {
    const here = `${path}.${name}`;
    return part(name, typeForm(each, here, rules, computed), flags, {}, here, rules);
  });
  return { t: 'object', shape: named(parts, `${path}.`, rules) };
}

/** Returns the form of values of a type outside of a schema. Members of objects are optional, and always reported. */
export const formOfType = (type: TfType): Form =>
  typeForm(
    type,
    'value',
    { of: 'a value', fields: new Map(), reserved: new Map(), hasId: false, seen: new Set() },
    true,
  );

function part(
  attribute: string,
  form: Form,
  flags: Flags,
  { description, descriptionKind, deprecated, deprecationMessage }: Documentation,
  path: string,
  rules: Naming,
): Unnamed {
  rules.seen.add(path);
  const hidden = objectIn(form)?.parts.some((each) => each.hasHidden) === true;
  return {
    attribute,
    form,
    ...flags,
    isId: false,
    hasHidden: flags.sensitive || flags.writeOnly || hidden,
    typeToken: rules.fields.get(path)?.type,
    ...(description !== undefined && { description }),
    ...(descriptionKind !== undefined && { descriptionKind }),
    ...(deprecated !== undefined && { deprecated }),
    ...(deprecationMessage !== undefined && { deprecationMessage }),
  };
}

function named(unnamed: readonly Unnamed[], path: string, rules: Naming): ObjectShape {
  const fixed = new Map<string, string>();
  const wanted: WantedName[] = [];
  for (const each of unnamed) {
    const own = each.isId ? 'id' : rules.fields.get(`${path}${each.attribute}`)?.name;
    if (own !== undefined) {
      if ([...fixed.values()].includes(own))
        refuseMapping(`for ${rules.of}`, `/fields/${path}${each.attribute}`, `another is called ${own} too`);
      fixed.set(each.attribute, own);
    } else wanted.push(wantedName(each, path === '' ? rules : undefined));
  }
  const reserved = new Set([...fixed.values(), ...(path === '' ? rules.reserved.keys() : [])]);
  const found = distinct(wanted, reserved);
  const parts = unnamed
    .map((each) => {
      const property = fixed.get(each.attribute) ?? found.get(each.attribute) ?? each.attribute;
      return Object.freeze({ ...each, property });
    })
    .sort((a, b) => (a.attribute < b.attribute ? -1 : 1));
  return Object.freeze({
    parts: Object.freeze(parts),
    byProperty: new Map(parts.map((each) => [each.property, each])),
    byAttribute: new Map(parts.map((each) => [each.attribute, each])),
  });
}

function wantedName({ attribute, form }: Unnamed, root: Naming | undefined): WantedName {
  const name = camelCase(attribute);
  const instead = root?.reserved.get(name);
  if (instead !== undefined) return { attribute, names: [instead], yields: true };
  const many = form.t === 'list' || form.t === 'set' ? [camelCase(plural(attribute))] : [];
  return { attribute, names: [...many.filter((each) => each !== name), name] };
}
