import type { ShapeSpec } from '../schema/property.js';

/** What TypeScript says of a component class, as data. */
export interface DescribedComponent {
  readonly description: string;
  readonly inputs: ShapeSpec;
  readonly outputs: ShapeSpec;
}

/** Components of a module by the name of their class. */
export type DescribedComponents = Readonly<Record<string, DescribedComponent>>;

/** Types that no schema has: each with its place in the sources. */
export class ComponentTypeError extends Error {
  override readonly name = 'ComponentTypeError';

  constructor(readonly problems: readonly string[]) {
    super(
      `types of components that other languages cannot have:\n${problems.map((each) => `  ${each}`).join('\n')}`,
    );
  }
}
