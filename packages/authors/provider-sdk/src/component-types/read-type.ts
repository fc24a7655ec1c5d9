import type tsModule from 'typescript';
import type ts from 'typescript';
import type { PropertySpec, ShapeSpec, TypeSpec } from '../schema/property.js';
import { aliasName, assetKind, extendsClass, symbolName, wrappedType } from './type-kinds.js';

/** Location of a problem in the sources. */
interface At {
  readonly node: ts.Node;
  /** Path such as `args.rules`. */
  readonly path: string;
}

/** Converts types of TypeScript to those of a schema. Records types that a schema cannot express, with their lines. */
export class TypeReader {
  readonly problems: string[] = [];
  readonly #open: ts.Type[] = [];
  readonly #api: typeof tsModule;
  readonly #checker: ts.TypeChecker;
  /** Classes that the package itself serves, with their type without its name. */
  readonly #served: ReadonlyMap<ts.Symbol, string>;

  constructor(api: typeof tsModule, checker: ts.TypeChecker, served: ReadonlyMap<ts.Symbol, string>) {
    this.#api = api;
    this.#checker = checker;
    this.#served = served;
  }

  /** Returns the properties of an object type. */
  shape(type: ts.Type, at: At): ShapeSpec {
    return Object.fromEntries(
      this.#checker.getPropertiesOfType(type).map((symbol) => [symbol.name, this.property(symbol, at)]),
    );
  }

  /** Returns one property, with its comment. */
  property(symbol: ts.Symbol, { node, path }: At): PropertySpec {
    const own = symbol.valueDeclaration ?? symbol.declarations?.[0] ?? node;
    const at = { node: own, path: `${path}.${symbol.name}` };
    const type = this.#checker.getTypeOfSymbolAtLocation(symbol, own);
    const { parts, optional } = this.#values(type);
    return {
      ...spec(this.#union(parts, type, at)),
      presence: optional || (symbol.flags & this.#api.SymbolFlags.Optional) !== 0 ? 'optional' : 'required',
      description: this.#comment(symbol),
    };
  }

  #comment(symbol: ts.Symbol): string {
    return this.#api.displayPartsToString(symbol.getDocumentationComment(this.#checker));
  }

  /** Returns the comment of a class. */
  description(symbol: ts.Symbol): string {
    return this.#comment(symbol);
  }

  /** Returns the types that a value may have, without outputs and promises. */
  #values(type: ts.Type): { readonly parts: readonly ts.Type[]; readonly optional: boolean } {
    const { TypeFlags } = this.#api;
    const parts = new Set<ts.Type>();
    let optional = false;
    const add = (each: ts.Type): void => {
      const inner = wrappedType(each);
      if (inner !== undefined) add(inner);
      else if (each.isUnion()) each.types.forEach(add);
      else if ((each.flags & (TypeFlags.Undefined | TypeFlags.Null)) !== 0) optional = true;
      else parts.add(each);
    };
    add(type);
    return { parts: [...parts], optional };
  }

  #union(parts: readonly ts.Type[], whole: ts.Type, at: At): TypeSpec {
    const { TypeFlags } = this.#api;
    const [first] = parts;
    const all = (flags: ts.TypeFlags) =>
      parts.length > 0 && parts.every((each) => (each.flags & flags) !== 0);
    if (all(TypeFlags.Any | TypeFlags.Unknown)) return { kind: 'any' };
    if (all(TypeFlags.StringLiteral)) {
      const oneOf = parts.map((each) => (each as ts.StringLiteralType).value);
      const name = this.#enumName(first as ts.Type, whole);
      const isEnum = parts.every((each) => (each.flags & TypeFlags.EnumLiteral) !== 0);
      const memberNames = isEnum ? parts.map((each) => each.symbol.name) : undefined;
      return {
        kind: 'string',
        oneOf,
        ...(name !== undefined && { name }),
        ...(memberNames && { memberNames }),
      };
    }
    if (all(TypeFlags.StringLike)) return { kind: 'string' };
    if (all(TypeFlags.NumberLike)) return { kind: 'number' };
    if (all(TypeFlags.BooleanLike)) return { kind: 'boolean' };
    const assets = parts.map(assetKind);
    if (assets.length > 0 && !assets.includes(undefined))
      return { kind: assets.every((kind) => kind === 'archive') ? 'archive' : 'asset' };
    if (parts.length === 1 && first !== undefined) return this.#single(first, at);
    return this.refuse(at, `${this.#checker.typeToString(whole)} is a union of several types`);
  }

  /** Returns the name of an enum, or of the alias of a union of texts. */
  #enumName(first: ts.Type, whole: ts.Type): string | undefined {
    if ((first.flags & this.#api.TypeFlags.EnumLiteral) === 0)
      return aliasName(this.#checker.getNonNullableType(whole));
    const parent = first.symbol.declarations?.[0]?.parent;
    return parent !== undefined && this.#api.isEnumDeclaration(parent) ? parent.name.text : undefined;
  }

  #single(type: ts.Type, at: At): TypeSpec {
    const checker = this.#checker;
    if (extendsClass(type, 'Resource')) {
      const token = this.#served.get(type.symbol);
      return { kind: 'resource', ...(token !== undefined && { token }) };
    }
    if (checker.isArrayType(type)) {
      const [items] = checker.getTypeArguments(type as ts.TypeReference);
      return { kind: 'array', items: this.#inside(items as ts.Type, { ...at, path: `${at.path}[]` }) };
    }
    const name = checker.typeToString(type);
    if ((type.flags & this.#api.TypeFlags.Object) === 0 || checker.isTupleType(type))
      return this.refuse(at, `${name} is not a type of a schema`);
    if (type.getCallSignatures().length > 0) return this.refuse(at, `${name} is a function`);
    const values = checker.getIndexTypeOfType(type, this.#api.IndexKind.String);
    if (values !== undefined)
      return { kind: 'map', values: this.#inside(values, { ...at, path: `${at.path}[]` }) };
    if (type.isClass() || this.#isBuiltIn(type)) return this.refuse(at, `${name} is a class`);
    if (this.#open.includes(type)) return this.refuse(at, `${name} contains itself`);
    this.#open.push(type);
    const properties = this.shape(type, at);
    this.#open.pop();
    const named = type.aliasSymbol?.name ?? symbolName(type);
    return { kind: 'object', properties, ...(!named.startsWith('__') && { name: named }) };
  }

  /** Tells whether a type belongs to the language itself, such as Date, or to Node. */
  #isBuiltIn(type: ts.Type): boolean {
    const files = type.symbol?.declarations?.map((each) => each.getSourceFile().fileName) ?? [];
    return files.some((file) => /[\\/](?:typescript[\\/]lib[\\/]lib\.|@types[\\/]node[\\/])/.test(file));
  }

  #inside(type: ts.Type, at: At): PropertySpec {
    return spec(this.#union(this.#values(type).parts, type, at));
  }

  /** Records a type that a schema cannot express. */
  refuse({ node, path }: At, why: string): TypeSpec {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    this.problems.push(`${file.fileName}:${line + 1}: ${path}: ${why}`);
    return { kind: 'any' };
  }
}

function spec(type: TypeSpec): PropertySpec {
  return {
    ...{ type, presence: 'required', defaultValue: undefined, secret: false },
    ...{ replaceOnChange: false, immutable: false, naming: undefined, description: '' },
  };
}
