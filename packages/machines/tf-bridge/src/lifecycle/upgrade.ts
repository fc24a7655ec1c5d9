import { parse, stringify } from 'lossless-json';
import type { IdentitySchema, Schema } from '@cairn/tfplugin';
import {
  afterUpgrade,
  beforeUpgrade,
  identityType,
  impliedType,
  withoutUnknownAttributes,
} from '@cairn/tfplugin';
import { readDiagnostics } from '../client/diagnostics.js';
import { readValue } from '../client/malformed.js';
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
  const { sensitivePaths = [] } = stored;
  const state: TerraformObjectState = {
    schemaVersion: own.version,
    value: outcome.value,
    private: stored.private,
    ...(identity !== undefined && { identity }),
    tainted: stored.tainted,
    ...(sensitivePaths.length > 0 && { sensitivePaths: sensitivePaths.map(pathOfStored) }),
  };
  return { state, warnings, notes: outcome.notes };
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
  const json = { msgpack: new Uint8Array(), json: Buffer.from(attributes) };
  const value = judge.value(readValue(identityType(schema), json), 'NONCONFORMING');
  return value === null ? undefined : { version: schema.version, value };
}
