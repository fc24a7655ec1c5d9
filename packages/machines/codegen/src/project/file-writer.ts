import type { Expression, Position } from '@cairn/pcl';
import type { PackageModel } from '../schema/model.js';
import type { Code } from './code.js';
import type { Packages } from './packages.js';
import type { SupportName } from './support.js';
import type { TypeMembers, ValueType } from './value-type.js';

/** Component whose program has become a class. */
export interface TranslatedComponent {
  readonly className: string;
  /** Its file without the extension, from the folder of the entry. */
  readonly file: string;
  readonly inputs: ReadonlyMap<string, ValueType>;
  readonly outputs: ReadonlyMap<string, ValueType>;
  readonly members: TypeMembers;
}

/** Writes expressions into a file. */
export interface ExpressionWriter {
  readonly file: FileWriter;
  /** True while the body of a function is written, in which nothing can be awaited. */
  readonly isInside: boolean;
  /** Writes an expression, converted to a type if it is known to have another. */
  code(expression: Expression, to?: ValueType): Code;
  /**
   * Writes an operation on plain operands, in an `apply` if some are outputs. `build` receives their texts, which can
   * be adjacent to any operator.
   */
  operation(operands: readonly Code[], build: (texts: readonly string[]) => Code): Code;
  /** Writes the property of a value. */
  member(of: Code, name: string, at: Position): Code;
  /** Defines names while `write` runs. */
  within<T>(names: ReadonlyMap<string, Code>, write: () => T): T;
  /** Returns a name for a parameter that is free in its scope. */
  parameter(wanted: string, more?: readonly string[]): string;
}

/** File that an expression is written into. */
export interface FileWriter {
  readonly packages: Packages;
  /** True if declarations are children of the component whose class is in the file. */
  readonly insideComponent: boolean;
  /** Imports a name of the SDK. */
  sdk(name: string): string;
  /** Imports a name of the support file of translated programs. */
  support(name: SupportName): string;
  /** Imports a name of a module of Node. */
  node(module: string, name: string): string;
  /** Imports the typed package and returns its name in the file. */
  packageName(model: PackageModel): string;
  /** Returns a name that is neither used in the file nor in `taken`. */
  freeName(wanted: string, taken: readonly string[]): string;
  /**
   * Returns the code of a declaration. `property` is the requested property; if the code is that property alone, its
   * `only` has the name.
   */
  declared(name: string, property: string | undefined, at: Position): Code;
}
