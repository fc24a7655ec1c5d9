import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bucketOf } from '@cairn/backends';
import {
  createStack,
  deleteFromState,
  editStateText,
  exportStack,
  importStack,
  markInState,
  mendState,
  moveInState,
  renameInState,
  restoreState,
  setStrandedAside,
} from '../src/stacks.js';
import type { EditReview, Notice, OpenStack } from '../src/stacks.js';
import { PART, codeOf, inStack, parts, portsOf, stackWithState } from './library-box.js';

const SECRET = '1b47061264138c4ac30d75fd1eb44270';
const KEY = '4dabf18193072939515e22adb298388d';
const urn = (project: string, name: 'site' | 'page', stack = 'dev'): string =>
  `urn:pulumi:${stack}::${project}::${name === 'site' ? PART : `${PART}$${PART}`}::${name}`;
const yes = (): Promise<boolean> => Promise.resolve(true);
const no = (): Promise<boolean> => Promise.resolve(false);

const textOf = async (stack: OpenStack): Promise<string> => [...(await exportStack(stack))].join('');

test('what is taken out is reviewed first, and kept when the review says no', async () => {
  const cwd = await stackWithState('deleting');
  const site = urn('deleting', 'site');
  const reviews: EditReview[] = [];
  await inStack(portsOf(cwd), async (stack) => {
    const refused = deleteFromState(stack, { urns: [site], dependents: true }, async (review) => {
      reviews.push(review);
      return false;
    });
    expect(await codeOf(refused)).toBe('CAIRN-CANCELLED');
    expect(await parts(cwd)).toEqual(['site', 'page']);
    expect(await codeOf(deleteFromState(stack, { urns: [site] }, yes))).toBe('CAIRN-STATE-RESOURCE');
    const changed = await deleteFromState(stack, { urns: [site], dependents: true });
    expect(changed).toEqual(reviews[0]?.edit.changed);
    expect(changed.map((entry) => [entry.what, entry.urn])).toEqual([
      ['delete', site],
      ['delete', urn('deleting', 'page')],
    ]);
  });
  expect(await parts(cwd)).toEqual([]);
});

test('of two entries with one URN the chosen one goes, and where nobody chooses it is not clear', async () => {
  const cwd = await stackWithState('copies');
  const page = urn('copies', 'page');
  await inStack(portsOf(cwd), async (stack) => {
    const { deployment } = JSON.parse(await textOf(stack)) as { deployment: { resources: object[] } };
    const [, , last] = deployment.resources;
    deployment.resources.push({ ...last, custom: true, id: 'old', delete: true });
    const document = Buffer.from(JSON.stringify({ version: 3, deployment }));
    await importStack(stack, document, { source: 'a document', force: true, skipIntegrity: true });

    expect(await codeOf(deleteFromState(stack, { urns: [page] }))).toBe('CAIRN-STATE-RESOURCE');
    const offered: string[] = [];
    const choose = (copy: number | undefined) => (_urn: string, copies: readonly string[]) => {
      offered.push(...copies);
      return Promise.resolve(copy);
    };
    expect(await codeOf(deleteFromState(stack, { urns: [page], chooseCopy: choose(undefined) }))).toBe(
      'CAIRN-CANCELLED',
    );
    await deleteFromState(stack, { urns: [page], chooseCopy: choose(1) });
    expect(offered).toHaveLength(4);
    expect(offered[1]).toContain('old');
    expect(await textOf(stack)).not.toContain('"old"');
  });
  expect(await parts(cwd)).toEqual(['site', 'page']);
});

test('marks are set and taken away, and a resource gets another name', async () => {
  const cwd = await stackWithState('marks');
  const [site, page] = [urn('marks', 'site'), urn('marks', 'page')];
  await inStack(portsOf(cwd), async (stack) => {
    await markInState(stack, { mark: 'protect', on: true, urns: [page] }, yes);
    expect(await textOf(stack)).toContain('"protect": true');
    expect(await codeOf(deleteFromState(stack, { urns: [page] }))).toBe('CAIRN-STATE-RESOURCE');
    await markInState(stack, { mark: 'protect', on: false, urns: undefined });
    expect(await textOf(stack)).not.toContain('"protect": true');
    expect(await markInState(stack, { mark: 'protect', on: false, urns: undefined })).toEqual([]);
    const [renamed] = await renameInState(stack, { urn: site, name: 'front' });
    expect(renamed?.to).toBe(site.replace(/site$/, 'front'));
    const kinds = (await stack.backend.changes(stack.id)).map(({ kind, summary }) => [kind, summary]);
    expect(kinds.slice(0, 2)).toEqual([
      ['edit', 'state rename to front'],
      ['edit', 'state unprotect'],
    ]);
  });
});

test('a state is edited as a text: what means nothing is said and can be put right, secrets are sealed', async () => {
  const cwd = await stackWithState('texts');
  const open = JSON.stringify({ [KEY]: SECRET, plaintext: '"fresh"' });
  await inStack(portsOf(cwd), async (stack) => {
    const changed = await editStateText(stack, async (text, take) => {
      expect(await codeOf(take('{'))).toBe('CAIRN-STATE-CORRUPT');
      expect(await codeOf(take(text.replace(`${PART}::site"`, `${PART}::gone"`)))).toBe(
        'CAIRN-STATE-INTEGRITY',
      );
      return take(text.replace('"url": "x"', `"url": ${open}`));
    });
    expect(changed.map(({ what }) => what)).toEqual(['alter']);
    const stored = await textOf(stack);
    expect(stored).toContain('"ciphertext"');
    expect(stored).not.toContain('fresh');
    expect(await editStateText(stack, (text, take) => take(text), {}, no)).toEqual([]);
  });
});

test('resources go to another stack', async () => {
  const cwd = await stackWithState('moving');
  await createStack(portsOf(cwd), 'prod', { select: false });
  await inStack(portsOf(cwd), async (stack) => {
    const dest = { ...stack.id, stack: 'prod' };
    const urns = [urn('moving', 'site')];
    expect(await codeOf(moveInState(stack, { dest: stack.id, urns }))).toBe('CAIRN-USAGE');
    expect(await codeOf(moveInState(stack, { dest: { ...dest, stack: 'none' }, urns }))).toBe(
      'CAIRN-STACK-NOT-FOUND',
    );
    expect(await codeOf(moveInState(stack, { dest, urns }, no))).toBe('CAIRN-CANCELLED');
    expect(await parts(cwd)).toEqual(['site', 'page']);
    expect(await moveInState(stack, { dest, urns })).toBe(2);
  });
  expect(await parts(cwd)).toEqual([]);
  const there = await inStack(portsOf(cwd), textOf, { stack: 'prod' });
  expect(there).toContain(urn('moving', 'page', 'prod'));
});

test('a state that is not consistent is mended, and kept as it was', async () => {
  const cwd = await stackWithState('mending');
  const notices: Notice[] = [];
  const ports = portsOf(cwd, { notice: (notice) => notices.push(notice) });
  await inStack(ports, async (stack) => {
    const { deployment } = JSON.parse(await textOf(stack)) as { deployment: { resources: object[] } };
    deployment.resources.reverse();
    const document = Buffer.from(JSON.stringify({ version: 3, deployment }));
    await importStack(stack, document, { source: 'a document', skipIntegrity: true });
    notices.length = 0;
    expect(await codeOf(mendState(stack, no))).toBe('CAIRN-CANCELLED');
    expect(notices).toEqual([]);
    const mended = await mendState(stack, async ({ edit }) => edit.faults.length > 0);
    expect(new Set(mended.map(({ what }) => what))).toEqual(new Set(['put in order']));
    expect(notices).toEqual([{ t: 'state-kept', place: expect.stringContaining('backups') }]);
    expect(await mendState(stack, no)).toEqual([]);
  });
});

test('a state that cannot be read is put back from a copy, when that is agreed to', async () => {
  const cwd = await stackWithState('restoring');
  const file = path.join(cwd, 'state/.pulumi/stacks/restoring/dev.json');
  await inStack(portsOf(cwd), async (stack) => {
    await markInState(stack, { mark: 'protect', on: true, urns: undefined });
    expect(await restoreState(stack, no)).toBeUndefined();
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 100));
    let resources: number | undefined;
    const refused = restoreState(stack, async ({ copy }) => {
      resources = copy.resources;
      return false;
    });
    expect(await codeOf(refused)).toBe('CAIRN-CANCELLED');
    const kept = await restoreState(stack);
    expect(kept).toBeDefined();
    expect(resources).toBe(3);
  });
  expect(await parts(cwd)).toEqual(['site', 'page']);
});

test('journals that nobody can take over are set aside when that is agreed to', async () => {
  const cwd = await stackWithState('stranded');
  await inStack(portsOf(cwd), async (stack) => {
    expect(await setStrandedAside(stack, no)).toEqual([]);
    const stranded = [{ number: 3, begun: '2030-01-01T00:00:00Z', steps: [], damage: undefined }];
    const setAside: ReturnType<typeof bucketOf>['setAside'] = async (_id, agree) =>
      (await agree(stranded)) ? stranded : [];
    const backend = { ...stack.backend, bucket: { ...bucketOf(stack.backend, 'test'), setAside } };
    expect(await codeOf(setStrandedAside({ ...stack, backend }, no))).toBe('CAIRN-CANCELLED');
    expect(await setStrandedAside({ ...stack, backend })).toEqual(stranded);
  });
});
