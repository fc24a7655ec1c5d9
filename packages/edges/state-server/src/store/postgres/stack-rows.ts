import { isRootStackUrn, isUrn } from '@cairn/addresses';
import { ORGANIZATION, organizationOf } from '@cairn/backends';
import type { HistoryEntry, RecordedUpdate, StackId, StackTags, StateText } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { ConfigPlaceMessage } from '@cairn/http-api';
import { emptyDeployment, knownItemTexts, newManifest } from '@cairn/state';
import type { EditKey, WrappedKey } from '../../crypto/stack-keys.js';
import { writtenDocument } from '../../domain/fold.js';
import { lostMarkIn } from '../../domain/lost-state.js';
import type { ServedChangeStore } from '../change-store.js';
import type { DeliveryStore } from '../delivery-store.js';
import type { DeploymentStore } from '../deployment-store.js';
import type { QueueStore } from '../queue-store.js';
import type { StackQuery, StackStore, UpdateStore } from '../service-store.js';
import type { Database } from './connections.js';
import { listedStacks } from './listed-stacks.js';
import type { BlobRef, StateBlobs } from './state-blobs.js';

/** Facilities of the rows. `afterCommit` runs work once everything is stored. */
export interface RowPorts {
  readonly db: Database;
  readonly afterCommit: (work: () => Promise<void>) => void;
  readonly blobs: StateBlobs;
  readonly now: () => Date;
  /** Version text for manifests, e.g. `v0.1.0`. */
  readonly version: string;
}

/** Names of a stack in a row. */
export interface NamedRow {
  readonly org: string;
  readonly project: string;
  readonly name: string;
}

interface StackRow extends BlobRef {
  readonly id: string;
  readonly resources: number;
}

/** Stacks with their states and history, as rows and blobs. */
export function rowsOfStacks(
  ports: RowPorts,
): Omit<
  StackStore,
  keyof (UpdateStore & ServedChangeStore & QueueStore & DeliveryStore & DeploymentStore) | 'terraform'
> {
  const { db, blobs, afterCommit } = ports;
  const rowOf = async (stack: StackId): Promise<StackRow> => {
    const { rows } = await db.query<StackRow>(
      `select id, blob, sha256, resources from cairn.stacks where ${NAMED} and blob is not null`,
      nameValues(stack),
    );
    return rows[0] ?? noStack(stack);
  };
  return {
    listStacks: async ({ organization, project }) => {
      const { rows } = await db.query<NamedRow>(
        `select org, project, name from cairn.stacks
          where blob is not null and org = $1 and ($2::text is null or project = $2) order by project, name`,
        [organization, project ?? null],
      );
      return rows.map(namedStack);
    },
    findStacks: async ({ organization, project, tag }) => {
      const { rows } = await db.query<NamedRow & { tags: string }>(
        `select org, project, name, tags from cairn.stacks
          where blob is not null and org = $1 and ($2::text is null or project = $2)
            and ($3::text is null or strpos(tags, $3) > 0) order by project, name`,
        [organization, project ?? null, tag === undefined ? null : textOfTag(tag)],
      );
      return rows.map(({ tags, ...row }) => ({
        stack: namedStack(row),
        tags: JSON.parse(tags) as StackTags,
      }));
    },
    summary: async (stack) => {
      const { rows } = await db.query<{ resources: number; lastUpdate: Date | null }>(
        `select resources, last_update as "lastUpdate" from cairn.stacks where ${NAMED} and blob is not null`,
        nameValues(stack),
      );
      const { resources, lastUpdate } = rows[0] ?? noStack(stack);
      return { ...stack, resources, lastUpdate: lastUpdate?.toISOString() };
    },
    overviews: async (stacks) => {
      const { rows } = await db.query<{
        resources: number | null;
        lastUpdate: Date | null;
        running: boolean;
        lost: string | null;
      }>(
        `select s.resources, s.last_update as "lastUpdate", u.id is not null as running, s.lost
           from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k(org, project, name, place)
           left join cairn.stacks s using (org, project, name)
           left join cairn.updates u on u.id = s.running and u.status = 'running'
          order by k.place`,
        [stacks.map(organizationOf), stacks.map(({ project }) => project), stacks.map(({ stack }) => stack)],
      );
      return rows.map(({ resources, lastUpdate, running, lost }) => ({
        ...{ resources: resources ?? undefined, lastUpdate: lastUpdate?.toISOString(), running },
        lost: lostMarkIn(lost),
      }));
    },
    listedStacks: (stacks) => listedStacks(db, stacks),
    stackExists: async (stack) => {
      const sql = `select from cairn.stacks where ${NAMED} and blob is not null`;
      return (await db.query(sql, nameValues(stack))).rowCount === 1;
    },
    createStack: async (stack) => {
      const { rows } = await db.query<{ id: string }>(
        `select id from cairn.stacks where ${NAMED} and blob is null`,
        nameValues(stack),
      );
      const { id } = rows[0] ?? noStack(stack);
      const manifest = newManifest(ports.now(), ports.version);
      const ref = await blobs.putState(id, writtenDocument({ ...emptyDeployment, manifest }, ports));
      await db.query('update cairn.stacks set blob = $2, sha256 = $3, resources = 0 where id = $1', [
        ...[id, ref.blob, ref.sha256],
      ]);
    },
    removeStack: async (stack, force) => {
      const { id, resources, ...ref } = await rowOf(stack);
      if (!force && resources > 0 && (resources > 1 || !hasRootOnly(await blobs.getState(ref))))
        throw cairnError('CAIRN-STACK-NOT-EMPTY', `stack '${stack.stack}' still has resources`);
      for (const table of ['journal', 'events', 'change_records'])
        await db.query(
          `delete from cairn.${table} where update_id in (select id from cairn.updates where stack = $1)`,
          [id],
        );
      await db.query('delete from cairn.stacks where id = $1', [id]);
      // Failing to remove the rest is no reason to fail: the stack is gone.
      afterCommit(() => blobs.removeAll(id).catch(() => undefined));
    },
    renameStack: async (from, to, rewrite) => {
      const row = await rowOf(from);
      const { id } = row;
      const ref = await blobs.putState(id, rewrite(await blobs.getState(row)));
      await db.query(
        'update cairn.stacks set project = $2, name = $3, blob = $4, sha256 = $5 where id = $1',
        [id, to.project, to.stack, ref.blob, ref.sha256],
      );
    },
    tags: async (stack) => {
      const sql = `select tags from cairn.stacks where ${NAMED} and blob is not null`;
      const { rows } = await db.query<{ tags: string }>(sql, nameValues(stack));
      return JSON.parse((rows[0] ?? noStack(stack)).tags) as Readonly<Record<string, string>>;
    },
    setTags: async (stack, tags) => {
      const sql = `update cairn.stacks set tags = $3 where ${NAMED} and blob is not null`;
      const { rowCount } = await db.query(sql, [...nameValues(stack), JSON.stringify(tags)]);
      if (rowCount === 0) noStack(stack);
    },
    stackRecord: async (stack) => {
      const { rows } = await db.query<{
        id: string;
        key: string;
        latest: string | null;
        lost: string | null;
        config: string | null;
      }>(
        `select id, wrapped_key as key, latest, lost, config from cairn.stacks where ${NAMED}`,
        nameValues(stack),
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const { id, key, latest, config } = row;
      const lost = lostMarkIn(row.lost);
      return {
        ...{ id, key: JSON.parse(key) as WrappedKey },
        ...(latest !== null && { latest }),
        ...(lost && { lost }),
        ...(config !== null && { config: JSON.parse(config) as ConfigPlaceMessage }),
      };
    },
    // A row without a state is no stack yet. That of a stack that is renamed keeps its place until it is.
    putStackRecord: async (stack, { id, key, latest, lost, config }) => {
      const sql = 'update cairn.stacks set latest = $2, lost = $3, config = $4 where id = $1';
      const texts = [lost, config].map((each) => (each === undefined ? null : JSON.stringify(each)));
      if ((await db.query(sql, [id, latest ?? null, ...texts])).rowCount === 1) return;
      await db.query(
        `insert into cairn.stacks (id, wrapped_key, latest, lost, config, org, project, name)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          ...[id, JSON.stringify(key), latest ?? null, ...texts],
          ...[organizationOf(stack), stack.project, stack.stack],
        ],
      );
    },
    editStackKey: (stack, edit) => editKeyOfRow(db, 'stacks', stack, edit),
    removeStackRecord: async (stack) =>
      void (await db.query(`delete from cairn.stacks where ${NAMED} and blob is null`, nameValues(stack))),

    readState: async (stack) => blobs.getState(await rowOf(stack)),
    readStateAfter: async (stack, version) => {
      const { rows } = await db.query<BlobRef>(
        `select c.blob, c.sha256 from cairn.checkpoints c join cairn.stacks s on s.id = c.stack
          where ${NAMED} and c.version = $3 and c.blob is not null`,
        [...nameValues(stack), version],
      );
      const [ref] = rows;
      if (ref === undefined)
        throw cairnError(
          'CAIRN-USAGE',
          `the state of stack '${stack.stack}' after update ${version} is not stored`,
        );
      return blobs.getState(ref);
    },
    lock: async (stack, lockId) => {
      const { id } = await rowOf(stack);
      const sql = 'update cairn.stacks set running = $2 where id = $1 and running is null';
      if ((await db.query(sql, [id, lockId])).rowCount === 1) return;
      throw cairnError('CAIRN-STATE-LOCKED', `other work holds stack '${stack.stack}'`);
    },
    otherHolder: async () => undefined,
    unlock: async (stack, lockId) => {
      const sql = `update cairn.stacks set running = null where ${NAMED} and running = $3`;
      await db.query(sql, [...nameValues(stack), lockId]);
    },
    storeState: async (stack, lockId, state, update) => {
      const { id } = await rowOf(stack);
      const { blob, sha256, bytes } = await blobs.putState(id, state);
      const resources = resourcesIn(state);
      const { rowCount } = await db.query(
        `update cairn.stacks
            set blob = $3, sha256 = $4, resources = $5, pending = $6, last_update = clock_timestamp()
          where id = $1 and running = $2`,
        [id, lockId, blob, sha256, resources, pendingIn(state)],
      );
      if (rowCount === 0)
        throw cairnError('CAIRN-LEASE-LOST', `the lock of stack '${stack.stack}' was lost to other work`);
      if (update !== undefined) await addVersion(db, { stack: id, update, blob, sha256, bytes, resources });
      return undefined;
    },
    recordUpdate: async (stack, update) => {
      const { id } = await rowOf(stack);
      await addVersion(db, { stack: id, update, blob: null, sha256: null, bytes: 0, resources: 0 });
    },
    // The order of the history is that of its versions.
    stamp: async () => '0',
    history: async (stack, { size, page = 1 }) => {
      const { rows } = await db.query<{ version: number; entry: string }>(
        `select c.version, c.entry from cairn.checkpoints c join cairn.stacks s on s.id = c.stack
          where ${NAMED} order by c.version desc limit $3 offset $4`,
        [...nameValues(stack), size ?? null, size === undefined ? 0 : (page - 1) * size],
      );
      return rows.map(({ version, entry }) => ({ ...(JSON.parse(entry) as HistoryEntry), number: version }));
    },
  };
}

/**
 * Returns what the text of tags contains if they have one: its name up to the colon, with its value. A quote before a
 * colon ends a name, and names have no quotes. PostgreSQL does not parse the text, because a value may have a NUL.
 */
function textOfTag({ name, value }: NonNullable<StackQuery['tag']>): string {
  return `${JSON.stringify(name)}:${value === undefined ? '' : JSON.stringify(value)}`;
}

interface VersionValues {
  readonly stack: string;
  readonly update: RecordedUpdate;
  readonly blob: string | null;
  readonly sha256: string | null;
  readonly bytes: number;
  readonly resources: number;
}

async function addVersion(db: Database, { stack, update, ...state }: VersionValues): Promise<void> {
  const { blob, sha256, bytes, resources } = state;
  await db.query(
    `insert into cairn.checkpoints (stack, version, entry, blob, sha256, bytes, resources)
     select $1, coalesce(max(version), 0) + 1, $2, $3, $4, $5, $6
       from cairn.checkpoints where stack = $1`,
    [stack, JSON.stringify(update.entry), blob, sha256, bytes, resources],
  );
}

/** Condition that a row of `cairn.stacks` has a name, which the first two values are. */
export const NAMED = 'org = ($1::text[])[1] and project = ($1::text[])[2] and name = $2';

/** Returns the values of {@link NAMED}. */
export function nameValues(id: StackId): readonly [readonly [string, string], string] {
  return [[organizationOf(id), id.project], id.stack];
}

/** Returns the stack that a row names. */
export function namedStack({ org, project, name }: NamedRow): StackId {
  return { ...(org !== ORGANIZATION && { organization: org }), project, stack: name };
}

/** Replaces the wrapped data key of a row, unless `edit` returns undefined. Returns true if it was replaced. */
export async function editKeyOfRow(
  db: Database,
  table: 'stacks' | 'terraform_states',
  name: StackId,
  edit: EditKey,
): Promise<boolean> {
  const { rows } = await db.query<{ id: string; key: string }>(
    `select id, wrapped_key as key from cairn.${table} where ${NAMED}`,
    nameValues(name),
  );
  const [row] = rows;
  const key = row && (await edit(row.id, JSON.parse(row.key) as WrappedKey));
  if (row === undefined || key === undefined) return false;
  const sql = `update cairn.${table} set wrapped_key = $2 where id = $1 and wrapped_key = $3`;
  return (await db.query(sql, [row.id, JSON.stringify(key), row.key])).rowCount === 1;
}

/** Counts the resources of a state that was read before, without parsing it. */
export function resourcesIn(state: StateText): number {
  return resourceTexts(state).length;
}

/** Counts the pending operations of a state that was read before. Most states have no such member. */
function pendingIn({ deployment }: StateText): number {
  const member = 'pending_operations';
  return deployment.includes(member) ? knownItemTexts(deployment, member).length : 0;
}

/** Returns true if a state has no other resource than the root one, which an update without resources leaves. */
function hasRootOnly(state: StateText): boolean {
  const urns = resourceTexts(state).map((text) => (JSON.parse(text) as { readonly urn?: unknown }).urn);
  return urns.every((urn) => typeof urn === 'string' && isUrn(urn) && isRootStackUrn(urn));
}

function resourceTexts({ deployment }: StateText): readonly string[] {
  return knownItemTexts(deployment, 'resources');
}

function noStack({ project, stack }: StackId): never {
  throw cairnError('CAIRN-STACK-NOT-FOUND', `no stack named '${stack}' found in project '${project}'`);
}
