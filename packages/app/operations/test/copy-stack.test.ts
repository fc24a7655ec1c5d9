import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Backend, Migration, StackId } from '@cairn/backends';
import { openChosenBackend } from '../src/access/open-backend.js';
import { copyStack } from '../src/stacks/copy-stack.js';
import { operate, withPrepared } from '../src/index.js';
import { setTag } from '../src/stacks.js';
import { codeOf, inStack, portsOf, project, stackWithState } from './library-box.js';

/** A stack is copied between backends of different kinds by what every backend has. */

const FROM: StackId = { project: 'copied', stack: 'dev' };
const plan: Migration = {
  from: FROM,
  to: FROM,
  journals: false,
  force: false,
  onCopied: async () => undefined,
};

/** Returns a backend that lacks what only a store of blobs has. */
function asService({ bucket: _, ...backend }: Backend): Backend {
  return {
    ...backend,
    service: {
      organization: 'acme',
      secretsProvider: () => ({ type: 'service', state: '{}' }),
      requireChanges: async () => undefined,
      addHistory: async () => false,
      sendPreview: async () => undefined,
      consoleLink: async () => '',
      hooks: () => Promise.reject(new Error('not used here')),
      schedules: () => Promise.reject(new Error('not used here')),
    },
  };
}

async function backends(name: string): Promise<{ source: Backend; target: Backend }> {
  const cwd = project(`${name}-target`);
  const there = pathToFileURL(path.join(cwd, 'state')).href;
  const ports = portsOf(path.join(cwd, '..', name));
  const url = String(ports.env['CAIRN_BACKEND_URL']);
  const open = (at: string) => openChosenBackend(ports, {}, { url: at, createDirectory: false });
  return { source: await open(url), target: await open(there) };
}

const urns = async (backend: Backend, id: StackId): Promise<readonly string[]> =>
  ((await backend.read(id)).deployment?.resources ?? []).map(({ urn }) => urn);

beforeAll(async () => {
  const cwd = await stackWithState('copied');
  await inStack(portsOf(cwd), (stack) => setTag(stack, 'owner', 'ann'));
  for (const message of ['first', 'second'])
    await withPrepared(portsOf(cwd), {}, (prepared) =>
      operate(prepared, { kind: 'refresh', options: { message } }),
    );
});

test('from a store to a service: state and tags go, and the stack is locked where it was', async () => {
  const { source, target } = await backends('copied');
  const before = await urns(source, FROM);
  const notes = await copyStack(source, asService(target), plan);
  expect(notes.map(({ summary }) => summary)).toEqual([
    `the history of the stack is not copied: it stays in ${source.url}`,
  ]);
  expect(await urns(target, FROM)).toEqual(before);
  expect(await target.tags(FROM)).toEqual({ owner: 'ann' });
  const locks = (await source.bucket?.locks(FROM)) ?? [];
  expect(locks.map(({ reason }) => reason)).toEqual([`moved to ${target.url} as organization/copied/dev`]);
  expect(await codeOf(copyStack(source, asService(target), plan))).toBe('CAIRN-STATE-LOCKED');
  for (const lock of locks) await source.bucket?.unlock(FROM, lock);
  expect(await codeOf(copyStack(source, asService(target), plan))).toBe('CAIRN-STACK-EXISTS');
  expect([await target.exists(FROM), await source.bucket?.locks(FROM)]).toEqual([true, []]);
  await target.remove(FROM, { force: true });
});

test('from a service to a store, under another name', async () => {
  const { source, target } = await backends('copied');
  const to = { project: 'shop', stack: 'prod' };
  await copyStack(asService(source), target, { ...plan, to });
  const root = 'urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod';
  expect((await urns(target, to))[0]).toBe(root);
  expect(await source.bucket?.locks(FROM)).toEqual([]);
  const kept = await target.history(to);
  expect(kept).toEqual(await source.history(FROM));
  expect(kept).toHaveLength(2);
  const states = await Promise.all(kept.map(({ number }) => target.stateAfter(to, number)));
  expect(states.map((state) => state?.resources[0]?.urn)).toEqual([root, root]);
});

test('what fails on the way leaves no copy and no lock', async () => {
  const { source, target } = await backends('copied');
  const broken = { ...target, replace: () => Promise.reject(new Error('full')) };
  await expect(copyStack(source, asService(broken), plan)).rejects.toThrow('full');
  const changing: Migration = {
    ...plan,
    seal: {
      secretsProvider: { type: 'b64', state: '' },
      config: async (config) => config,
      deployment: async (deployment) => {
        await source.edit(FROM, (now) => ({ ...now, resources: now.resources.slice(0, 2) }));
        return deployment;
      },
    },
  };
  expect(await codeOf(copyStack(asService(source), target, changing))).toBe('CAIRN-STORE-CONFLICT');
  expect(await codeOf(copyStack(source, target, { ...plan, journals: true }))).toBe('CAIRN-USAGE');
  const unfinished = { ...source, newestChange: async () => (await source.changes(FROM))[0] };
  expect(await codeOf(copyStack(unfinished, target, plan))).toBe('CAIRN-UNFINISHED');
  expect([await target.exists(FROM), await source.bucket?.locks(FROM)]).toEqual([false, []]);
});
