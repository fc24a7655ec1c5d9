import { lazyAnswer, protocols } from '@cairn/tfplugin';
import { isProviderError } from '@cairn/wire';
import type { ProviderCalls } from '../client/calls.js';
import { readDiagnostics } from '../client/diagnostics.js';
import { providerSchema, withIdentities } from '../client/provider-schema.js';
import type { ProviderSchema } from '../client/provider-schema.js';
import { Judge } from '../lifecycle/failure.js';
import { keepAnswers, readAnswers } from './stored-answers.js';
import type { SchemaAnswers, SchemaCache } from './stored-answers.js';

/**
 * Returns the schema of a provider, with the identities of its types if it has some [TFP-11]. With a cached schema, a
 * provider that does not require the call is not asked. Fails with the provider's errors.
 */
export async function loadSchema(
  calls: ProviderCalls,
  cache: SchemaCache | undefined,
): Promise<ProviderSchema> {
  const kept = await keptFor(calls, cache);
  if (kept?.schema.capabilities.getProviderSchemaOptional === true) return kept.schema;
  const schema = await calls.answerBytes('getProviderSchema');
  const answers: SchemaAnswers = {
    protocolVersion: calls.protocolVersion,
    schema,
    identities: kept === undefined ? await identityBytes(calls) : kept.answers.identities,
  };
  const loaded = schemaOfAnswers(calls.name, answers);
  // Entries of the same answer come in any order, so that the bytes of two may differ.
  if (cache !== undefined && kept?.answers.schema.length !== schema.length) await keepAnswers(cache, answers);
  return loaded;
}

/** Returns the cached schema of a provider, without starting its process. */
export async function keptSchema(name: string, cache: SchemaCache): Promise<ProviderSchema | undefined> {
  const answers = await readAnswers(cache);
  return answers && schemaOfAnswers(name, answers);
}

async function keptFor(calls: ProviderCalls, cache: SchemaCache | undefined) {
  const answers = cache && (await readAnswers(cache));
  if (answers?.protocolVersion !== calls.protocolVersion) return undefined;
  return { schema: schemaOfAnswers(calls.name, answers), answers };
}

/** Fields of the answers that have a part for each type, by their number. */
const SCHEMA_FIELDS = {
  2: 'resourceSchemas',
  3: 'dataSourceSchemas',
  7: 'functions',
  8: 'ephemeralResourceSchemas',
  9: 'listResourceSchemas',
  10: 'stateStoreSchemas',
  11: 'actionSchemas',
} as const;
const IDENTITY_FIELDS = { 1: 'identitySchemas' } as const;

function schemaOfAnswers(name: string, answers: SchemaAnswers): ProviderSchema {
  const { getProviderSchema, getResourceIdentitySchemas } =
    protocols[answers.protocolVersion].service.methods;
  const message = lazyAnswer(getProviderSchema.responseType, SCHEMA_FIELDS, answers.schema);
  new Judge(name, { type: '', address: 'schema' }).said(readDiagnostics(message.diagnostics));
  const schema = providerSchema(message);
  if (answers.identities === undefined) return schema;
  const identities = lazyAnswer(getResourceIdentitySchemas.responseType, IDENTITY_FIELDS, answers.identities);
  new Judge(name, { type: '', address: 'schema' }).said(readDiagnostics(identities.diagnostics));
  return withIdentities(schema, identities);
}

/** Returns the bytes of the identities, or undefined for older providers, which do not know the call. */
async function identityBytes(calls: ProviderCalls): Promise<Uint8Array | undefined> {
  try {
    return await calls.answerBytes('getResourceIdentitySchemas');
  } catch (error) {
    if (isProviderError(error) && error.code === 'UNIMPLEMENTED') return undefined;
    throw error;
  }
}
