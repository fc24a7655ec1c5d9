import type { Block, IdentitySchema, Schema } from '@cairn/tfplugin';
import { dynamicValue, identityType, impliedType } from '@cairn/tfplugin';
import type { TfValue } from '@cairn/tfplugin';
import type { Answered } from '../client/malformed.js';
import { isGiven, Malformed, readValue } from '../client/malformed.js';
import type { ProviderCalls, RequestFor } from '../client/calls.js';
import type { ProviderSchema, SchemaTable } from '../client/provider-schema.js';
import type { Judge } from './failure.js';
import type { Identity } from './object-state.js';

/** A provider whose schema is known: what the calls about objects need. */
export interface Connection {
  readonly calls: ProviderCalls;
  readonly schema: ProviderSchema;
}

/** The schema of a type; RangeError for a type that the provider does not have. */
export function schemaNamed<T>(table: SchemaTable<T>, name: string, kind: string, provider: string): T {
  const found = table.get(name);
  if (found === undefined) throw new RangeError(`provider ${provider} has no ${kind} ${name}`);
  return found;
}

/** The schema of a resource type. */
export function resourceSchema({ calls, schema }: Connection, type: string): Schema {
  return schemaNamed(schema.resources, type, 'resource type', calls.name);
}

/** An object for a message. */
export function objectMessage(block: Block, value: TfValue) {
  return dynamicValue(impliedType(block), value);
}

/** An object of a message. */
export function objectAnswer(block: Block, message: Parameters<typeof readValue>[1]): Answered {
  return readValue(impliedType(block), message);
}

type IdentityData = RequestFor<'readResource'>['currentIdentity'];

/** An identity for a message; absent where there is none, or the provider has no schema for it. */
export function identityMessage(
  schema: IdentitySchema | undefined,
  identity: Identity | undefined,
): IdentityData {
  if (schema === undefined || identity === undefined) return undefined;
  return { identityData: dynamicValue(identityType(schema), identity.value) };
}

/** The identity of an answer; the one before where the answer has none. */
export function identityAnswer(
  judge: Judge,
  schema: IdentitySchema | undefined,
  message: IdentityData,
  before: Identity | undefined,
): Identity | undefined {
  if (schema === undefined || !isGiven(message?.identityData)) return before;
  const value = readValue(identityType(schema), message.identityData);
  if (value instanceof Malformed) return judge.broken('NONCONFORMING', ['identity', ...value.path]);
  return value === null ? before : { version: schema.version, value };
}
