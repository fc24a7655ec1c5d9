import { parse, stringify } from 'lossless-json';
import type { IdentitySchema, Schema, TfValue } from '@cairn/tfplugin';
import {
  afterUpgrade,
  beforeUpgrade,
  equalValues,
  identityType,
  impliedType,
  withoutUnknownAttributes,
} from '@cairn/tfplugin';
import { readDiagnostics } from '../client/diagnostics.js';
import { Malformed, readJson } from '../client/malformed.js';
import type { Connection } from './connection.js';
import { identityAnswer, objectAnswer, resourceTypeSchema } from './connection.js';
import type { Subject, Told } from './failure.js';
import { Judge } from './failure.js';
import type { Identity, TerraformObjectState, StoredObject } from './object-state.js';
import { pathOfStored } from './object-state.js';

/** An object, with the messages of its upgrade. */
export interface Upgraded extends Told {
  readonly state: TerraformObjectState;
}

/**
 * Converts a stored object to the current schema. The provider is called at equal versions too [TFC-31], and then
 * without attributes that are not in the schema [TFC-33]. Private data is kept.
 */
export async function upgradeState(
  connection: Connection,
  subject: Subject,
  stored: StoredObject,
): Promise<Upgraded> {
  const { calls } = connection;
  const own = resourceTypeSchema(connection, subject.type);
  const judge = new Judge(calls.name, subject);
  judge.found(beforeUpgrade(stored.schemaVersion, own.version));
  const answer = await calls.call('upgradeResourceState', {
    typeName: subject.type,
    version: stored.schemaVersion,
    rawState: { json: Buffer.from(attributesFor(own, stored)), flatmap: new Map() },
  });
  const warnings = judge.said(readDiagnostics(answer.diagnostics));
  const value = judge.value(objectAnswer(own.block, answer.upgradedState), 'NONCONFORMING', warnings);
  const outcome = afterUpgrade(own.block, value);
  judge.found(outcome.findings, warnings);
  const identity = await upgradeIdentity(connection, judge, stored);
  return { state: stateOf(own, outcome.value, identity, stored), warnings, notes: outcome.notes };
}

/**
 * Returns a stored object in the form that an upgrade without effect has. Undefined if it is not in the form of the
 * current schema. The contract is not checked: the caller knows that an upgrade returned the same.
 */
export function readUnchanged(
  { calls, schema }: Connection,
  subject: Subject,
  stored: StoredObject,
): TerraformObjectState | undefined {
  const own = resourceTypeSchema({ calls, schema }, subject.type);
  const identities = schema.identities.get(subject.type);
  if (stored.schemaVersion !== own.version) return undefined;
  if (identities !== undefined && (stored.identity?.version ?? identities.version) !== identities.version)
    return undefined;
  const value = readJson(impliedType(own.block), stored.attributes);
  if (value instanceof Malformed) return undefined;
  const judge = new Judge(calls.name, subject);
  const identity = identities && stored.identity && identityOf(judge, identities, stored.identity.attributes);
  return stateOf(own, value, identity, stored);
}

/** True if an upgrade returned the object as {@link readUnchanged} reads it. */
export function isWithoutEffect(
  connection: Connection,
  subject: Subject,
  stored: StoredObject,
  { state, warnings, notes }: Upgraded,
): boolean {
  if (warnings.length > 0 || notes.length > 0) return false;
  const { block } = resourceTypeSchema(connection, subject.type);
  const read = readUnchanged(connection, subject, stored);
  return read !== undefined && equalValues(impliedType(block), read.value, state.value);
}

function stateOf(
  { version }: Schema,
  value: TfValue,
  identity: Identity | undefined,
  { private: bytes, tainted, sensitivePaths = [] }: StoredObject,
): TerraformObjectState {
  return {
    schemaVersion: version,
    value,
    private: bytes,
    ...(identity !== undefined && { identity }),
    tainted,
    ...(sensitivePaths.length > 0 && { sensitivePaths: sensitivePaths.map(pathOfStored) }),
  };
}

function attributesFor(schema: Schema, { schemaVersion, attributes }: StoredObject): string {
  if (schemaVersion !== schema.version) return attributes;
  return stringify(withoutUnknownAttributes(impliedType(schema.block), parse(attributes))) as string;
}

/** Converts the identity to the current schema. One of an earlier version is upgraded [TFC-34]. */
async function upgradeIdentity(
  { calls, schema }: Connection,
  judge: Judge,
  { identity }: StoredObject,
): Promise<Identity | undefined> {
  const { type } = judge.subject;
  const own = schema.identities.get(type);
  if (own === undefined || identity === undefined) return undefined;
  if (identity.version > own.version) return judge.broken('NEWER_STATE', ['identity']);
  if (identity.version === own.version) return identityOf(judge, own, identity.attributes);
  const answer = await calls.call('upgradeResourceIdentity', {
    typeName: type,
    version: identity.version,
    rawIdentity: { json: Buffer.from(identity.attributes), flatmap: new Map() },
  });
  judge.said(readDiagnostics(answer.diagnostics));
  return judge.identity(identityAnswer(own, answer.upgradedIdentity, undefined));
}

function identityOf(judge: Judge, schema: IdentitySchema, attributes: string): Identity | undefined {
  const value = judge.value(readJson(identityType(schema), attributes), 'NONCONFORMING');
  return value === null ? undefined : { version: schema.version, value };
}
