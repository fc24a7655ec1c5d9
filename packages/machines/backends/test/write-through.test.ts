import { joinUrn } from '@cairn/addresses';
import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import type { ChangeRecord } from '@cairn/changes';
import { base64Crypter } from '@cairn/crypters';
import { readCheckpoint, resourceEntry } from '@cairn/state';
import type { PendingOperationType } from '@cairn/state';
import { backendForStore } from '../src/index.js';
import type { Backend, BackendPorts } from '../src/index.js';
import { digestOf, loadCheckpoint } from '../src/bucket/checkpoint/checkpoint-file.js';
import { dyingStore } from './dying-store.js';
import { ChangeRecorder, effect, operate, part } from './operations.js';
import { VirtualTimer } from './virtual-time.js';
import { DEV, SECRETS, START, failureOf, keysOf, lease, portsOf, urnOf } from './world.js';

/** The state that other tools see while an operation runs. No record depends on it. */

const CHECKPOINT = '.pulumi/stacks/shop/dev.json';
const EACH_STEP = { CAIRN_CHECKPOINT: 'each-step' };
const DEAD = 99;
/** Lock and number: after this many writes an operation has begun, and its records are appended. */
const BEGUN = 2;

async function stackWith(name: string, env: BackendPorts['env'] = {}): Promise<BlobStore> {
  const store = memoryBlobStore();
  const backend = await host(store, env);
  await backend.create(DEV, SECRETS);
  await operate(backend, new ChangeRecorder().creates(part(name)).records, 'succeeded');
  return store;
}

function host(
  store: BlobStore,
  env: BackendPorts['env'] = {},
  timer = new VirtualTimer(),
  pid = 40,
): Promise<Backend> {
  return backendForStore(store, { ...portsOf({ pid, dead: new Set([DEAD]) }, env), timer });
}

/** Returns names in a state, and its pending ones with a mark. */
async function stored(store: BlobStore, key = CHECKPOINT): Promise<readonly string[]> {
  const blob = await store.get(key);
  const { deployment } = readCheckpoint(blob?.bytes ?? new Uint8Array(), key);
  const name = (urn: string): string => urn.slice(urn.lastIndexOf(':') + 1);
  return [
    ...(deployment?.resources ?? []).map(({ urn }) => name(urn)).sort(),
    ...(deployment?.pendingOperations ?? []).map(({ type, resource }) => `${type} ${name(resource.urn)}`),
  ];
}

/** Looks until that is stored: threads pack the copy of the base, which no timer of a test knows. */
async function until(store: BlobStore, expected: readonly string[]): Promise<void> {
  for (let looks = 0; looks < 10_000; looks += 1) {
    if (JSON.stringify(await stored(store)) === JSON.stringify(expected)) return;
    await new Promise(setImmediate);
  }
  expect(await stored(store)).toEqual(expected);
}

/** Returns records of a create that ended and of one that did not. */
function oneAndAHalf(): readonly ChangeRecord[] {
  const recorder = new ChangeRecorder().creates(part('done'));
  recorder.begins(part('half'));
  return recorder.records;
}

describe('write-through of the checkpoint', () => {
  test('paced: before the first effect, with what is pending, then by time; .bak stays the state before; the end stores as ever', async () => {
    const store = await stackWith('first');
    const timer = new VirtualTimer();
    const held = await lease(await host(store, {}, timer));
    const log = await held.begin(START);
    const recorder = new ChangeRecorder();
    let sent = 0;
    const record = async (): Promise<void> => {
      const records = recorder.records.slice(sent);
      sent = recorder.records.length;
      await log.store.append(records);
    };
    const done = (task: string, name: string): ChangeRecorder =>
      recorder.ends(task, 'done', { kind: 'success', operationId: Number(task), state: effect(name) });
    const version = async (): Promise<unknown> => (await store.get(CHECKPOINT))?.version;
    const atFirst = await version();
    recorder.creates(part('component'));
    recorder.begins(effect('read'), 'reading');
    await record();
    await timer.pass(60_000);
    expect(await version()).toBe(atFirst);
    const one = recorder.begins(effect('one'));
    await record();
    expect(await stored(store)).toEqual(['component', 'first', 'reading read', 'creating one']);
    expect(await stored(store, `${CHECKPOINT}.bak`)).toEqual(['first']);
    const written = await version();
    done(one, 'one').begins(effect('two'));
    await record();
    await timer.pass(249);
    expect(await version()).toBe(written);
    await timer.pass(1);
    await until(store, ['component', 'first', 'one', 'reading read', 'creating two']);
    const twice = await version();
    await timer.pass(60_000);
    expect(await version()).toBe(twice);
    const three = recorder.begins(effect('three'), 'updating');
    await record();
    await timer.pass(0);
    await until(store, ['component', 'first', 'one', 'reading read', 'creating two', 'updating three']);
    done(three, 'three');
    await record();
    const { diagnostics } = await log.finish({ result: 'failed', resourceChanges: {} });
    expect(diagnostics).toEqual([]);
    await held.release();
    expect(await stored(store)).toEqual([
      'component',
      'first',
      'one',
      'three',
      'reading read',
      'creating two',
    ]);
    expect(await stored(store, `${CHECKPOINT}.bak`)).toEqual(['first']);
    const lineage = await (await lease(await host(store))).lineage(2);
    expect(lineage.before.resources.map(({ urn }) => urn)).toEqual([urnOf('first')]);
  });

  test.each<[string, Parameters<typeof resourceEntry>[0]['type'], PendingOperationType, object, boolean]>([
    ['a create', 'test:index:Thing', 'creating', {}, true],
    ['an update', 'test:index:Thing', 'updating', {}, true],
    ['a delete', 'test:index:Thing', 'deleting', {}, true],
    ['a read', 'test:index:Thing', 'reading', {}, false],
    ['an import', 'test:index:Thing', 'importing', {}, false],
    ['a component', 'test:index:Thing', 'creating', { custom: false, id: undefined }, false],
    ['a provider', 'pulumi:providers:test', 'creating', {}, false],
    ['what is read goes', 'test:index:Thing', 'deleting', { external: true }, false],
  ])('%s is an effect or not', async (_title, type, pending, more, isEffect) => {
    const store = await stackWith('first');
    const log = await (await lease(await host(store))).begin(START);
    const recorder = new ChangeRecorder();
    const urn = joinUrn(DEV.stack, DEV.project, type, 'x');
    recorder.begins(resourceEntry({ urn, type, custom: true, id: 'x', ...more }), pending);
    await log.store.append(recorder.records);
    expect(await stored(store)).toEqual(isEffect ? ['first', `${pending} x`] : ['first']);
  });

  test('no effect begins before the first write is done; nothing else waits for it', async () => {
    const inner = await stackWith('first');
    let reached = (): void => undefined;
    const reaches = new Promise<void>((resolve) => (reached = resolve));
    let goOn = (): void => undefined;
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    const put: BlobStore['put'] = async (key, ...more) => {
      if (key === CHECKPOINT) {
        reached();
        await waits;
      }
      return inner.put(key, ...more);
    };
    const log = await (await lease(await host({ ...inner, put }))).begin(START);
    const recorder = new ChangeRecorder();
    const begun: string[] = [];
    const begins = async (name: string, isEffect = true): Promise<void> => {
      const from = name === 'one' ? 0 : recorder.records.length;
      recorder.begins(isEffect ? effect(name) : part(name));
      await log.store.append(recorder.records.slice(from));
      begun.push(name);
    };
    const all = [begins('one'), begins('two')];
    await reaches;
    all.push(begins('late'));
    await begins('component', false);
    expect(begun).toEqual(['component']);
    goOn();
    await Promise.all(all);
    expect(begun.slice(1).sort()).toEqual(['late', 'one', 'two']);
    expect(await stored(inner)).toEqual(['first', 'creating one', 'creating two']);
  });

  test.each<[string, BackendPorts['env'], readonly string[]]>([
    ['each step', EACH_STEP, ['done', 'first', 'creating half']],
    ['only at the end', { CAIRN_CHECKPOINT: 'end' }, ['first']],
  ])('%s', async (_title, env, seen) => {
    const store = await stackWith('first');
    const held = await lease(await host(store, env));
    const log = await held.begin(START);
    await log.store.append(oneAndAHalf());
    await log.writeThrough();
    expect(await stored(store)).toEqual(seen);
  });

  test('asked for: at once; an operation that leaves room for others, and an edit, write at their end', async () => {
    const store = await stackWith('first');
    const log = await (await lease(await host(store))).begin(START);
    await log.store.append(oneAndAHalf());
    await log.writeThrough();
    expect(await stored(store)).toEqual(['done', 'first', 'creating half']);

    const shared = await stackWith('first');
    const own = await host(shared, EACH_STEP);
    const held = await own.lease(DEV, {
      openCrypter: async () => base64Crypter,
      claims: [{ key: urnOf('done'), mode: 'exclusive' }],
    });
    await (await held.begin(START)).store.append(new ChangeRecorder().creates(part('done')).records);
    expect(await stored(shared)).toEqual(['first']);

    const edited = await stackWith('first');
    await (await host(edited, EACH_STEP)).edit(DEV, (state) => ({ ...state, resources: [] }));
    expect(await stored(edited)).toEqual([]);
    expect(await keysOf(edited, '.pulumi/journals/shop/dev/00000002/through')).toEqual([]);
  });

  test('killed: whoever reads or takes over starts from the base and not from what was written', async () => {
    const store = await stackWith('first');
    const dying = await host(store, EACH_STEP, new VirtualTimer(), DEAD);
    const log = await (await lease(dying)).begin(START);
    await log.store.append(oneAndAHalf());
    const { deployment, warnings } = await (await host(store)).read(DEV);
    expect(deployment?.resources.map(({ urn }) => urn).sort()).toEqual([urnOf('done'), urnOf('first')]);
    expect(warnings.map(({ code }) => code)).toEqual(['CAIRN-IN-DOUBT']);
    const held = await lease(await host(store));
    expect(held.notes.map(({ code }) => code)).toContain('CAIRN-IN-DOUBT');
    expect(held.unfinished?.before.resources.map(({ urn }) => urn)).toEqual([urnOf('first')]);
    expect(await stored(store)).toEqual(['done', 'first', 'creating half']);
    expect(await stored(store, `${CHECKPOINT}.bak`)).toEqual(['first']);
  });

  test.each<[string, BackendPorts['env']]>([
    ['each step', EACH_STEP],
    ['each step, gzip', { ...EACH_STEP, PULUMI_DIY_BACKEND_GZIP: 'true' }],
    ['paced', {}],
  ])('killed before any write, %s: nothing recorded is lost', async (_how, env) => {
    for (let writes = 0; ; writes += 1) {
      const store = await stackWith('first');
      const dying = await host(dyingStore(store, writes), env, new VirtualTimer(), DEAD);
      const ended = await (async () => {
        const held = await lease(dying);
        const log = await held.begin(START);
        const recorder = new ChangeRecorder();
        for (const name of ['one', 'two']) {
          const from = name === 'one' ? 0 : recorder.records.length;
          recorder.creates(effect(name));
          await log.store.append(recorder.records.slice(from));
        }
        await log.finish({ result: 'succeeded', resourceChanges: {} });
        return true;
      })().catch(() => false);
      const held = await lease(await host(store));
      const names = held.deployment.resources.map(({ urn }) => urn).sort();
      expect({ writes, names }).toEqual({
        writes,
        names: writes < BEGUN ? [urnOf('first')] : [urnOf('first'), urnOf('one'), urnOf('two')],
      });
      await held.release();
      if (ended) return;
    }
  });

  test('altered by somebody else meanwhile: nothing is overwritten, by a later write or by the end', async () => {
    const store = await stackWith('first');
    const log = await (await lease(await host(store, EACH_STEP))).begin(START);
    const recorder = new ChangeRecorder().creates(part('one'));
    await log.store.append(recorder.records);
    const other = Buffer.from(
      Buffer.from((await store.get(CHECKPOINT))!.bytes)
        .toString()
        .replace('"one"', '"other"') + ' ',
    );
    await store.put(CHECKPOINT, other);
    const sent = recorder.records.length;
    recorder.creates(part('two'));
    await log.store.append(recorder.records.slice(sent));
    expect((await failureOf(log.finish({ result: 'succeeded', resourceChanges: {} }))).code).toBe(
      'CAIRN-STORE-CONFLICT',
    );
    expect((await loadCheckpoint(store, DEV))?.digest).toBe(digestOf(other));
  });
});
