import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { terraformProviderService } from '@cairn/provider-terraform/plugin';
import { TerraformClient, startProvider } from '@cairn/tf-bridge';
import type { TerraformObjectState, RunningProvider } from '@cairn/tf-bridge';
import { coerce, equalValues, impliedType, record } from '@cairn/tfplugin';
import type { TfRecord, TfValue } from '@cairn/tfplugin';
import { Http2Caller } from '@cairn/wire/caller';
import { startServer } from '@cairn/wire/server';
import { randomFrom } from '../support/random.js';
import { providerCommand } from '../support/terraform.js';
import {
  changedConfiguration,
  partlyUnknown,
  randomConfiguration,
} from '../terraform/random-configurations.js';
import { randomDefinition } from '../terraform/random-definitions.js';
import type { World } from '../terraform/random-definitions.js';

/** Our providers served in Terraform's protocol, and our own client of it, which checks them against the contract. */

/** One object managed by a client: every change is planned twice, as hosts do, and the plans are compared. */
class Managed {
  state: TerraformObjectState | undefined;
  readonly #subject: { readonly type: string; readonly address: string };

  constructor(
    readonly client: TerraformClient,
    readonly type: string,
  ) {
    this.#subject = { type, address: `${type}.a` };
  }

  get block() {
    const schema = this.client.schema.resources.get(this.type);
    if (schema === undefined) throw new Error(`no type ${this.type}`);
    return schema.block;
  }

  config(values: object): TfRecord {
    const given = record(Object.entries(values as Readonly<Record<string, TfValue>>));
    return coerce(this.block, given) as TfRecord;
  }

  /** Makes a change and returns it. `unknowns`: the configuration as it is when the first plan is made. */
  async change(config: TfValue, unknowns: TfValue = config): Promise<string> {
    const { client } = this;
    const subject = this.#subject;
    expect(
      (await client.validateResource(this.type, unknowns)).filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
    const initial = await client.plan(subject, { prior: this.state, config: unknowns });
    expect(initial.notes).toEqual([]);
    if (initial.action === 'none') return 'nothing';
    if (initial.action === 'replace') await this.delete();
    const final = await client.plan(subject, { prior: this.state, config });
    client.checkSamePlan(subject, initial, final);
    if (final.action === 'none') return 'nothing';
    const { state, failure, notes } = await client.apply(subject, final);
    expect([failure, notes]).toEqual([undefined, []]);
    this.state = state;
    return initial.action;
  }

  /** Stores and reads the object. Tells whether it is unchanged. */
  async refresh(): Promise<boolean> {
    const before = this.state as TerraformObjectState;
    const stored = this.client.store(this.type, before);
    const { state } = await this.client.upgrade(this.#subject, stored);
    const found = await this.client.read(this.#subject, state);
    this.state = found.state;
    return equalValues(impliedType(this.block), before.value, this.state?.value ?? null);
  }

  async import(id: string): Promise<void> {
    const { state } = await this.client.importObject(this.#subject, id);
    this.state = (await this.client.read(this.#subject, state)).state;
  }

  async delete(): Promise<void> {
    const { client } = this;
    const subject = this.#subject;
    const planned = await client.planDelete(subject, this.state as TerraformObjectState);
    const { state, failure } = await client.applyDelete(subject, planned);
    expect([state, failure]).toEqual([undefined, undefined]);
    this.state = undefined;
  }
}

describe.each([6, 5] as const)(
  'processes of our providers, spoken to by our client, protocol %d',
  (protocol) => {
    let folder: string;
    const running: RunningProvider[] = [];
    beforeEach(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'cairn-exchange-'));
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((each) => each.stop()));
      rmSync(folder, { recursive: true, force: true });
    });

    async function managed(name: 'random' | 'local', type: string): Promise<Managed> {
      const provider = await startProvider({
        name: `cairn/cairn-${name}`,
        // Such a process answers with the highest version that it is offered.
        executable: protocol === 6 ? providerCommand(name) : '/bin/sh',
        args: protocol === 6 ? [] : ['-c', `PLUGIN_PROTOCOL_VERSIONS=5 exec "${providerCommand(name)}"`],
        cwd: folder,
        env: process.env,
        onLog: () => {},
      });
      running.push(provider);
      expect(provider.protocolVersion).toBe(protocol);
      const client = await TerraformClient.connect({ name, ...provider });
      await client.configure(coerce(client.schema.provider.block, record([])));
      return new Managed(client, `cairn-${name}_${type}`);
    }

    test('a value is made, kept, and replaced', async () => {
      const text = await managed('random', 'string');
      const twelve = text.config({ length: 12 });
      expect(await text.change(twelve)).toBe('create');
      const before = text.state?.value as TfRecord;
      expect(before['result']).toHaveLength(12);
      expect(await text.refresh()).toBe(true);
      expect(await text.change(twelve)).toBe('nothing');
      expect(await text.change(text.config({ length: 13 }))).toBe('replace');
      expect((text.state?.value as TfRecord)['result']).toHaveLength(13);
      await text.delete();
    });

    test('a file is made, changed in place, imported and deleted; each process ends when it is asked to', async () => {
      const file = await managed('local', 'file');
      expect(await file.change(file.config({ path: 'a.txt', content: 'a' }))).toBe('create');
      expect(await file.change(file.config({ path: 'a.txt', content: 'b', mode: '0600' }))).toBe('update');
      expect(await file.refresh()).toBe(true);
      const { value } = file.state as TerraformObjectState;
      await file.import('a.txt');
      expect(await file.change(file.config({ path: 'a.txt', content: 'b', mode: '0600' }))).toMatch(
        /^(nothing|update)$/,
      );
      expect(file.state?.value).toEqual(value);
      await file.delete();
      await running[0]?.stop();
      expect(running[0]?.ended()).toBe('exit code 0');
    });

    test('what is wrong has a path', async () => {
      const file = await managed('local', 'file');
      const found = await file.client.validateResource(
        file.type,
        file.config({ path: '', content: 'a', mode: 'rw' }),
      );
      expect(found.map(({ path: at }) => at)).toEqual([['path'], ['mode']]);
    });
  },
);

jest.setTimeout(600_000);

/** Lives per protocol. */
const SEEDS = Number(process.env['CAIRN_TEST_LIVES'] ?? 40);

describe.each([6, 5] as const)('random providers served over protocol %d [TFS-3]', (protocol) => {
  test(`keep the contract through the lives of objects, ${SEEDS} of them`, async () => {
    const broken: string[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      await life(seed, protocol).catch((error: Error) => broken.push(`seed ${seed}: ${error.message}`));
    }
    expect(broken).toEqual([]);
  });
});

/** Makes, changes, imports and deletes objects of a random type. */
async function life(seed: number, protocol: 5 | 6): Promise<void> {
  const random = randomFrom(seed * 7919);
  const world: World = new Map();
  const server = await startServer({
    services: [terraformProviderService(randomDefinition(random, world), protocol)],
  });
  const caller = new Http2Caller(server.address);
  try {
    const client = await TerraformClient.connect({ name: 'things', protocolVersion: protocol, caller });
    await client.configure(coerce(client.schema.provider.block, record([])));
    const thing = new Managed(client, 'things_thing');
    let config = randomConfiguration(random, thing.block);
    for (let round = 0; round < 5; round += 1) {
      await thing.change(config, partlyUnknown(random, config));
      expect(await thing.refresh()).toBe(true);
      expect(await thing.change(config)).toBe('nothing');
      expect(world.size).toBe(1);
      config = changedConfiguration(random, thing.block, config);
    }
    const [id] = world.keys();
    await thing.import(String(id));
    await thing.change(config);
    expect(await thing.refresh()).toBe(true);
    expect(await thing.change(config)).toBe('nothing');
    await thing.delete();
    expect(world.size).toBe(0);
  } finally {
    caller.close();
    await server.close();
  }
}
