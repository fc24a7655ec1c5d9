import { ORGANIZATION } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { rotateHookKeys } from '../calls/hooks.js';
import { rotateSigners } from '../calls/signing-keys.js';
import type { StackKeys } from '../crypto/stack-keys.js';
import { stackKey } from '../domain/stack-key.js';
import { ACCESS_KINDS, SERVICE_WIDE } from '../store/access-store.js';
import type { AccessEditor, AccessKind } from '../store/access-store.js';
import type { ServiceStore } from '../store/service-store.js';
import type { TerraformRecord } from '../store/terraform-store.js';

/** Rows or versions that are read at once. */
const PAGE = 100;

/** Stores of two services. `keys` has the master keys of both. */
interface TakePorts {
  readonly from: ServiceStore;
  readonly into: ServiceStore;
  readonly keys: StackKeys;
}

/** Result: numbers of records by their kind in the plural, and a line for each that stays where it is. */
interface TakenRecords {
  readonly taken: ReadonlyMap<string, number>;
  readonly left: readonly string[];
}

/**
 * Takes everything but stacks from the store of a service into that of another one, of any kind: who may do what,
 * digests of tokens, webhooks, states of Terraform with their versions, and the audit log. What is there already stays.
 * May be repeated.
 */
export async function takeRecords(ports: TakePorts): Promise<TakenRecords> {
  const taken = new Map<string, number>();
  const left: string[] = [];
  const count = (kind: string, number: number): void => {
    if (number > 0) taken.set(kind, (taken.get(kind) ?? 0) + number);
  };
  // First: the log of the other store is taken only if this one has no rows of its own.
  await takeAudit(ports, count, left);
  await takeAccess(ports, SERVICE_WIDE, count);
  await rotateSigners(ports.into, ports.keys);
  for (const organization of await organizationsIn(ports.from)) {
    await takeAccess(ports, organization, count);
    await rotateHookKeys(ports.into, ports.keys, organization);
    for (const name of await ports.from.terraform.list({ organization }))
      await takeTerraform(ports, name, count, left);
  }
  for (const token of await ports.from.listTokens()) {
    if ((await ports.into.findToken(token.hash)) !== undefined) continue;
    await ports.into.putToken(token);
    count('tokens', 1);
  }
  return { taken, left };
}

type Count = (kind: string, number: number) => void;

async function organizationsIn(store: ServiceStore): Promise<readonly string[]> {
  const made = await store.listAccess('organizations', SERVICE_WIDE);
  return [ORGANIZATION, ...made.map(({ id }) => id)];
}

async function takeAccess({ from, into }: TakePorts, place: string, count: Count): Promise<void> {
  for (const kind of ACCESS_KINDS) {
    const records = await from.listAccess(kind, place);
    if (records.length === 0) continue;
    const missing = await into.changeAccess(place, (access) => putMissing(access, kind, place, records));
    count(kind, missing);
  }
}

async function putMissing(
  access: AccessEditor,
  kind: AccessKind,
  place: string,
  records: Awaited<ReturnType<ServiceStore['listAccess']>>,
): Promise<number> {
  let missing = 0;
  for (const record of records) {
    if ((await access.findAccess(kind, place, record.id)) !== undefined) continue;
    await access.putAccess(kind, record);
    missing += 1;
  }
  return missing;
}

/** Takes a state of Terraform with its versions, which stay sealed. The record comes last and makes them count. */
async function takeTerraform(
  { from, into, keys }: TakePorts,
  name: StackId,
  count: Count,
  left: string[],
): Promise<void> {
  const record = await from.terraform.find(name);
  if (record === undefined) return;
  if (record.lock !== undefined) {
    left.push(`the state of Terraform ${stackKey(name)}: it is locked by ${record.lock.ID}`);
    return;
  }
  const key = (await keys.rewrap(record.id, record.key)) ?? record.key;
  const versions = await versionsOf(from, record);
  const outcome = await into.turn([name], async (turn) => {
    const present = await turn.terraform.find(name);
    if (present !== undefined) return present.id === record.id && present.version >= record.version;
    if (await turn.stackExists(name)) return false;
    // A database refers to the record from its versions.
    await turn.terraform.put(name, { ...record, key, version: 0 });
    for (const { row, sealed } of versions) await turn.terraform.putVersion(record, row, sealed);
    await turn.terraform.put(name, { ...record, key });
    return 'taken';
  });
  if (outcome === 'taken') count('states of Terraform', 1);
  else if (!outcome) left.push(`the state of Terraform ${stackKey(name)}: the name is taken`);
}

async function versionsOf({ terraform }: ServiceStore, record: TerraformRecord) {
  const found = [];
  for (let from = record.version; from > 0; from -= PAGE)
    for (const row of await terraform.versions(record, { from, count: PAGE }))
      found.push({ row, sealed: await terraform.sealedVersion(record, row.version) });
  return found.reverse();
}

/** Takes the audit log row by row, so that the hashes of the chain stay. */
async function takeAudit({ from, into }: TakePorts, count: Count, left: string[]): Promise<void> {
  const [first] = await from.auditRows({ newestFirst: false, most: 1 });
  if (first === undefined) return;
  const [present] = await into.auditRows({ newestFirst: false, most: 1 });
  if (present !== undefined && present.hash !== first.hash) {
    left.push('the audit log: the store has rows of its own');
    return;
  }
  const [newest] = await into.auditRows({ newestFirst: true, most: 1 });
  for (let after = newest?.seq ?? 0; ;) {
    const rows = await from.auditRows({ after, newestFirst: false, most: PAGE });
    if (rows.length === 0) return;
    if (!(await into.takeAuditRows(rows))) {
      left.push(`the rows of the audit log after ${after}: the store has rows of its own`);
      return;
    }
    count('rows of the audit log', rows.length);
    after = rows.at(-1)?.seq ?? after;
  }
}
