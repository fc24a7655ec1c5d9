import type { Provider } from '@cairn/wire';

type Json = Readonly<Record<string, unknown>>;

/** Part of a package schema that the test needs. */
export interface PackageSchema {
  readonly name: string;
  readonly config?: {
    readonly variables?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  readonly resources?: Readonly<Record<string, ResourceSchema>>;
  readonly types?: Readonly<
    Record<
      string,
      {
        readonly properties?: Readonly<Record<string, Json>>;
        readonly required?: readonly string[];
        readonly enum?: readonly Json[];
      }
    >
  >;
}

interface ResourceSchema {
  readonly description?: string;
  readonly isComponent?: boolean;
  readonly inputProperties?: Readonly<Record<string, Json>>;
  readonly requiredInputs?: readonly string[];
}

/** Returns the schema of a package, or `undefined` if the provider has none, or none that can be read. */
export async function schemaOfProvider(provider: Provider): Promise<PackageSchema | undefined> {
  try {
    const schema: unknown = JSON.parse(await provider.getSchema({ version: 0 }));
    return typeof schema === 'object' && schema !== null ? (schema as PackageSchema) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the secret inputs of a type. */
export function secretInputs(schema: PackageSchema | undefined, type: string): readonly string[] {
  return secretsIn(schema?.resources?.[type]?.inputProperties);
}

/** Returns the secret settings. */
export function secretConfig(schema: PackageSchema | undefined): ReadonlySet<string> {
  return new Set(secretsIn(schema?.config?.variables));
}

function secretsIn(properties: Readonly<Record<string, Json>> = {}): readonly string[] {
  return Object.keys(properties).filter((key) => properties[key]?.['secret'] === true);
}

const HEAD = `# Values for \`cairn provider test\`, which creates, changes and deletes real objects.
# Every value must be valid for the provider; remove types that you do not want to test.
`;

/**
 * Returns a file to start from: every type of the schema with its required inputs, and the optional ones as comments.
 */
export function planSkeleton(schema: PackageSchema): string {
  const required = schema.config?.required ?? [];
  const config = required.map((key) => `  ${key}: ${sample(schema, schema.config?.variables?.[key])}\n`);
  const resources = Object.entries(schema.resources ?? {}).filter(
    ([, { isComponent }]) => isComponent !== true,
  );
  return [
    HEAD,
    config.length === 0 ? 'config: {}\n' : `config:\n${config.join('')}`,
    resources.length === 0
      ? 'resources: []\n'
      : `resources:\n${resources.map((each) => skeletonOf(schema, ...each)).join('')}`,
  ].join('');
}

function skeletonOf(
  schema: PackageSchema,
  type: string,
  { inputProperties = {}, requiredInputs = [] }: ResourceSchema,
): string {
  const line = (key: string): string => `${quoted(key)}: ${sample(schema, inputProperties[key])}`;
  const optional = Object.keys(inputProperties).filter((key) => !requiredInputs.includes(key));
  const changed = requiredInputs[0] ?? optional[0];
  return [
    `  - type: ${type}`,
    requiredInputs.length === 0 ? '    inputs: {}' : '    inputs:',
    ...requiredInputs.map((key) => `      ${line(key)}`),
    ...optional.map((key) => `    #   ${line(key)}`),
    ...(changed === undefined ? [] : ['    # changes:', '    #   - inputs:', `    #       ${line(changed)}`]),
    '    #     replaces: false # whether the change needs a new object',
    '    # drift: a command that alters the object; it gets CAIRN_ID and CAIRN_OUTPUT_NAME',
    '    # invalid: inputs that must be refused',
    '    # fails: inputs that create an object which does not become ready',
    '    # interrupt: { inputs: {}, after: 200 } # of a create that takes long, and the time of its interruption, in ms',
    '',
  ].join('\n');
}

const quoted = (key: string): string => (/^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key));

/** Returns a sample value of the property's type. */
function sample(schema: PackageSchema, property: Json | undefined, depth = 0): string {
  const { type, $ref, items, const: fixed, default: usual } = property ?? {};
  const given = fixed ?? usual;
  if (given !== undefined) return JSON.stringify(given);
  if (typeof $ref === 'string') return ofType(schema, $ref, depth);
  switch (type) {
    case 'integer':
    case 'number':
      return '1';
    case 'boolean':
      return 'true';
    case 'array':
      return depth > 3 ? '[]' : `[${sample(schema, items as Json | undefined, depth + 1)}]`;
    case 'object':
      return '{}';
    default:
      return '"text"';
  }
}

function ofType(schema: PackageSchema, $ref: string, depth: number): string {
  const type = schema.types?.[decodeURIComponent($ref.replace(/^#\/types\//, ''))];
  const [first] = type?.enum ?? [];
  if (first !== undefined) return JSON.stringify(first['value']);
  if (type === undefined) return '"text"';
  if (depth > 3) return '{}';
  const { properties = {}, required = [] } = type;
  return `{${required.map((key) => `${quoted(key)}: ${sample(schema, properties[key], depth + 1)}`).join(', ')}}`;
}
