import type { StackId } from '@cairn/backends';
import type {
  TerraformLockInfo,
  TerraformRow,
  TerraformRowsAnswer,
  TerraformVersionRow,
  TerraformVersionsAnswer,
} from '@cairn/http-api';
import { Refusal } from '../domain/refusal.js';
import { stackKey } from '../domain/stack-key.js';
import { checkLock, dropsLock, statePlace, takesLock } from '../domain/terraform-rules.js';
import type { TerraformRecord } from '../store/terraform-store.js';
import type { ApiCaller } from './caller.js';
import { inStackTurn } from './service-ports.js';
import type { ServicePorts, TurnPorts } from './service-ports.js';
import { newStackRecord } from './stack-records.js';
import { openVersion, sealVersion } from './terraform-versions.js';

/** Rows of one page of a list. */
const PAGE = 100;

/** Change of a state. `lockId` is the lock under which the caller makes it, if it has one. */
interface TerraformWrite {
  readonly lockId: string | undefined;
  readonly by: string;
}

/** States to list. */
interface TerraformFilter {
  readonly organization: string;
  readonly project: string | undefined;
  readonly after: string | undefined;
  readonly caller: ApiCaller;
}

/** Facts about a version that is new. */
type NewVersion = Omit<TerraformVersionRow, 'version' | 'time'>;

/** States that Terraform and OpenTofu keep in the service, with locks and versions. */
export class TerraformStates {
  readonly #ports: ServicePorts;

  constructor(ports: ServicePorts) {
    this.#ports = ports;
  }

  /** Returns the newest state. Refuses one that does not exist, or was deleted (404). */
  async read(name: StackId): Promise<Buffer> {
    const record = await this.#found(name);
    return this.#version(record, record.version);
  }

  async readVersion(name: StackId, version: number): Promise<Buffer> {
    const record = await this.#found(name);
    if (version < 1 || version > record.version) throw new Refusal(404, `Version ${version} not found.`);
    return this.#version(record, version);
  }

  /** Stores a state as the next version [TFK-3]. The newest one again is the retry of a call whose answer was lost. */
  write(name: StackId, state: Buffer, { lockId, by }: TerraformWrite): Promise<void> {
    const place = statePlace(state);
    return inStackTurn(this.#ports, [name], async (ports) => {
      const record = await made(ports, name);
      checkLock(record.lock, lockId);
      const row = { by, ...place, bytes: state.length };
      if (!(await isNewest(ports, record, row, state))) await addVersion(ports, name, record, row, state);
    });
  }

  /** Deletes a state. Its versions stay until it is purged. */
  delete(name: StackId, { lockId, by }: TerraformWrite): Promise<void> {
    return inStackTurn(this.#ports, [name], async (ports) => {
      const record = await ports.store.terraform.find(name);
      if (record === undefined) return;
      checkLock(record.lock, lockId);
      if ((await openVersion(ports, record, record.version)) !== undefined)
        await addVersion(ports, name, record, { by, bytes: 0 }, undefined);
    });
  }

  /** Removes a state with all versions. Refuses a locked one. */
  purge(name: StackId): Promise<void> {
    return inStackTurn(this.#ports, [name], async ({ store }) => {
      const record = await store.terraform.find(name);
      if (record === undefined) throw unknownState(name);
      checkLock(record.lock, undefined);
      await store.terraform.remove(name, record);
    });
  }

  lock(name: StackId, lock: TerraformLockInfo): Promise<void> {
    return inStackTurn(this.#ports, [name], async (ports) => {
      const record = await made(ports, name);
      if (takesLock(record.lock, lock)) await ports.store.terraform.put(name, { ...record, lock });
    });
  }

  /** Removes a lock. A state that has none is left as it is. */
  unlock(name: StackId, id: string | undefined): Promise<void> {
    return inStackTurn(this.#ports, [name], async ({ store }) => {
      const record = await store.terraform.find(name);
      if (record === undefined || !dropsLock(record.lock, id)) return;
      const { lock: _lock, ...rest } = record;
      // A state that was never written leaves no trace.
      if (rest.version === 0) await store.terraform.remove(name, rest);
      else await store.terraform.put(name, rest);
    });
  }

  /** Lists the states that a caller may read by project and name, in pages. */
  async list({ after = '', caller, ...of }: TerraformFilter): Promise<TerraformRowsAnswer> {
    const names = [...(await this.#ports.store.terraform.list(of))]
      .map((name) => ({ name, key: stackKey(name) }))
      .filter(({ key }) => key > after)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const page = names.slice(0, PAGE);
    const states = await Promise.all(
      page.map(async ({ name }) => ((await caller.canRead(name)) ? this.#row(name) : undefined)),
    );
    const last = names.length > PAGE ? page.at(-1) : undefined;
    return {
      states: states.filter((row) => row !== undefined),
      continuationToken: last === undefined ? null : Buffer.from(last.key).toString('base64url'),
    };
  }

  /** Lists the versions of a state, newest first. `page` counts from 1. */
  async versions(
    name: StackId,
    { size = PAGE, page = 1 }: { readonly size?: number; readonly page?: number },
  ): Promise<TerraformVersionsAnswer> {
    const record = await this.#found(name);
    const count = Math.min(size, PAGE);
    const from = record.version - (page - 1) * count;
    if (from < 1) return { versions: [] };
    return { versions: await this.#ports.store.terraform.versions(record, { from, count }) };
  }

  async #found(name: StackId): Promise<TerraformRecord> {
    const { store } = this.#ports;
    const record = await store.terraform.find(name);
    if (record !== undefined) return record;
    await refuseStackOf(store, name);
    throw unknownState(name);
  }

  async #version(record: TerraformRecord, version: number): Promise<Buffer> {
    const state = await openVersion(this.#ports, record, version);
    if (state === undefined) throw new Refusal(404, 'The state does not exist.');
    return state;
  }

  async #row(id: StackId): Promise<TerraformRow | undefined> {
    const { terraform } = this.#ports.store;
    const record = await terraform.find(id);
    if (record === undefined) return undefined;
    const [newest] = await terraform.versions(record, { from: record.version, count: 1 });
    return { project: id.project, name: id.stack, ...newest, ...(record.lock && { lock: record.lock }) };
  }
}

/** Refuses to make a stack whose name a state of Terraform has [TFK-5]. Runs in the turn of the stack. */
export async function refuseTerraformOf({ store }: TurnPorts, name: StackId): Promise<void> {
  if ((await store.terraform.find(name)) !== undefined)
    throw new Refusal(400, `Cannot make stack '${name.stack}': a state of Terraform has its name.`);
}

async function refuseStackOf({ stackExists }: TurnPorts['store'], name: StackId): Promise<void> {
  if (await stackExists(name))
    throw new Refusal(400, `'${stackKey(name)}' is a stack of Pulumi: use another name for the state.`);
}

/** Returns the record of a state, which is made for a new one. */
async function made(ports: TurnPorts, name: StackId): Promise<TerraformRecord> {
  const { store } = ports;
  const known = await store.terraform.find(name);
  if (known !== undefined) return known;
  await refuseStackOf(store, name);
  return { ...(await newStackRecord(ports)), version: 0 };
}

/** Returns true if a state is the newest version. Only one of the same serial is opened. */
async function isNewest(
  ports: TurnPorts,
  record: TerraformRecord,
  { serial, bytes }: NewVersion,
  state: Buffer,
): Promise<boolean> {
  const page = { from: record.version, count: 1 };
  const [newest] = await ports.store.terraform.versions(record, page);
  if (newest?.serial !== serial || newest?.bytes !== bytes) return false;
  return (await openVersion(ports, record, record.version))?.equals(state) === true;
}

/** Stores the next version of a state, and then the record that names it. */
async function addVersion(
  ports: TurnPorts,
  name: StackId,
  record: TerraformRecord,
  row: NewVersion,
  state: Buffer | undefined,
): Promise<void> {
  const { terraform } = ports.store;
  if (record.version === 0) await terraform.put(name, record);
  const version = record.version + 1;
  const time = ports.now().toISOString();
  const sealed = state && (await sealVersion(ports, record, version, state));
  await terraform.putVersion(record, { version, time, ...row }, sealed);
  await terraform.put(name, { ...record, version });
}

function unknownState(name: StackId): Refusal {
  return new Refusal(404, `No state of Terraform is at '${stackKey(name)}'.`);
}
