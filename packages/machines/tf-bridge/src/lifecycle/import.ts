import { afterImport, afterImportRead, afterUpgrade } from '@cairn/tfplugin';
import { CLIENT_CAPABILITIES } from '../client/calls.js';
import { readDiagnostics } from '../client/diagnostics.js';
import type { Connection } from './connection.js';
import { identityAnswer, identityMessage, objectAnswer, resourceTypeSchema } from './connection.js';
import type { Subject } from './failure.js';
import { Judge } from './failure.js';
import type { Identity, TerraformObjectState, StoredObject } from './object-state.js';
import type { Upgraded } from './upgrade.js';
import { readCurrentState } from './read.js';

/** Imports an existing object, found by the id that a person gives or by its identity, and reads it [TFC-30]. */
export async function importRemoteState(
  connection: Connection,
  subject: Subject,
  wanted: string | Identity,
): Promise<Upgraded> {
  const { calls, schema } = connection;
  const { block, version } = resourceTypeSchema(connection, subject.type);
  const identities = schema.identities.get(subject.type);
  const judge = new Judge(calls.name, subject);
  const answer = await calls.call('importResourceState', {
    typeName: subject.type,
    id: typeof wanted === 'string' ? wanted : '',
    clientCapabilities: CLIENT_CAPABILITIES,
    identity: typeof wanted === 'string' ? undefined : identityMessage(identities, wanted),
  });
  const warnings = judge.said(readDiagnostics(answer.diagnostics));
  if (answer.deferred !== undefined) judge.broken('DEFERRED', [], warnings);
  const imported = answer.importedResources.map((each) => ({
    typeName: each.typeName,
    state:
      each.typeName === subject.type
        ? judge.value(objectAnswer(block, each.state), 'NONCONFORMING', warnings)
        : null,
  }));
  const outcome = afterImport(block, subject.type, imported);
  judge.found(outcome.findings, warnings);
  const [stub] = answer.importedResources;
  const identity = judge.identity(identityAnswer(identities, stub?.identity, undefined));
  const found = await readCurrentState(connection, subject, {
    schemaVersion: version,
    value: outcome.value,
    private: stub?.private ?? new Uint8Array(),
    ...(identity !== undefined && { identity }),
    tainted: false,
  });
  judge.found(afterImportRead(block, found.state?.value ?? null).findings, [...warnings, ...found.warnings]);
  // The check above has proved that the object exists.
  return {
    state: found.state as TerraformObjectState,
    warnings: [...warnings, ...found.warnings],
    notes: [],
  };
}

/** Origin of a moved object. */
export interface MoveSource {
  /** The full address of its provider, for example `registry.terraform.io/hashicorp/random`. */
  readonly provider: string;
  readonly type: string;
  readonly stored: StoredObject;
}

/** Converts an object of another type or provider to one of this type [TFC-31]. It is not read. */
export async function moveState(
  connection: Connection,
  subject: Subject,
  source: MoveSource,
): Promise<Upgraded> {
  const { calls, schema } = connection;
  const { block, version } = resourceTypeSchema(connection, subject.type);
  const judge = new Judge(calls.name, subject);
  if (!schema.capabilities.moveResourceState) throw judge.failure([cannotMove(source, subject)], []);
  const { schemaVersion, attributes, private: bytes, identity: sourceIdentity, tainted } = source.stored;
  const answer = await calls.call('moveResourceState', {
    sourceProviderAddress: source.provider,
    sourceTypeName: source.type,
    sourceSchemaVersion: schemaVersion,
    sourceState: { json: Buffer.from(attributes), flatmap: new Map() },
    targetTypeName: subject.type,
    sourcePrivate: bytes,
    sourceIdentity:
      sourceIdentity === undefined
        ? undefined
        : { json: Buffer.from(sourceIdentity.attributes), flatmap: new Map() },
    sourceIdentitySchemaVersion: sourceIdentity?.version ?? 0,
  });
  const warnings = judge.said(readDiagnostics(answer.diagnostics));
  const value = judge.value(objectAnswer(block, answer.targetState), 'NONCONFORMING', warnings);
  const outcome = afterUpgrade(block, value);
  judge.found(outcome.findings, warnings);
  const identity = judge.identity(
    identityAnswer(schema.identities.get(subject.type), answer.targetIdentity, undefined),
  );
  return {
    state: {
      schemaVersion: version,
      value: outcome.value,
      private: answer.targetPrivate,
      ...(identity !== undefined && { identity }),
      tainted,
    },
    warnings,
    notes: outcome.notes,
  };
}

function cannotMove(source: MoveSource, { type }: Subject) {
  return {
    severity: 'error',
    summary: `The provider cannot turn objects of type ${source.type} into ones of type ${type}`,
    detail: '',
  } as const;
}
