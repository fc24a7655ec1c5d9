import type { Block, TfValue } from '@cairn/tfplugin';
import { CLIENT_CAPABILITIES, TERRAFORM_VERSION } from '../client/calls.js';
import type { TfDiagnostic } from '../client/diagnostics.js';
import { readDiagnostics } from '../client/diagnostics.js';
import type { Connection } from './connection.js';
import { objectMessage, resourceTypeSchema, schemaNamed } from './connection.js';
import { Judge } from './failure.js';

/** Returns errors and warnings about a configuration of the provider. */
export async function validateProvider(
  { calls, schema }: Connection,
  config: TfValue,
): Promise<readonly TfDiagnostic[]> {
  const message = objectMessage(schema.provider.block, config);
  const answer = await calls.call('validateProviderConfig', { config: message });
  return readDiagnostics(answer.diagnostics);
}

/** Configures the provider, which makes it ready for every call. Fails if it refuses; returns the warnings. */
export async function configureProvider(
  { calls, schema }: Connection,
  config: TfValue,
): Promise<readonly TfDiagnostic[]> {
  const answer = await calls.call('configureProvider', {
    terraformVersion: TERRAFORM_VERSION,
    config: objectMessage(schema.provider.block, config),
    clientCapabilities: CLIENT_CAPABILITIES,
  });
  return new Judge(calls.name, { type: '', address: 'configuration' }).said(
    readDiagnostics(answer.diagnostics),
  );
}

/** Returns errors and warnings about the configuration of a resource. Values may be unknown. */
export async function validateResource(
  connection: Connection,
  type: string,
  config: TfValue,
): Promise<readonly TfDiagnostic[]> {
  const { block } = resourceTypeSchema(connection, type);
  const answer = await connection.calls.call('validateResourceConfig', {
    typeName: type,
    config: objectMessage(block, config),
    clientCapabilities: CLIENT_CAPABILITIES,
  });
  return readDiagnostics(answer.diagnostics);
}

/** Returns errors and warnings about the configuration of a data source. */
export async function validateDataSource(
  { calls, schema }: Connection,
  type: string,
  config: TfValue,
): Promise<readonly TfDiagnostic[]> {
  const { block } = schemaNamed(schema.dataSources, type, 'data source', calls.name);
  const answer = await calls.call('validateDataResourceConfig', requestFor(type, block, config));
  return readDiagnostics(answer.diagnostics);
}

/** Returns errors and warnings about the configuration of an ephemeral resource. */
export async function validateEphemeral(
  { calls, schema }: Connection,
  type: string,
  config: TfValue,
): Promise<readonly TfDiagnostic[]> {
  const { block } = schemaNamed(schema.ephemeralResources, type, 'ephemeral resource', calls.name);
  const answer = await calls.call('validateEphemeralResourceConfig', requestFor(type, block, config));
  return readDiagnostics(answer.diagnostics);
}

function requestFor(typeName: string, block: Block, config: TfValue) {
  return { typeName, config: objectMessage(block, config) };
}
