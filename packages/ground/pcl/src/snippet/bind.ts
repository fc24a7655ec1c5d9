import { pclError } from '../pcl-error.js';
import { FUNCTIONS } from '../evaluate/functions.js';
import { callsIn, namesIn } from './names.js';
import type { SnippetCode } from './parse-snippet.js';

/** Schema of one resource type of a package. */
export interface ResourceSchema {
  /** Names of inputs. */
  readonly inputs: ReadonlySet<string>;
  readonly required: readonly string[];
  /** True for a component that its provider makes. */
  readonly isComponent: boolean;
}

/** Names that code may refer to. */
interface BindingContext {
  /** Schema of the type; `undefined` if it is not known. */
  readonly schema: ResourceSchema | undefined;
  /** Local names of other resources. */
  readonly references: ReadonlySet<string>;
  /** Functions supplied from outside. */
  readonly functions: ReadonlySet<string>;
  /** Options whose values name properties of the resource itself. */
  readonly ownPaths: ReadonlySet<string>;
}

/**
 * Checks code against the schema of its type and the names it may refer to, before anything runs. Throws a CairnError:
 * "missing required attribute 'x'", "unsupported attribute 'x'", or the name that is not known.
 */
export function bindSnippet({ attributes, options }: SnippetCode, context: BindingContext): void {
  const { schema, references } = context;
  for (const { name, at } of attributes.values()) {
    if (schema !== undefined && !schema.inputs.has(name))
      throw pclError(`unsupported attribute '${name}'`, at);
  }
  for (const name of schema?.required ?? []) {
    if (!attributes.has(name)) throw pclError(`missing required attribute '${name}'`, undefined);
  }
  const ranged = options.has('range') ? new Set([...references, 'range']) : references;
  for (const { value } of attributes.values()) bindExpression(value, ranged, context.functions);
  for (const [name, { value }] of options) {
    if (context.ownPaths.has(name)) continue;
    bindExpression(value, name === 'range' ? references : ranged, context.functions);
  }
}

function bindExpression(
  expression: Parameters<typeof namesIn>[0],
  names: ReadonlySet<string>,
  functions: ReadonlySet<string>,
): void {
  for (const { name, at } of namesIn(expression))
    if (!names.has(name)) throw pclError(`undefined variable '${name}'`, at);
  for (const { name, at } of callsIn(expression))
    if (!functions.has(name) && !Object.hasOwn(FUNCTIONS, name) && name !== 'unsecret')
      throw pclError(`unknown function '${name}'`, at);
}

interface ResourceDocument {
  readonly inputProperties?: object;
  readonly requiredInputs?: readonly string[];
  readonly isComponent?: boolean;
}

/**
 * Reads the schema of one type from a package's schema document. Returns `undefined` if the package has no such type.
 */
export function resourceSchema(document: string, type: string): ResourceSchema | undefined {
  const { resources = {}, provider } = JSON.parse(document) as {
    resources?: Readonly<Record<string, ResourceDocument>>;
    provider?: ResourceDocument;
  };
  const isProvider = type.startsWith('pulumi:providers:');
  const found = isProvider ? provider : Object.hasOwn(resources, type) ? resources[type] : undefined;
  if (found === undefined) return undefined;
  return {
    inputs: new Set(Object.keys(found.inputProperties ?? {})),
    required: found.requiredInputs ?? [],
    isComponent: found.isComponent ?? false,
  };
}
