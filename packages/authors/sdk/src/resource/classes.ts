import { isProviderType, providerTypePackage, tokenPackage } from '@cairn/addresses';

/** The class of a resource: its instances are made here without calling its constructor. */
export interface ResourceClass {
  readonly prototype: object;
}

/** A package that knows the classes of its types. */
export interface ClassSource {
  readonly version: string;
  /** Undefined: it has no such type. */
  classOf(type: string): ResourceClass | undefined;
  /** Opens the package of that name if this one refers to it. */
  openReferenced(pkg: string): void;
}

interface Registry {
  readonly classes: Map<string, ResourceClass>;
  readonly packages: Map<string, ClassSource[]>;
}

// One place for all copies of this package in the process: it says what classes there are, and nothing of programs.
const SLOT = Symbol.for('cairn.sdk.resource-classes');
const holder = globalThis as { [SLOT]?: Registry | undefined };

function registry(): Registry {
  return (holder[SLOT] ??= { classes: new Map(), packages: new Map() });
}

/**
 * Says of which class a resource is that a program gets from others: an output that refers to one of this type is an
 * object of the class. Its constructor is not called, so what it offers are getters and methods. Generated packages
 * need none of this.
 */
export function registerResourceClass(type: string, resourceClass: ResourceClass): void {
  registry().classes.set(type, resourceClass);
}

/** A package is there, and is asked for classes from now on. */
export function addClassSource(pkg: string, source: ClassSource): void {
  const { packages } = registry();
  packages.set(pkg, [...(packages.get(pkg) ?? []), source]);
}

/** The class of a type, of the package of that version if there are several; undefined when nobody knows one. */
export function classOfType(type: string, version: string | undefined): ResourceClass | undefined {
  const { classes, packages } = registry();
  const known = classes.get(type);
  if (known !== undefined) return known;
  const pkg = isProviderType(type) ? (providerTypePackage(type) ?? '') : tokenPackage(type);
  if (!packages.has(pkg)) for (const source of [...packages.values()].flat()) source.openReferenced(pkg);
  const sources = packages.get(pkg) ?? [];
  return (sources.find((each) => each.version === version) ?? sources.at(-1))?.classOf(type);
}
