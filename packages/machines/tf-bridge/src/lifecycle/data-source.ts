import type { TfValue } from '@cairn/tfplugin';
import { afterDataRead, isWhollyKnown, plannedUnknownObject } from '@cairn/tfplugin';
import { CLIENT_CAPABILITIES } from '../client/calls.js';
import { readDiagnostics } from '../client/diagnostics.js';
import type { Connection } from './connection.js';
import { objectAnswer, objectMessage, schemaNamed } from './connection.js';
import type { Subject, Told } from './failure.js';
import { Judge } from './failure.js';

/** Result of a read of a data source. */
export interface DataRead extends Told {
  readonly value: TfValue;
  /** True for a placeholder: the configuration is not wholly known, and nothing was read [TFC-3]. */
  readonly placeholder: boolean;
}

/** Reads a data source whose configuration is validated. */
export async function readDataSource(
  connection: Connection,
  subject: Subject,
  config: TfValue,
): Promise<DataRead> {
  const { calls, schema } = connection;
  const { block } = schemaNamed(schema.dataSources, subject.type, 'data source', calls.name);
  if (!isWhollyKnown(config)) {
    return { value: plannedUnknownObject(block, config), placeholder: true, warnings: [], notes: [] };
  }
  const judge = new Judge(calls.name, subject);
  const answer = await calls.call('readDataSource', {
    typeName: subject.type,
    config: objectMessage(block, config),
    providerMeta: undefined,
    clientCapabilities: CLIENT_CAPABILITIES,
  });
  const warnings = judge.said(readDiagnostics(answer.diagnostics));
  if (answer.deferred !== undefined) judge.broken('DEFERRED', [], warnings);
  const value = judge.value(objectAnswer(block, answer.state), 'NONCONFORMING', warnings);
  const outcome = afterDataRead(block, value, subject.masks);
  judge.found(outcome.findings, warnings);
  return { value: outcome.value, placeholder: false, warnings, notes: outcome.notes };
}
