import type {
  Block,
  ContractFinding,
  DynamicValueMessage,
  IdentitySchema,
  Schema,
  TfValue,
} from '@cairn/tfplugin';
import {
  dynamicValue,
  encode,
  equalValues,
  findingAt,
  identityType,
  impliedType,
  isWhollyKnown,
} from '@cairn/tfplugin';
import type { TfDiagnostic } from '../client/diagnostics.js';
import type { ReceivedValue } from '../client/malformed.js';
import { hasContent, Malformed, readValue } from '../client/malformed.js';
import { NO_BYTES } from '../client/calls.js';
import type { ProviderCalls, RequestFor } from '../client/calls.js';
import type { ProviderSchema, SchemaTable } from '../client/provider-schema.js';
import type { Identity } from './object-state.js';

/** A provider with a known schema: the basis of all calls about objects. */
export interface Connection {
  readonly calls: ProviderCalls;
  readonly schema: ProviderSchema;
}

/** Returns the schema of a type. Throws RangeError for a type that the provider does not have. */
export function schemaNamed<T>(table: SchemaTable<T>, name: string, kind: string, provider: string): T {
  const found = table.get(name);
  if (found === undefined) throw new RangeError(`provider ${provider} has no ${kind} ${name}`);
  return found;
}

/** Returns the schema of a resource type. */
export function resourceTypeSchema({ calls, schema }: Connection, type: string): Schema {
  return schemaNamed(schema.resources, type, 'resource type', calls.name);
}

/** Encodings by object: one configuration is part of several questions and calls. */
const encodings = new WeakMap<object, { readonly block: Block; readonly bytes: Uint8Array }>();

/** Encodes an object. The bytes must not be changed. */
export function encodedObject(block: Block, value: TfValue): Uint8Array {
  if (typeof value !== 'object' || value === null) return encode(impliedType(block), value);
  const known = encodings.get(value);
  if (known?.block === block) return known.bytes;
  const bytes = encode(impliedType(block), value);
  encodings.set(value, { block, bytes });
  return bytes;
}

/** Converts an object for a message. */
export function objectMessage(block: Block, value: TfValue): DynamicValueMessage {
  return { msgpack: encodedObject(block, value), json: NO_BYTES };
}

/** Reads an object of a message. */
export function objectAnswer(block: Block, message: Parameters<typeof readValue>[1]): ReceivedValue {
  return readValue(impliedType(block), message);
}

type IdentityData = RequestFor<'readResource'>['currentIdentity'];

/** Converts an identity for a message. Missing if there is none, or if the provider has no schema for it. */
export function identityMessage(
  schema: IdentitySchema | undefined,
  identity: Identity | undefined,
): IdentityData {
  if (schema === undefined || identity === undefined) return undefined;
  return { identityData: dynamicValue(identityType(schema), identity.value) };
}

/** Identity in an answer. */
export interface AnsweredIdentity {
  readonly identity: Identity | undefined;
  readonly findings: readonly ContractFinding[];
}

/**
 * Returns the identity of an answer. Returns the previous one if the answer has none, or one that is not wholly known
 * or does not have the type of its schema [TFC-34]. `open` marks the identity of a plan, which may be unknown.
 */
export function identityAnswer(
  schema: IdentitySchema | undefined,
  message: IdentityData,
  before: Identity | undefined,
  open = false,
): AnsweredIdentity {
  if (schema === undefined || !hasContent(message?.identityData)) return { identity: before, findings: [] };
  const value = readValue(identityType(schema), message.identityData);
  const broken = (finding: ContractFinding) => ({ identity: before, findings: [finding] });
  if (value instanceof Malformed) return broken(findingAt(['identity', ...value.path], 'NONCONFORMING'));
  if (!open && !isWhollyKnown(value)) return broken(findingAt(['identity'], 'UNKNOWN_VALUE'));
  return { identity: value === null ? before : { version: schema.version, value }, findings: [] };
}

/** Returns a warning if the identity of an object has changed [TFC-34]. */
export function identityChange(
  schema: IdentitySchema | undefined,
  before: Identity | undefined,
  after: Identity | undefined,
): readonly TfDiagnostic[] {
  if (schema === undefined || before === undefined || after === undefined) return [];
  if (equalValues(identityType(schema), before.value, after.value)) return [];
  return [
    {
      severity: 'warning',
      summary: 'The provider changed the identity of the object',
      detail:
        'The identity of an object never changes, so this may be another object. Report it to the authors of the provider.',
    },
  ];
}
