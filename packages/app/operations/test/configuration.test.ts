import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  configTarget,
  configValue,
  configValues,
  copyConfig,
  createStack,
  openStackFile,
  plainValue,
  refreshConfig,
  removeConfigValues,
  setConfigValues,
  stackHistory,
} from '../src/stacks.js';
import { operate, withPrepared } from '../src/index.js';
import type { Notice, OpenStackFile, Ports } from '../src/index.js';
import { codeOf, inStack, portsOf, project } from './library-box.js';

async function stackFile(
  name: string,
  notices: Notice[] = [],
): Promise<[Ports, () => Promise<OpenStackFile>]> {
  const ports = portsOf(project(name), { notice: (notice) => void notices.push(notice) });
  await createStack(ports, 'dev', { select: true });
  return [ports, () => openStackFile(ports, { stack: 'dev' })];
}

async function set(
  stack: OpenStackFile,
  values: Readonly<Record<string, string>>,
  secret = false,
): Promise<void> {
  await setConfigValues(
    stack,
    Object.entries(values).map(([key, text]) => {
      const target = configTarget(key, stack.project, key.includes('.'));
      return secret ? { target, secret, tree: text } : plainValue(target, key, text);
    }),
  );
}

test('values are set, read, listed and removed; secrets stay sealed until they are asked for', async () => {
  const notices: Notice[] = [];
  const [, open] = await stackFile('values', notices);
  await set(await open(), { region: 'eu', 'db.port': '5' });
  await set(await open(), { token: 'hush' }, true);
  const stack = await open();
  expect(stack.file.text).not.toContain('hush');
  expect(await configValue(stack, 'token')).toMatchObject({ secret: true, value: 'hush' });
  expect(await configValue(stack, 'db.port', true)).toMatchObject({ secret: false, value: 5n });
  expect(await codeOf(configValue(stack, 'gone'))).toBe('CAIRN-CONFIG-MISSING');

  const closed = await configValues(stack);
  expect([...closed.keys()]).toEqual(['values:db', 'values:region', 'values:token']);
  expect(closed.get('values:token')?.value).toBeUndefined();
  expect(notices).toEqual([]);
  const opened = await configValues(stack, { showSecrets: true });
  expect(opened.get('values:token')?.value).toBe('hush');
  expect(notices).toEqual([{ t: 'secrets-shown' }]);

  expect(await removeConfigValues(stack, ['token', 'gone', 'region'])).toEqual(['gone']);
  expect([...(await configValues(await open())).keys()]).toEqual(['values:db']);
});

test('what looks like a secret is not stored in the clear unless that is said', async () => {
  const [, open] = await stackFile('looks');
  const { project: here } = await open();
  const target = configTarget('password', here, false);
  const text = 'v3ry-l0ng-4nd-r4nd0m-t3xt-0f-s0m3-k1nd-9f8e7d6c5b4a';
  expect(() => plainValue(target, 'password', text)).toThrow('looks like a secret');
  expect(plainValue(target, 'password', text, { plaintext: true })).toEqual({
    target,
    secret: false,
    tree: text,
  });
  expect(plainValue(target, 'password', '7', { type: 'int' }).tree).toBe(7n);
});

test('values are copied to another stack under its own key', async () => {
  const [ports, open] = await stackFile('copied');
  await createStack(ports, 'prod', { select: false });
  await set(await open(), { region: 'eu', zone: 'a' });
  await set(await open(), { token: 'hush' }, true);
  const choice = { stack: 'dev' };
  expect(await codeOf(copyConfig(ports, choice, { dest: 'dev' }))).toBe('CAIRN-USAGE');
  expect(await codeOf(copyConfig(ports, choice, { dest: 'prod', key: 'gone' }))).toBe('CAIRN-CONFIG-MISSING');
  await copyConfig(ports, choice, { dest: 'prod', key: 'region' });
  const prod = (): Promise<OpenStackFile> => openStackFile(ports, { stack: 'prod' });
  expect([...(await configValues(await prod())).keys()]).toEqual(['copied:region']);
  await copyConfig(ports, choice, { dest: 'prod' });
  expect(await configValue(await prod(), 'token')).toMatchObject({ secret: true, value: 'hush' });
  const sealed = async (stack: Promise<OpenStackFile>) => (await configValue(await stack, 'token')).stored;
  expect(await sealed(prod())).not.toEqual(await sealed(open()));
});

test('the configuration of the latest operation is in the history, and becomes that of the stack again', async () => {
  const notices: Notice[] = [];
  const [ports, open] = await stackFile('refreshed', notices);
  expect(await codeOf(refreshConfig(ports, {}))).toBe('CAIRN-CONFIG-MISSING');
  await set(await open(), { region: 'eu' });
  await set(await open(), { token: 'hush' }, true);
  await withPrepared(ports, {}, (prepared) => operate(prepared, { kind: 'up', options: { message: 'm' } }));
  await set(await open(), { region: 'us' });

  const [latest] = await inStack(ports, (stack) => stackHistory(stack));
  expect(latest).toMatchObject({ kind: 'update', message: 'm', result: 'succeeded', number: 1 });
  expect(latest?.config['refreshed:region']?.value).toBe('eu');
  expect(latest?.config['refreshed:token']).toMatchObject({ secret: true, value: undefined });
  expect(notices).toEqual([]);
  const [shown] = await inStack(ports, (stack) => stackHistory(stack, { showSecrets: true }));
  expect(shown?.config['refreshed:token']?.value).toBe('hush');
  expect(notices).toEqual([{ t: 'secrets-shown' }]);

  const file = path.join(ports.cwd, 'Cairn.dev.yaml');
  expect(await refreshConfig(ports, {})).toEqual({ file, kind: 'update' });
  expect(notices.at(-1)).toEqual({ t: 'stack-file-kept', file: `${file}.bak` });
  expect(readFileSync(`${file}.bak`, 'utf8')).toContain('us');
  expect((await configValue(await open(), 'region')).value).toBe('eu');
});
