import { capital } from '@cairn/addresses';
import type { TfType } from '@cairn/tfplugin';
import { isOutputOnly } from './make-shape.js';
import { camelCase, trimmed } from './property-names.js';
import { objectIn } from './shape.js';
import type { Form, ObjectShape, Part } from './shape.js';
import { TypeNames } from './tokens.js';

/** A type, property or object type of a package schema. */
export type Spec = Readonly<Record<string, unknown>>;

/** Side of properties: given or reported. An object whose two sides differ has two types. */
type Side = 'inputs' | 'outputs';

/** Properties of one side of an object: their entries in a package schema, and those that always exist. */
export interface PropertySpecs {
  readonly properties: Readonly<Record<string, Spec>>;
  readonly required: readonly string[];
}

/** The object types of a package. They are named on first use: the same schema results in the same names [TFN-4]. */
export class TypeSpecs {
  readonly #types = new Map<string, Spec>();
  readonly #names: TypeNames;

  constructor(
    readonly packageName: string,
    taken: Iterable<string>,
  ) {
    this.#names = new TypeNames(taken);
  }

  /** All types so far, by token. */
  get all(): Readonly<Record<string, Spec>> {
    return Object.fromEntries([...this.#types].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Returns properties of an object. The types in it are named after `owner`. The id of a resource is not among them.
   */
  properties(shape: ObjectShape, side: Side, owner: string): PropertySpecs {
    const parts = shape.parts.filter((part) => !part.isId && isOn(part, side));
    return {
      properties: Object.fromEntries(
        parts.map((part) => [part.property, this.#property(part, side, owner)] as const).sort(byName),
      ),
      required: parts
        .filter((part) => part.required || (side === 'outputs' && part.computed))
        .map(({ property }) => property)
        .sort(),
    };
  }

  /** Returns the type of values of a form. `token` is the mapping's token for the objects in it. */
  type(form: Form, side: Side, owner: string, token?: string): Spec {
    switch (form.t) {
      case 'value':
        return plainType(form.type);
      case 'list':
      case 'set':
        return { type: 'array', items: this.type(form.element, side, owner, token) };
      case 'map':
        return { type: 'object', additionalProperties: this.type(form.element, side, owner, token) };
      case 'tuple':
        return { type: 'array', items: ANY };
      case 'one':
        return this.type(form.element, side, owner, token);
      case 'object':
        return { $ref: `#/types/${this.#object(form.shape, side, owner, token)}` };
    }
  }

  #property(part: Part, side: Side, owner: string): Spec {
    const own = capital(trimmed(camelCase(part.attribute)));
    const type = this.type(part.form, side, `${owner}${own}`, part.typeToken);
    return {
      ...type,
      ...(part.description !== undefined && { description: part.description }),
      ...(part.deprecated === true || part.deprecationMessage !== undefined
        ? { deprecationMessage: part.deprecationMessage ?? 'It is deprecated.' }
        : {}),
      ...((part.sensitive || part.writeOnly) && { secret: true }),
    };
  }

  readonly #tokens = new Map<ObjectShape, Partial<Record<Side, string>>>();

  #object(shape: ObjectShape, side: Side, owner: string, wanted: string | undefined): string {
    const known = this.#tokens.get(shape) ?? {};
    const found = known[side];
    if (found !== undefined) return found;
    const same = sidesAgree(shape);
    const name = same || side === 'inputs' ? owner : `${owner}Result`;
    const token = this.#token(name, side === 'inputs' || same ? wanted : undefined);
    this.#tokens.set(shape, same ? { inputs: token, outputs: token } : { ...known, [side]: token });
    const { properties, required } = this.properties(shape, side, owner);
    // A single type for both sides also lists the properties that are always reported.
    const reported = same ? this.properties(shape, 'outputs', owner).required : required;
    this.#types.set(token, {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      ...(reported.length > required.length && { language: { nodejs: { requiredOutputs: reported } } }),
    });
    return token;
  }

  #token(name: string, wanted: string | undefined): string {
    if (wanted !== undefined) return wanted;
    const free = this.#names.claim(name);
    return `${this.packageName}:index/${free.charAt(0).toLowerCase()}${free.slice(1)}:${free}`;
  }
}

const ANY: Spec = { $ref: 'pulumi.json#/Any' };

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** Tells whether a part is on a side: an input, or an output. */
function isOn(part: Part, side: Side): boolean {
  return side === 'inputs' ? !isOutputOnly(part) : !part.writeOnly;
}

/** Tells whether given and reported objects have the same properties. */
function sidesAgree(shape: ObjectShape): boolean {
  return shape.parts.every((part) => {
    const inside = objectIn(part.form);
    return isOn(part, 'inputs') === isOn(part, 'outputs') && (inside === undefined || sidesAgree(inside));
  });
}

function plainType(type: TfType): Spec {
  if (type === 'string' || type === 'number') return { type };
  if (type === 'bool') return { type: 'boolean' };
  if (type === 'dynamic') return ANY;
  if (type.kind === 'tuple') return { type: 'array', items: ANY };
  if (type.kind === 'map') return { type: 'object', additionalProperties: plainType(type.element) };
  return type.kind === 'object' ? ANY : { type: 'array', items: plainType(type.element) };
}
