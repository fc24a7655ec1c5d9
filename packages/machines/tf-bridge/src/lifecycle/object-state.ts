import { isLosslessNumber, parse, stringify } from 'lossless-json';
import type { IdentitySchema, Schema, TfPath, TfValue } from '@cairn/tfplugin';
import { identityType, impliedType, toJson } from '@cairn/tfplugin';

/** An object that a provider manages, in the form of its current schema. */
export interface TerraformObjectState {
  readonly schemaVersion: number;
  /** Value: not null, wholly known, of the schema's type. */
  readonly value: TfValue;
  /** Data that only the provider reads. */
  readonly private: Uint8Array;
  readonly identity?: Identity;
  /** True if it was not created as planned. The next change replaces it. */
  readonly tainted: boolean;
  /** Places of the program's secrets, regardless of the schema. */
  readonly sensitivePaths?: readonly TfPath[];
}

/** Identity of an object apart from its state. */
export interface Identity {
  readonly version: number;
  readonly value: TfValue;
}

/** An object as it is stored: complete, and readable without its schema, so that an upgrade gets the written form. */
export interface StoredObject {
  /** The resource type. Missing in an object of a state file, which records it elsewhere. */
  readonly type?: string;
  readonly schemaVersion: number;
  /** JSON by the type of the schema that it was written with. All digits of numbers are kept. */
  readonly attributes: string;
  readonly private: Uint8Array;
  readonly identity?: { readonly version: number; readonly attributes: string };
  readonly tainted: boolean;
  /** Paths in the form of Terraform's state files. */
  readonly sensitivePaths?: readonly (readonly StoredStep[])[];
}

/** One step of a path in a state file: an attribute, or a key or index in a collection. */
type StoredStep =
  | { readonly type: 'get_attr'; readonly value: string }
  | {
      readonly type: 'index';
      readonly value: { readonly value: string | number; readonly type: 'string' | 'number' };
    };

/** Converts an object for storage. */
export function storeObject(
  schema: Schema,
  identitySchema: IdentitySchema | undefined,
  state: TerraformObjectState,
): StoredObject {
  const { schemaVersion, value, identity, tainted, sensitivePaths = [] } = state;
  return {
    schemaVersion,
    attributes: toJson(impliedType(schema.block), value),
    private: state.private,
    ...(identity !== undefined &&
      identitySchema !== undefined && {
        identity: {
          version: identity.version,
          attributes: toJson(identityType(identitySchema), identity.value),
        },
      }),
    tainted,
    ...(sensitivePaths.length > 0 && { sensitivePaths: sensitivePaths.map(storedPath) }),
  };
}

/** Returns a stored object as one line of JSON. */
export function storedText(stored: StoredObject): string {
  const { type, schemaVersion, attributes, identity, tainted, sensitivePaths } = stored;
  const parts = [`"schema_version":${schemaVersion}`, `"attributes":${attributes}`];
  if (type !== undefined) parts.unshift(`"type":${JSON.stringify(type)}`);
  if (stored.private.length > 0) {
    parts.push(`"private":"${Buffer.from(stored.private).toString('base64')}"`);
  }
  if (identity !== undefined) {
    parts.push(`"identity":${identity.attributes}`, `"identity_schema_version":${identity.version}`);
  }
  if (tainted) parts.push('"status":"tainted"');
  if (sensitivePaths !== undefined) parts.push(`"sensitive_attributes":${JSON.stringify(sensitivePaths)}`);
  return `{${parts.join(',')}}`;
}

/** Reads {@link storedText}, or an object of a state file. Throws SyntaxError for any other text. */
export function parseStored(text: string): StoredObject {
  const read = parse(text) as Readonly<Record<string, unknown>> | null;
  const attributes = read?.['attributes'];
  if (read === null || typeof attributes !== 'object' || attributes === null) {
    throw new SyntaxError('not the state of an object of a Terraform provider: it has no attributes');
  }
  const version = (key: string): number => (isLosslessNumber(read[key]) ? Number(read[key].value) : 0);
  const { type, private: bytes, identity, status, sensitive_attributes: sensitive } = read;
  return {
    ...(typeof type === 'string' && { type }),
    schemaVersion: version('schema_version'),
    attributes: stringify(attributes) as string,
    private: typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : new Uint8Array(),
    ...(typeof identity === 'object' &&
      identity !== null && {
        identity: { version: version('identity_schema_version'), attributes: stringify(identity) as string },
      }),
    tainted: status === 'tainted',
    ...(Array.isArray(sensitive) &&
      sensitive.length > 0 && {
        sensitivePaths: JSON.parse(stringify(sensitive) as string) as StoredObject['sensitivePaths'] & object,
      }),
  };
}

function storedPath(path: TfPath): readonly StoredStep[] {
  const steps: StoredStep[] = [];
  for (const step of path) {
    if (typeof step === 'string') steps.push({ type: 'get_attr', value: step });
    else if (typeof step === 'number') steps.push({ type: 'index', value: { value: step, type: 'number' } });
    else if (typeof step.key === 'string') {
      steps.push({ type: 'index', value: { value: step.key, type: 'string' } });
    } else break;
  }
  return steps;
}

/** Converts a path of a stored object. */
export function pathOfStored(steps: readonly StoredStep[]): TfPath {
  return steps.map((step) => {
    if (step.type === 'get_attr') return step.value;
    return typeof step.value.value === 'string' ? { key: step.value.value } : step.value.value;
  });
}
