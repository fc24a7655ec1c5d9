import type { Expression, Position } from '@cairn/pcl';
import type { PackageModel } from '../schema/model.js';
import type { Code } from './code.js';
import type { Packages } from './packages.js';
import type { SupportName } from './support.js';
import type { Members, ValueType } from './value-type.js';

/** A component whose program has become a class. */
export interface TranslatedComponent {
  readonly className: string;
  /** Its file, without what stands behind the dot, from the folder of the entry. */
  readonly file: string;
  readonly inputs: ReadonlyMap<string, ValueType>;
  readonly outputs: ReadonlyMap<string, ValueType>;
  readonly members: Members;
}

/** What writes expressions into a file. */
export interface ExpressionWriter {
  readonly file: FileWriter;
  /** True while the body of a function is written, in which nothing can be awaited. */
  readonly isInside: boolean;
  /** The expression, converted to a type where it is known that it has another. */
  code(expression: Expression, to?: ValueType): Code;
  /**
   * What is made of plain operands: in an `apply`, where some are outputs. `build` gets their texts, ready to stand
   * beside anything.
   */
  operation(operands: readonly Code[], build: (texts: readonly string[]) => Code): Code;
  /** The property of something. */
  member(of: Code, name: string, at: Position): Code;
  /** Names that mean something while `write` writes. */
  within<T>(names: ReadonlyMap<string, Code>, write: () => T): T;
  /** A name for a parameter that nothing around it has. */
  parameter(wanted: string, more?: readonly string[]): string;
}

/** The file that an expression is written into. */
export interface FileWriter {
  readonly packages: Packages;
  /** What is declared hangs below the component that the file is the class of. */
  readonly insideComponent: boolean;
  /** A name of the SDK, imported. */
  sdk(name: string): string;
  /** A name of the file that translated programs have beside them, imported. */
  support(name: SupportName): string;
  /** A name of a module of Node, imported. */
  node(module: string, name: string): string;
  /** The name that the typed package has in the file, imported. */
  packageName(model: PackageModel): string;
  /** A name that nothing in the file has, nor `taken`. */
  freeName(wanted: string, taken: readonly string[]): string;
  /**
   * What the program declares under a name. `property`: what is asked for; where the answer is that property alone, its
   * `only` says so.
   */
  declared(name: string, property: string | undefined, at: Position): Code;
}
