import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bucketOf } from '@cairn/backends';
import { noManagerCrypter } from '@cairn/crypters';
import {
  backendHere,
  changeSecretsProvider,
  createStack,
  listStacks,
  logIn,
  removeStack,
  removeTag,
  renameStack,
  selectStack,
  setTag,
  stackNames,
  stackOutputs,
  tagOf,
  upgradeBackend,
} from '../src/stacks.js';
import { codeOf, inStack, portsOf, project, stackWithState } from './library-box.js';

test('stacks are listed, selected, renamed and removed', async () => {
  const cwd = await stackWithState('stacks');
  const ports = portsOf(cwd);
  await createStack(ports, 'prod', { select: false });
  const listed = async () =>
    (await listStacks(ports, {})).map(({ name, current, resources }) => [name, current, resources]);
  expect(await listed()).toEqual([
    ['dev', true, 3],
    ['prod', false, 0],
  ]);
  expect(await selectStack(ports, { stack: 'none' })).toBe(false);
  expect(await selectStack(ports, { stack: 'prod' })).toBe(true);
  await inStack(ports, (stack) => renameStack(stack, 'production'), {});
  expect(await stackNames(ports, {})).toEqual(['dev', 'production']);
  expect((await listed())[1]).toEqual(['production', true, 0]);
  expect(await codeOf(inStack(ports, (stack) => removeStack(stack)))).toBe('CAIRN-STACK-NOT-EMPTY');
  await inStack(ports, (stack) => removeStack(stack, { force: true }));
  expect(await stackNames(ports, {})).toEqual(['production']);
});

test('stacks of other projects have their project in their name', async () => {
  const cwd = await stackWithState('first');
  const ports = portsOf(project('second'));
  const env = { ...ports.env, CAIRN_BACKEND_URL: pathToFileURL(path.join(cwd, 'state')).href };
  await createStack({ ...ports, env }, 'dev', { select: true });
  const names = (await listStacks({ ...ports, env }, {}, { all: true })).map(({ name }) => name);
  expect(names.sort()).toEqual(['dev', 'organization/first/dev']);
});

test('tags are set, read and removed, and checked first', async () => {
  const cwd = await stackWithState('tags');
  await inStack(portsOf(cwd), async (stack) => {
    await setTag(stack, 'owner', 'web');
    expect(await tagOf(stack, 'owner')).toBe('web');
    expect(await codeOf(setTag(stack, 'bad name', 'x'))).toBe('CAIRN-USAGE');
    expect(await codeOf(setTag(stack, 'long', 'x'.repeat(257)))).toBe('CAIRN-USAGE');
    await removeTag(stack, 'owner');
    expect(await codeOf(removeTag(stack, 'owner'))).toBe('CAIRN-USAGE');
    expect(await codeOf(tagOf(stack, 'owner'))).toBe('CAIRN-USAGE');
  });
});

test('the secrets of a stack get another passphrase, which is asked for', async () => {
  const cwd = await stackWithState('secrets');
  const ports = portsOf(cwd, { newPassphrase: () => Promise.resolve('another') });
  expect(await inStack(ports, (stack) => changeSecretsProvider(stack, 'passphrase'))).toBe('new-passphrase');
  const fresh = { ...ports, env: { ...ports.env, CAIRN_CONFIG_PASSPHRASE: 'another' } };
  expect(await inStack(fresh, (stack) => stackOutputs(stack, true))).toEqual({ url: 'x' });
});

test('a lock that is left is released', async () => {
  const cwd = await stackWithState('locked');
  await inStack(portsOf(cwd), async ({ backend, id }) => {
    const lease = await backend.lease(id, { openCrypter: () => Promise.resolve(noManagerCrypter) });
    expect(await backend.bucket?.locks(id)).toHaveLength(1);
    expect(await backend.cancel(id)).toBe(true);
    expect(await backend.bucket?.locks(id)).toEqual([]);
    await lease.release();
  });
});

test('what only a store of blobs can do is refused for a state service', async () => {
  const ports = portsOf(project('service'));
  const url = 'https://states.invalid';
  const sealing = { ...ports, env: { ...ports.env, CAIRN_STATE_ENCRYPTION: 'on' } };
  await expect(listStacks(sealing, { backendUrl: url })).rejects.toThrow(
    `cannot seal states as a whole: ${url} is a state service`,
  );
  const sources = { projectOf: async () => undefined };
  await expect(upgradeBackend(ports, { url, createDirectory: false }, sources)).rejects.toThrow(
    `cannot upgrade the backend: ${url} is a state service`,
  );
  await inStack(
    portsOf(await stackWithState('bucket-only')),
    async ({ backend: { bucket: _, ...service } }) => {
      expect(() => bucketOf({ ...service, url }, 'lock the stack')).toThrow(
        `cannot lock the stack: ${url} is a state service`,
      );
    },
  );
});

test('a backend that is logged in to is the one that is used', async () => {
  const cwd = project('login');
  const ports = portsOf(cwd);
  const env = { ...ports.env, CAIRN_BACKEND_URL: undefined };
  const url = pathToFileURL(path.join(cwd, 'state')).href;
  expect(await logIn({ ...ports, env }, {}, url)).toEqual({ url, username: undefined });
  const { project: here, choice } = await backendHere({ ...ports, env }, {});
  expect([here?.name, choice.url]).toEqual(['login', url]);
  expect(readFileSync(path.join(cwd, '.cairn/credentials.json'), 'utf8')).toContain(url);
});
