import { AddressError } from './address-error.js';

declare const urnBrand: unique symbol;

/**
 * The identity of a resource in a stack, ours: `urn:pulumi:<stack>::<project>::<qualified type>::<name>`.
 * A URN is its own text, so it compares with `===`, prints as it is and keys a `Map`. Only this package looks inside.
 * Grammar: [ADDR-1].
 */
export type Urn = string & { readonly [urnBrand]: true };

/** Parts of a URN. `qualifiedType` is the chain of types joined by `$`; `type` is its last link. */
interface UrnParts {
  readonly stack: string;
  readonly project: string;
  readonly qualifiedType: string;
  readonly type: string;
  /** Everything after the third `::`; free text that may itself contain `::`, `$` or line breaks. */
  readonly name: string;
}

const PREFIX = 'urn:pulumi:';
const SEPARATOR = '::';
/** Least number of separators. More of them belong to the name. */
const SEPARATORS = 3;

/** Type of the resource that represents the stack itself. It never appears in the type chain of its children. */
export const ROOT_STACK_TYPE = 'pulumi:pulumi:Stack';

/** Tells whether the text is a URN: the prefix and at least three separators after it. */
export function isUrn(text: string): text is Urn {
  if (!text.startsWith(PREFIX)) return false;
  let from = PREFIX.length;
  for (let count = 0; count < SEPARATORS; count++) {
    const at = text.indexOf(SEPARATOR, from);
    if (at < 0) return false;
    from = at + SEPARATOR.length;
  }
  return true;
}

/** Checks and brands the text. Throws {@link AddressError} if it is not a URN. */
export function asUrn(text: string): Urn {
  if (!isUrn(text))
    throw new AddressError('urn', text, 'expected urn:pulumi:<stack>::<project>::<type>::<name>');
  return text;
}

/** Splits a URN into its parts. Throws {@link AddressError} if the text is not a URN. */
export function urnParts(urn: string): UrnParts {
  const at = urn.startsWith(PREFIX) ? splitAt(urn) : undefined;
  if (at === undefined)
    throw new AddressError('urn', urn, 'expected urn:pulumi:<stack>::<project>::<type>::<name>');
  const qualifiedType = urn.slice(at.type, at.typeEnd);
  return {
    stack: urn.slice(PREFIX.length, at.stackEnd),
    project: urn.slice(at.project, at.projectEnd),
    qualifiedType,
    type: lastType(qualifiedType),
    name: urn.slice(at.typeEnd + SEPARATOR.length),
  };
}

/** Own type of the resource: the part of the qualified type after the last `$`. */
export function urnType(urn: Urn): string {
  const at = splitAt(urn);
  return at === undefined ? '' : lastType(urn.slice(at.type, at.typeEnd));
}

/** Logical name of the resource. */
export function urnName(urn: Urn): string {
  const at = splitAt(urn);
  return at === undefined ? '' : urn.slice(at.typeEnd + SEPARATOR.length);
}

/** Type chain of the resource, outermost parent type first, joined by `$`. */
export function urnQualifiedType(urn: Urn): string {
  const at = splitAt(urn);
  return at === undefined ? '' : urn.slice(at.type, at.typeEnd);
}

/** Parts to build a new URN from. A parent of the root stack type adds nothing to the type chain. */
interface UrnSpec {
  readonly stack: string;
  readonly project: string;
  readonly parent?: Urn | undefined;
  readonly type: string;
  readonly name: string;
}

/** Builds the URN of a resource from its parent's type chain, its type and its name [ADDR-1]. */
export function makeUrn(spec: UrnSpec): Urn {
  return joinUrn(spec.stack, spec.project, childQualifiedType(spec.parent, spec.type), spec.name);
}

/** Builds a URN from a complete type chain. */
export function joinUrn(stack: string, project: string, qualifiedType: string, name: string): Urn {
  return `${PREFIX}${stack}${SEPARATOR}${project}${SEPARATOR}${qualifiedType}${SEPARATOR}${name}` as Urn;
}

/** Type chain of a child of `parent` with the given own type. */
export function childQualifiedType(parent: Urn | undefined, type: string): string {
  if (parent === undefined || urnType(parent) === ROOT_STACK_TYPE) return type;
  return `${urnQualifiedType(parent)}$${type}`;
}

/** Returns the URN of the same resource under another parent. Stack, project, type and name remain. */
export function reparentUrn(urn: Urn, parent: Urn | undefined): Urn {
  const { stack, project, type, name } = urnParts(urn);
  return makeUrn({ stack, project, parent, type, name });
}

/** URN of the root stack resource: name `<project>-<stack>`, no parent. */
export function rootStackUrn(project: string, stack: string): Urn {
  return makeUrn({ stack, project, type: ROOT_STACK_TYPE, name: `${project}-${stack}` });
}

/** Tells whether the URN names a root stack resource. */
export function isRootStackUrn(urn: Urn): boolean {
  return urn.includes(ROOT_STACK_TYPE) && urnType(urn) === ROOT_STACK_TYPE;
}

interface SplitPoints {
  readonly stackEnd: number;
  readonly project: number;
  readonly projectEnd: number;
  readonly type: number;
  readonly typeEnd: number;
}

/** Returns the positions of the first three separators, or `undefined` if there are fewer. */
function splitAt(urn: string): SplitPoints | undefined {
  const stackEnd = urn.indexOf(SEPARATOR, PREFIX.length);
  if (stackEnd < 0) return undefined;
  const project = stackEnd + SEPARATOR.length;
  const projectEnd = urn.indexOf(SEPARATOR, project);
  if (projectEnd < 0) return undefined;
  const type = projectEnd + SEPARATOR.length;
  const typeEnd = urn.indexOf(SEPARATOR, type);
  if (typeEnd < 0) return undefined;
  return { stackEnd, project, projectEnd, type, typeEnd };
}

function lastType(qualifiedType: string): string {
  return qualifiedType.slice(qualifiedType.lastIndexOf('$') + 1);
}
