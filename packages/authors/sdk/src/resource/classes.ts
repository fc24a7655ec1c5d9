import { isProviderType, providerTypePackage, tokenPackage } from '@cairn/addresses';

/** The class of a resource. Instances are made without calling its constructor. */
export interface ResourceClass {
  readonly prototype: object;
}

/** A package that knows the classes of its types. */
export interface ClassSource {
  readonly version: string;
  /** Returns the class of a type, or undefined if the package has no such type. */
  classOf(type: string): ResourceClass | undefined;
  /** Opens the package of that name if this one refers to it. */
  openReferenced(pkg: string): void;
}

interface Registry {
  readonly classes: Map<string, ResourceClass>;
  readonly packages: Map<string, ClassSource[]>;
}

// One place for all copies of this package in the process. It lists classes only and holds nothing of programs.
const SLOT = Symbol.for('cairn.sdk.resource-classes');
const holder = globalThis as { [SLOT]?: Registry | undefined };

function registry(): Registry {
  return (holder[SLOT] ??= { classes: new Map(), packages: new Map() });
}

/**
 * Registers the class of the resources that a program gets from others: an output that refers to one of this type is an
 * object of the class. The constructor is not called, so the class can offer getters and methods only. Generated
 * packages do not need this.
 */
export function registerResourceClass(type: string, resourceClass: ResourceClass): void {
  registry().classes.set(type, resourceClass);
}

/** Adds a package, which is asked for classes from then on. */
export function addClassSource(pkg: string, source: ClassSource): void {
  const { packages } = registry();
  packages.set(pkg, [...(packages.get(pkg) ?? []), source]);
}

/**
 * Returns the class of a type, from the package of that version if there are several. Undefined if no package knows
 * one.
 */
export function classOfType(type: string, version: string | undefined): ResourceClass | undefined {
  const { classes, packages } = registry();
  const known = classes.get(type);
  if (known !== undefined) return known;
  const pkg = isProviderType(type) ? (providerTypePackage(type) ?? '') : tokenPackage(type);
  if (!packages.has(pkg)) for (const source of [...packages.values()].flat()) source.openReferenced(pkg);
  const sources = packages.get(pkg) ?? [];
  return (sources.find((each) => each.version === version) ?? sources.at(-1))?.classOf(type);
}
