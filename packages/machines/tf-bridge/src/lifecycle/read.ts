import { afterRead } from '@cairn/tfplugin';
import { CLIENT_CAPABILITIES } from '../client/calls.js';
import { readDiagnostics } from '../client/diagnostics.js';
import type { Connection } from './connection.js';
import {
  identityAnswer,
  identityChange,
  identityMessage,
  objectAnswer,
  objectMessage,
  resourceTypeSchema,
} from './connection.js';
import type { Subject, Told } from './failure.js';
import { Judge } from './failure.js';
import type { TerraformObjectState } from './object-state.js';

/** Result of a read. */
export interface Found extends Told {
  /** The object. Undefined if it no longer exists. Notes are drift. */
  readonly state: TerraformObjectState | undefined;
}

/** Reads an object. The read values, private data and identity count [TFC-29]. */
export async function readCurrentState(
  connection: Connection,
  subject: Subject,
  state: TerraformObjectState,
): Promise<Found> {
  const { calls, schema } = connection;
  const { block, version } = resourceTypeSchema(connection, subject.type);
  const identities = schema.identities.get(subject.type);
  const judge = new Judge(calls.name, subject);
  const answer = await calls.call('readResource', {
    typeName: subject.type,
    currentState: objectMessage(block, state.value),
    private: state.private,
    providerMeta: undefined,
    clientCapabilities: CLIENT_CAPABILITIES,
    currentIdentity: identityMessage(identities, state.identity),
  });
  const warnings = judge.said(readDiagnostics(answer.diagnostics));
  if (answer.deferred !== undefined) judge.broken('DEFERRED', [], warnings);
  const read = judge.value(objectAnswer(block, answer.newState), 'NONCONFORMING', warnings);
  const { findings, notes, value } = afterRead(block, state.value, read, subject.masks);
  judge.found(findings, warnings);
  if (value === null) return { state: undefined, warnings, notes };
  const identity = judge.identity(identityAnswer(identities, answer.newIdentity, state.identity));
  return {
    state: {
      ...state,
      schemaVersion: version,
      value,
      private: answer.private,
      ...(identity !== undefined && { identity }),
    },
    warnings: [...warnings, ...identityChange(identities, state.identity, identity)],
    notes,
  };
}
