import { writeFileSync } from 'node:fs';
import { apart } from '../support/apart.js';
import type { Sandbox } from '../support/cairn.js';
import { expectOk } from '../support/cairn.js';
import { runningOf, untilNoProcess } from '../support/processes.js';
import { KEYS, onTerminal, whyNoTerminals } from '../support/terminal.js';
import { Shop, shopProject } from '../support/terraform-shop.js';
import { until } from '../support/until.js';

/** A Terraform provider, in its own process, below a command at a terminal that is interrupted, declined or killed. */

const UP = ['up', '--yes', '--skip-preview'];
const QUESTION = 'Do you want to perform this update?';
const NAMED = "name: 'a', size: 1";
const CHANGED = "name: 'a', size: 2";
const APPLY = 'applyResourceChange';
const PLAN = 'planResourceChange';

const why = whyNoTerminals();
const onTerminals = why === undefined ? describe : describe.skip;

onTerminals(`at a terminal${why === undefined ? '' : ` (${why})`}`, () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = await shopProject();
  });
  afterAll(() => box.remove());

  /** Makes a stack with a box, which the program makes larger. */
  async function shopOf(name: string): Promise<Shop> {
    const shop = Shop.open(box, name);
    await shop.sells(NAMED).ok(...UP);
    return shop.sells(CHANGED);
  }

  const exported = async (shop: Shop): Promise<string> =>
    expectOk(await box.cairn(['stack', 'export', '--stack', shop.stack])).stdout;

  const terminal = (shop: Shop) => onTerminal(box, ['up', '--stack', shop.stack], { env: shop.env });

  const pidOf = (what: RegExp): readonly number[] =>
    runningOf(box)
      .filter(({ words }) => what.test(words))
      .map(({ pid }) => pid);
  const providers = () => pidOf(/terraform-provider-boxes/);

  /** Kills the command, and nothing that it has started. */
  function killCommand(): void {
    const [command, ...others] = pidOf(/^\S*node\S* \S*cairn\.cjs up /);
    expect([command, others]).toEqual([expect.any(Number), []]);
    process.kill(command as number, 'SIGKILL');
  }

  test.each([
    ['interrupt', KEYS.interrupt],
    ['no', KEYS.enter],
    ['SIGKILL', undefined],
  ])(
    'the question is answered by %s: no process is left, nothing was done, and the next up does it once',
    async (name, key) => {
      const shop = await shopOf(`question-${name.toLowerCase()}`);
      const before = await exported(shop);
      const up = terminal(shop);
      await up.shown(QUESTION);
      // The run would have the process of the preview.
      expect(providers()).toHaveLength(1);
      if (key === undefined) killCommand();
      else up.type(key);
      expect((await up.finished).code).not.toBe(0);
      expect(await untilNoProcess(box)).toEqual([]);
      expect(await exported(shop)).toBe(before);
      expect(shop.effects()).toEqual(['create boxes_box-1']);

      await shop.ok('up', '--yes');
      expect(shop.effects()).toEqual(['create boxes_box-1', 'update boxes_box-1']);
      await shop.ok('preview', '--expect-no-changes');
    },
  );

  test.each(['interrupt', 'SIGKILL'] as const)(
    '%s during a plan of the preview: no process is left, and nothing was done',
    async (how) => {
      const shop = await shopOf(`preview-${how.toLowerCase()}`);
      const before = await exported(shop);
      const plans = shop.asked(PLAN).length;
      const up = terminal(shop.misbehaves({ call: PLAN, awaits: shop.file('go') }));
      await until(() => shop.asked(PLAN).length > plans);
      expect(providers()).toHaveLength(1);
      if (how === 'SIGKILL') killCommand();
      else {
        up.type(KEYS.interrupt);
        await up.shown(/./);
        writeFileSync(shop.file('go'), '');
      }
      expect((await up.finished).code).not.toBe(0);
      expect(await untilNoProcess(box)).toEqual([]);
      expect(await exported(shop)).toBe(before);

      await shop.behaves().ok(...UP);
      expect(shop.effects()).toEqual(['create boxes_box-1', 'update boxes_box-1']);
    },
  );

  test.each([
    ['once: the call is waited for', 1],
    ['twice: the provider is asked to give up, and what it answers counts', 2],
  ])('^C during an apply, %s; a resume does the rest', async (_title, times) => {
    const shop = Shop.open(box, `interrupted-${times}`);
    shop.sells(NAMED, "new Lid('lid', { boxId: one.id });");
    const up = terminal(shop.misbehaves({ call: APPLY, type: 'boxes_box', awaits: shop.file('go') }));
    await up.shown(QUESTION);
    up.type(`${KEYS.up}${KEYS.enter}`);
    await until(() => shop.asked(APPLY).length === 1);
    up.type(KEYS.interrupt);
    await up.shown(/waiting for running ones: create one/);
    if (times === 2) {
      await apart();
      up.type(KEYS.interrupt);
      await up.shown(/asking the providers to end create one/);
      await until(() => shop.asked('stopProvider').length > 0);
    }
    expect([shop.effects(), providers().length]).toEqual([[], 1]);
    writeFileSync(shop.file('go'), '');
    const { code, screen } = await up.finished;
    expect(code).toBe(8);
    expect(screen).not.toContain('in doubt:');
    expect(shop.asked('stopProvider')).toHaveLength(times - 1);
    expect(await untilNoProcess(box)).toEqual([]);
    expect(shop.effects()).toEqual(['create boxes_box-1']);

    await shop.behaves().ok('resume', '--yes');
    expect(shop.effects()).toEqual(['create boxes_box-1', 'create boxes_lid-1']);
    await shop.ok('preview', '--expect-no-changes');
  });

  test.each([
    ['before', 'resume'],
    ['after', 'resume'],
    ['after', 'up'],
  ])(
    'SIGKILL %s the effect of an apply: no process is left, and %s finds out and makes each effect once',
    async (when, next) => {
      const shop = await shopOf(`apply-${when}-${next}`);
      const up = terminal(shop.misbehaves({ call: APPLY, fault: 'hang', when }));
      await up.shown(QUESTION);
      up.type(`${KEYS.up}${KEYS.enter}`);
      const reached = when === 'before' ? () => shop.asked(APPLY).length : () => shop.effects().length;
      await until(() => reached() === 2);
      expect(providers()).toHaveLength(1);
      killCommand();
      await up.finished;
      expect(await untilNoProcess(box)).toEqual([]);

      await shop.behaves().ok(next, '--yes');
      expect(shop.effects()).toEqual(['create boxes_box-1', 'update boxes_box-1']);
      await shop.ok('preview', '--expect-no-changes');
    },
  );
});
