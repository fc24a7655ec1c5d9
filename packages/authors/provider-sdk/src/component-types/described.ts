import type { ShapeSpec } from '../schema/property.js';

/** TypeScript's description of a component class, as data. */
export interface DescribedComponent {
  readonly description: string;
  readonly inputs: ShapeSpec;
  readonly outputs: ShapeSpec;
}

/** Components of a module, by class name. */
export type DescribedComponents = Readonly<Record<string, DescribedComponent>>;

/** Thrown for types that a schema cannot express, each with its location in the sources. */
export class ComponentTypeError extends Error {
  override readonly name = 'ComponentTypeError';

  constructor(readonly problems: readonly string[]) {
    super(
      `types of components that other languages cannot have:\n${problems.map((each) => `  ${each}`).join('\n')}`,
    );
  }
}
