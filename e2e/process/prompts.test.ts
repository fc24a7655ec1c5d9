import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { effectsOf } from '../support/effect.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, written } from '../support/pipes.js';
import { KEYS, onTerminal, whyNoTerminals } from '../support/terminal.js';

const why = whyNoTerminals();
const NARROW = 60;

/** One file, and a command that is killed in the middle while `go.txt` is not there. */
const source = (content: string): string => `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const index = new LocalFile('index', { path: 'index.txt', content: ${JSON.stringify(content)} });
new LocalCommand('slow', { create: 'test -e go.txt || { echo ready > ready.pipe; exec cat never.pipe; }; echo slow >> done.txt', delete: 'rm -f done.txt' }, { dependsOn: [index] });
`;

(why === undefined ? describe : describe.skip)(
  `questions on a terminal${why === undefined ? '' : ` (${why})`}`,
  () => {
    let box: Sandbox;
    const file = (name: string): string => path.join(box.directory, name);
    const screens: string[] = [];

    beforeAll(async () => {
      box = sandbox({ 'index.ts': source('one') });
      box.write('go.txt', '');
      giveStack(box);
    });
    const boxes: Sandbox[] = [];
    afterAll(() => [box, ...boxes].forEach((each) => each.remove()));

    test('update: no is the default and changes nothing; details show every property and ask again; yes does it [CLI-3] [CLI-11]', async () => {
      const refused = onTerminal(box, ['up']);
      await refused.shown('Do you want to perform this update?');
      refused.type(KEYS.enter);
      expect(await refused.finished).toMatchObject({
        code: 8,
        screen: expect.stringContaining('nothing was changed'),
      });
      expect(existsSync(file('index.txt'))).toBe(false);

      const up = onTerminal(box, ['up'], { columns: NARROW });
      await up.shown('Do you want to perform this update?');
      up.type(KEYS.down);
      await up.shown('every changed property');
      up.type(KEYS.enter);
      await up.shown(/content: "one"[^]*perform this update/);
      up.type(KEYS.up);
      await up.shown(/● yes/);
      up.type(KEYS.enter);
      const { code, screen } = await up.finished;
      screens.push(up.raw());
      expect([code, readFileSync(file('index.txt'), 'utf8')]).toEqual([0, 'one']);
      expect(screen).toMatch(/3 created/);
    });

    test('an update with nothing to do ends without a question; a terminal of 0 columns has those of COLUMNS', async () => {
      box.write('index.ts', `// A line more, and nothing else.\n${source('one')}`);
      const up = onTerminal(box, ['up'], { columns: 0, env: { COLUMNS: '50' } });
      const { code, screen } = await up.finished;
      expect([code, screen]).toEqual([
        0,
        expect.stringContaining('Nothing to do: everything is as the program'),
      ]);
      expect(screen).not.toContain('Do you want');
      const [display = ''] = screen.split('Nothing to do');
      expect(display.split('\n').filter((line) => line.trimEnd().length > 50)).toEqual([]);
    });

    test('rollback: what it will do is shown before the question', async () => {
      const rollback = onTerminal(box, ['rollback'], { columns: NARROW });
      await rollback.shown(/Previewing rollback[^]*undo: delete[^]*Do you want to perform this rollback\?/);
      expect(existsSync(file('index.txt'))).toBe(true);
      rollback.type(KEYS.up);
      await rollback.shown(/● yes/);
      rollback.type(KEYS.enter);
      const { code, screen } = await rollback.finished;
      screens.push(rollback.raw());
      expect([code, existsSync(file('index.txt'))]).toEqual([0, false]);
      expect(screen).toMatch(/slow +undone: deleted/);
    });

    test('a destroy with nothing to destroy asks nothing, and names what removes the stack', async () => {
      const destroy = onTerminal(box, ['destroy']);
      const { code, screen } = await destroy.finished;
      expect([code, screen]).toEqual([0, expect.stringContaining('Nothing to do: there is no resource')]);
      expect(screen).toContain('`cairn stack rm dev` removes it.');
    });

    describe('an update that was killed in the middle of a create', () => {
      beforeAll(async () => {
        box.write('never.txt', '');
        makePipes(box, 'ready.pipe', 'never.pipe');
        giveStack(box, 'torn');
        box.write('index.ts', source('two').replace('go.txt', 'torn.txt'));
        const running = box.start(['up', '--yes', '--skip-preview', '--stack', 'torn']);
        await written(box, 'ready.pipe', running);
        running.process.kill('SIGKILL');
        await running.finished;
      });

      test('leaving it leaves it in doubt; an interrupt leaves everything as it is', async () => {
        const interrupted = onTerminal(box, ['up', '--stack', 'torn']);
        await interrupted.shown('What do you want to do?');
        interrupted.type(KEYS.interrupt);
        expect((await interrupted.finished).code).toBe(8);
        const left = onTerminal(box, ['resume', '--stack', 'torn']);
        await left.shown('Was slow created?');
        left.type(KEYS.enter);
        expect((await left.finished).code).toBe(10);
      });

      test('one that was made is taken over with the id that is typed, after the choice to resume', async () => {
        const up = onTerminal(box, ['up', '--stack', 'torn'], { columns: NARROW });
        await up.shown('What do you want to do?');
        for (const choice of ['start over', 'roll back', 'resume']) {
          up.type(KEYS.up);
          await up.shown(`● ${choice}`);
        }
        up.type(KEYS.enter);
        await up.shown('Was slow created?');
        for (const choice of ['not created', 'created']) {
          up.type(KEYS.up);
          await up.shown(`● ${choice}`);
        }
        up.type(KEYS.enter);
        await up.shown('Id of slow');
        up.type(`by-hand${KEYS.enter}`);
        await up.shown('File with the outputs of slow');
        box.write('slow.json', '{ "stdout": "", "stderr": "" }');
        up.type(`slow.json${KEYS.enter}`);
        const { code } = await up.finished;
        screens.push(up.raw());
        expect([code, existsSync(file('done.txt'))]).toEqual([0, false]);
        expect(expectOk(await box.cairn(['stack', 'export', '--stack', 'torn'])).stdout).toContain(
          '"by-hand"',
        );
      });
    });

    test('several creates in doubt are one question, and each is asked about when that is the answer', async () => {
      const torn = sandbox({
        'index.ts': `
import { LocalCommand } from '@cairn/provider-local';
for (const name of ['a', 'b']) new LocalCommand(name, { create: 'exec sh create.sh ' + name });
`,
        'create.sh': `test -e go.txt || {
  echo "$1" >> begun.txt
  test $(wc -l < begun.txt) -lt 2 || echo ready > ready.pipe
  exec cat never.pipe
}
echo "create $1" >> effects.log
`,
      });
      boxes.push(torn);
      makePipes(torn, 'ready.pipe', 'never.pipe');
      giveStack(torn);
      const running = torn.start(['up', '--yes', '--skip-preview', '--parallel', '2']);
      await written(torn, 'ready.pipe', running);
      running.process.kill('SIGKILL');
      await running.finished;
      torn.write('go.txt', '');

      const each = onTerminal(torn, ['resume']);
      await each.shown(/Were these 2 created: [ab], [ab]\?/);
      each.type(KEYS.up);
      await each.shown('● each');
      each.type(KEYS.enter);
      await each.shown(/Was [ab] created\?/);
      each.type(KEYS.enter);
      await each.shown(/Was [ab] created\?[^]*Was [ab] created\?/);
      each.type(KEYS.enter);
      const left = await each.finished;
      expect([left.code, left.screen.match(/it is unknown whether creating "a"/g)]).toEqual([
        10,
        [expect.anything()],
      ]);
      expect(left.screen).not.toMatch(/\ba waits:/);

      const none = onTerminal(torn, ['resume']);
      await none.shown('Were these 2 created');
      for (const choice of ['each', 'none created']) {
        none.type(KEYS.up);
        await none.shown(`● ${choice}`);
      }
      none.type(KEYS.enter);
      expect((await none.finished).code).toBe(0);
      expect(effectsOf(torn).toSorted()).toEqual(['create a', 'create b']);
    });

    test('a stack is selected from a list, and removed by typing its name', async () => {
      const select = onTerminal(box, ['stack', 'select']);
      await select.shown(/● dev[^]*○ torn/);
      select.type(KEYS.down);
      await select.shown('● torn');
      select.type(KEYS.enter);
      expect((await select.finished).code).toBe(0);
      expect(expectOk(await box.cairn(['stack', 'ls', '--json'])).stdout).toMatch(
        /"name": "torn",\s+"current": true/,
      );

      const wrong = onTerminal(box, ['stack', 'rm', 'dev']);
      await wrong.shown('Type its name');
      wrong.type(`deb${KEYS.enter}`);
      expect(await wrong.finished).toMatchObject({
        code: 8,
        screen: expect.stringContaining('the stack was not removed'),
      });
      const right = onTerminal(box, ['stack', 'rm', 'dev'], { columns: NARROW });
      await right.shown('Type its name');
      right.type(`dev${KEYS.enter}`);
      expect((await right.finished).code).toBe(0);
      screens.push(right.raw());
      expect(expectOk(await box.cairn(['stack', 'ls'])).stdout).not.toMatch(/\bdev\b/);
    });

    test('a passphrase is asked for twice when it is new, never shown, and asked for before anything else is', async () => {
      const asked = { env: { CAIRN_CONFIG_PASSPHRASE: undefined }, columns: NARROW };
      const init = onTerminal(box, ['stack', 'init', 'sealed'], asked);
      await init.shown('Enter your passphrase to protect');
      init.type(`opensesame${KEYS.enter}`);
      await init.shown('Re-enter');
      init.type(`opensesame${KEYS.enter}`);
      expect((await init.finished).code).toBe(0);

      const preview = onTerminal(box, ['preview', '--stack', 'sealed'], asked);
      await preview.shown('Enter your passphrase to unlock');
      preview.type(`opensesame${KEYS.enter}`);
      const { code, screen } = await preview.finished;
      expect(code).toBe(0);
      expect(screen).toMatch(/passphrase to unlock[^]*▪{10}[^]*Previewing update \(sealed\)/);
      expect(screen.match(/Previewing update/g)).toHaveLength(1);
      expect(screen.indexOf('Previewing')).toBeGreaterThan(screen.lastIndexOf('▪'));
      for (const shown of [init.raw(), preview.raw()]) expect(shown).not.toContain('opensesame');
      screens.push(preview.raw());
    });

    test('without colours nothing is coloured', () => {
      expect(screens).toHaveLength(5);
      for (const screen of screens) expect(screen).not.toMatch(/\u001b\[(3[0-7]|9[0-7])m/);
    });
  },
);
