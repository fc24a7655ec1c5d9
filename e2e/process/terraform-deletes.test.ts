import type { Sandbox } from '../support/cairn.js';
import { Shop, shopProject } from '../support/terraform-shop.js';
import { until } from '../support/until.js';

/** Deletes of objects of a Terraform provider that fail half-way: what it reports as left counts from then on. */

const UP = ['up', '--yes', '--skip-preview'];
const BOX = "const one = new Box('one', { name: 'a', size: 1 });\n";
const LID = "new Lid('lid', { boxId: one.id, title: 'whole', weight: 4 });\n";
const SAID = { summary: 'Stuck', detail: 'Only half of it came off.' };
/** The rest of the lid, and how the provider finds it again. */
const HALF = {
  newState: { id: 'boxes_lid-1', box_id: 'boxes_box-1', title: 'half', weight: 2 },
  private: 'way back',
};

/** The answer to every delete of a lid; its other changes are as they should be. */
const half = (diagnostics: readonly object[] = [SAID]) => ({
  call: 'applyResourceChange',
  type: 'boxes_lid',
  answer: { ...HALF, diagnostics },
});

let box: Sandbox;
beforeAll(async () => {
  box = await shopProject();
});
afterAll(() => box.remove());

/** A stack with a box and a lid. */
async function shopOf(name: string): Promise<Shop> {
  const shop = Shop.open(box, name);
  await shop.runs(BOX + LID).ok(...UP);
  return shop;
}

/** Returns the lid in the state: what programs see, and the object in the form that its provider receives. */
async function kept(shop: Shop) {
  const { lid } = await shop.entries();
  const { __terraform: stored, ...outputs } = lid?.outputs ?? {};
  // An object with private bytes is a secret.
  const text = JSON.parse((stored as { readonly plaintext: string }).plaintext) as string;
  const { attributes, private: bytes = '' } = JSON.parse(text) as {
    readonly attributes: object;
    readonly private?: string;
  };
  return { outputs, attributes, private: Buffer.from(bytes, 'base64').toString() };
}

const LEFT = {
  outputs: { id: 'boxes_lid-1', boxId: 'boxes_box-1', title: 'half', weight: 2 },
  attributes: HALF.newState,
  private: HALF.private,
};

/** Returns what the provider received when it was last asked to delete the lid, in the plan and in the apply. */
const toldLast = (shop: Shop) => {
  const last = (call: string, part: string) => {
    const all = shop.asked(call).filter(({ request }) => request['typeName'] === 'boxes_lid');
    const { request = {} } = all.at(-1) ?? {};
    return { priorState: request['priorState'], bytes: request[part] };
  };
  return {
    plan: last('planResourceChange', 'priorPrivate'),
    apply: last('applyResourceChange', 'plannedPrivate'),
  };
};
const FROM_HALF = { priorState: HALF.newState, bytes: HALF.private };

test.each([['up'], ['destroy']] as const)(
  'of an object that the program dropped: the state has what is left, with the private bytes, and the next %s goes on from there [TFB-7] [TFC-26] [DEL-1]',
  async (next) => {
    const shop = await shopOf(`half-${next}`);
    const failed = await shop
      .runs(BOX)
      .misbehaves(half())
      .run(...UP);
    expect(failed.code).not.toBe(0);
    expect(failed.text).toContain('Stuck: Only half of it came off.');
    expect(failed.text).not.toContain('in doubt');
    expect(await kept(shop)).toEqual(LEFT);
    expect((await shop.ok('preview')).stdout).toContain('1 to delete');

    await shop.behaves().ok(next, '--yes', '--skip-preview');
    expect(toldLast(shop)).toEqual({ plan: FROM_HALF, apply: FROM_HALF });
    expect(await shop.entries()).not.toHaveProperty('lid');
    const ends = shop.effects().filter((effect) => effect.startsWith('delete'));
    expect(ends).toEqual(
      next === 'up' ? ['delete boxes_lid-1'] : ['delete boxes_lid-1', 'delete boxes_box-1'],
    );
  },
);

test('of an update that is rolled back: what was changed is changed back; what is left stays, and can be made whole', async () => {
  const shop = await shopOf('taken-back');
  const failed = await shop
    .runs(BOX.replace('size: 1', 'size: 2'))
    .misbehaves(half())
    .run(...UP);
  expect(failed.code).not.toBe(0);
  await shop.behaves().ok('rollback', '--yes');
  expect(await kept(shop)).toEqual(LEFT);
  expect((await shop.entries())['one']?.outputs).toMatchObject({ size: 1 });

  await shop.runs(BOX + LID).ok(...UP);
  expect(toldLast(shop)).toEqual({ plan: FROM_HALF, apply: FROM_HALF });
  expect((await shop.entries())['lid']?.outputs).toMatchObject({ title: 'whole', weight: 4 });
  expect(shop.effects().slice(2)).toEqual(['update boxes_box-1', 'update boxes_box-1', 'update boxes_lid-1']);
  await shop.ok('preview', '--expect-no-changes');
});

test('in a rollback: it is not finished, the state has what is left, and a second rollback goes on from there', async () => {
  const shop = Shop.open(box, 'rollback');
  const two = "new Box('two', { name: 'b' }, { dependsOn: [lid] });\n";
  const refused = { diagnostics: [{ summary: 'No room' }] };
  // The first box is made, and so is the lid.
  shop
    .runs(`${BOX}const lid = ${LID}${two}`)
    .misbehaves(
      { call: 'applyResourceChange', type: 'boxes_box', skip: 1, answer: refused },
      { ...half(), skip: 1 },
    );
  const failed = await shop.run(...UP, '--on-error', 'rollback');
  expect(failed.code).not.toBe(0);
  expect(failed.code).not.toBe(11);
  expect(failed.text).toContain('Stuck: Only half of it came off.');
  expect(failed.text).toContain('CAIRN-ROLLBACK-HELD');
  expect(await kept(shop)).toEqual(LEFT);

  await shop.behaves().ok('rollback', '--yes');
  expect(toldLast(shop)).toEqual({ plan: FROM_HALF, apply: FROM_HALF });
  expect(await shop.entries()).toEqual({});
  expect(shop.effects().slice(2)).toEqual(['delete boxes_lid-1', 'delete boxes_box-1']);
});

/** An up that is killed in the delete of the lid, before the delete has had its effect or after that. */
async function killed(shop: Shop, when: 'before' | 'after'): Promise<Shop> {
  const hangs = { call: 'applyResourceChange', type: 'boxes_lid', fault: 'hang', when };
  const running = shop
    .runs(BOX)
    .misbehaves(hangs)
    .start(...UP);
  const reached =
    when === 'before' ? () => shop.asked('applyResourceChange').length : () => shop.effects().length;
  await until(() => reached() === 3);
  running.process.kill('SIGKILL');
  await running.finished;
  return shop.behaves();
}

test('that is made again after a kill: the state has what is left, and nothing is in doubt any more', async () => {
  const shop = await killed(await shopOf('again'), 'before');
  const again = await shop.misbehaves(half()).run('resume', '--yes');
  expect(again.code).not.toBe(0);
  expect(again.text).toContain('Stuck: Only half of it came off.');
  expect(again.text).not.toContain('in doubt:');
  expect(await kept(shop)).toEqual(LEFT);

  await shop.behaves().ok(...UP);
  expect(toldLast(shop)).toEqual({ plan: FROM_HALF, apply: FROM_HALF });
  expect(shop.effects().slice(2)).toEqual(['delete boxes_lid-1']);
});

test.each([
  ['resume', 'before', ['delete boxes_lid-1']],
  ['resume', 'after', ['delete boxes_lid-1']],
  ['rollback', 'before', []],
  ['rollback', 'after', ['delete boxes_lid-1', 'create boxes_lid-2']],
] as const)('%s after a kill %s the effect makes each effect once', async (next, when, effects) => {
  const shop = await killed(await shopOf(`${next}-${when}`), when);
  await shop.ok(next, '--yes');
  expect(shop.effects().slice(2)).toEqual(effects);
  expect(Object.keys(await shop.entries()).includes('lid')).toBe(next === 'rollback');
  if (next === 'rollback') shop.runs(BOX + LID);
  await shop.ok('preview', '--expect-no-changes');
});
