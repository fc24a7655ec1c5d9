import { keysInOrder, makeSet } from '../values/order.js';
import type { PathStep } from '../values/path.js';
import { TypeJsonError, typeDescription } from '../values/type.js';
import type { ObjectType, TfType } from '../values/type.js';
import type { TfRecord, TfValue } from '../values/value.js';
import { TfValueError } from './value-error.js';

/** Tree that a library decoded. Its keys of maps may need conversion. */
type Tree = unknown;

type PrimitiveType = 'string' | 'number' | 'bool';

/** Parts of an encoding that differ from other encodings. */
export interface TreeForm {
  /** Returns a value of any type for nil, extensions and similar. Undefined if the type decides. */
  special(tree: Tree, type: TfType): TfValue | undefined;
  primitive(tree: Tree, type: PrimitiveType): TfValue | undefined;
  /** Returns the value at a dynamic place. `read` reads with the type that the value brings. */
  dynamic(tree: Tree, read: (type: TfType, tree: Tree) => TfValue): TfValue | undefined;
  /** `key` converts the library's form of a key to the real one; `stored` does the reverse. */
  key(key: string): string;
  stored(key: string): string;
  /** Value of an attribute that an object lacks. Undefined if that is refused. */
  readonly missing: null | undefined;
  /** True if an object without any attribute is read as an empty object, whatever its type. */
  readonly emptyObjects: boolean;
}

const EMPTY: TfRecord = Object.freeze(Object.create(null) as Record<string, TfValue>);

/** Reads decoded trees by their types. Throws {@link TfValueError}. */
export class TreeReader {
  readonly #path: PathStep[] = [];
  readonly #form: TreeForm;

  constructor(form: TreeForm) {
    this.#form = form;
  }

  /** Reads the value of a tree. */
  read(type: TfType, tree: Tree): TfValue {
    try {
      return this.#any(type, tree);
    } catch (error) {
      if (error instanceof TypeJsonError) throw new TfValueError(error.message, [...this.#path]);
      // An error of a form does not know its path.
      if (error instanceof TfValueError && error.path.length === 0 && this.#path.length > 0) {
        throw new TfValueError(error.reason, [...this.#path]);
      }
      throw error;
    }
  }

  #any(type: TfType, tree: Tree): TfValue {
    const special = this.#form.special(tree, type);
    if (special !== undefined) return special;
    if (typeof type === 'string') return this.#leaf(type, tree) ?? this.#wrong(type, tree);
    switch (type.kind) {
      case 'object':
        return this.#object(type, tree);
      case 'map':
        return this.#map(type.element, isPlain(tree) ? tree : this.#wrong(type, tree));
      case 'tuple': {
        const elements = Array.isArray(tree) ? (tree as Tree[]) : this.#wrong(type, tree);
        if (elements.length !== type.elements.length) {
          this.#refuse(`${type.elements.length} elements required, not ${elements.length}`);
        }
        return Object.freeze(elements.map((each, at) => this.#within(at, type.elements[at] as TfType, each)));
      }
      default: {
        const elements = Array.isArray(tree) ? (tree as Tree[]) : this.#wrong(type, tree);
        const read = elements.map((each, at) => this.#within(at, type.element, each));
        return type.kind === 'set' ? makeSet(type.element, read) : Object.freeze(read);
      }
    }
  }

  #leaf(type: PrimitiveType | 'dynamic', tree: Tree): TfValue | undefined {
    return type === 'dynamic'
      ? this.#form.dynamic(tree, (brought, value) => this.#any(brought, value))
      : this.#form.primitive(tree, type);
  }

  #object(type: ObjectType, tree: Tree): TfValue {
    const entries = isPlain(tree) ? tree : this.#wrong(type, tree);
    const given = Object.keys(entries).length;
    if (given === 0 && this.#form.emptyObjects) return EMPTY;
    const made = Object.create(null) as Record<string, TfValue>;
    let used = 0;
    for (const name in type.attributes) {
      const value = own(entries, this.#form.stored(name));
      if (value === undefined) {
        if (this.#form.missing === undefined) this.#refuse(`attribute "${name}" is missing`);
        made[name] = this.#form.missing;
        continue;
      }
      used += 1;
      made[name] = this.#within(name, type.attributes[name] as TfType, value);
    }
    if (used === given) return Object.freeze(made);
    const extra = Object.keys(entries).find((key) => !(this.#form.key(key) in type.attributes));
    return this.#refuse(`attribute "${this.#form.key(extra ?? '')}" is not in the type`);
  }

  #map(element: TfType, entries: Readonly<Record<string, Tree>>): TfValue {
    const made = Object.create(null) as Record<string, TfValue>;
    const read = Object.create(null) as Record<string, Tree>;
    for (const key of Object.keys(entries)) read[this.#form.key(key).normalize('NFC')] = entries[key];
    for (const key of keysInOrder(read)) made[key] = this.#within(key, element, read[key]);
    return Object.freeze(made);
  }

  #within(step: PathStep, type: TfType, tree: Tree): TfValue {
    this.#path.push(step);
    const value = this.#any(type, tree);
    this.#path.pop();
    return value;
  }

  #wrong(type: TfType, tree: Tree): never {
    return this.#refuse(`${typeDescription(type)} required, not ${treeKind(tree)}`);
  }

  #refuse(reason: string): never {
    throw new TfValueError(reason, [...this.#path]);
  }
}

/** Returns an own property of a decoded map, not one of its prototype. */
function own(entries: Readonly<Record<string, Tree>>, name: string): Tree {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

function isPlain(tree: Tree): tree is Readonly<Record<string, Tree>> {
  if (typeof tree !== 'object' || tree === null) return false;
  const prototype: unknown = Object.getPrototypeOf(tree);
  return prototype === Object.prototype || prototype === null;
}

function treeKind(tree: Tree): string {
  if (tree === null) return 'null';
  if (Array.isArray(tree)) return 'a list';
  if (tree instanceof Uint8Array) return 'bytes';
  return isPlain(tree) ? 'a map' : `a ${typeof tree === 'bigint' ? 'number' : typeof tree}`;
}
