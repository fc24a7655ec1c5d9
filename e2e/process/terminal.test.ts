import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { onScreen } from '../support/screen.js';
import { KEYS, whyNoTerminals } from '../support/terminal.js';
import { until } from '../support/until.js';

const why = whyNoTerminals();

/** Waits for the file that `HOLD` names, if it names one. */
const HELD = 'until test -z "$HOLD" || test -e "$HOLD"; do sleep 0.1; done';

/** Sixty resources with long and wide names; `PHASE` changes some, `FAIL` makes three fail, each takes `SLEEP`. */
const PROGRAM = `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
import { ComponentResource } from '@cairn/sdk';
const { PHASE = '1', FAIL = '', SLEEP = '0' } = process.env;
const lines = (changed: boolean): string =>
  Array.from({ length: 40 }, (_, at) => 'line ' + at + (changed && at === 30 ? ' changed' : '')).join('\\n');
for (let site = 0; site < 5; site++) {
  const parent = new ComponentResource('shop:web:Site', 'site-' + site, {});
  for (let page = 0; page < 11; page++) {
    const name = page === 3 ? 'assets-of-the-marketing-department-with-a-very-long-name-' + site + '-production-eu-central-1'
      : page === 4 ? '東京のウェブサイト資産-' + site + '-設定ファイル' : 'page-' + site + '-' + page;
    const fails = FAIL !== '' && page === 1 && site % 2 === 0;
    const command = fails ? 'echo "cannot reach the host: connection refused" >&2; exit 3' : '${HELD}; sleep ' + SLEEP;
    if (page < 3) new LocalCommand(name, { create: command, update: command, environment: { PHASE: page === 1 ? PHASE : '' } }, { parent });
    else new LocalFile(name, { path: name + '.txt', content: page === 5 ? lines(PHASE === '2') : page === 6 ? JSON.stringify({ replicas: PHASE, image: 'web' }) : 'x' }, { parent });
  }
}
new LocalFile('looked-up', {} as never, { id: 'index.ts' });
export const phase = PHASE;
`;

(why === undefined ? describe : describe.skip)(
  `what is on the screen${why === undefined ? '' : ` (${why})`}`,
  () => {
    let box: Sandbox;
    beforeAll(async () => {
      box = sandbox({ 'index.ts': PROGRAM });
      giveStack(box);
    });
    afterAll(() => box.remove());

    test('while it runs and narrowed in the middle: a tree, how far it is, and no remains [CLI-7]', async () => {
      const go = path.join(box.state, 'go');
      const env = { SLEEP: '0.2', HOLD: go };
      const up = onScreen(box, ['up', '-f', '--yes'], { columns: 80, rows: 24, env });
      await up.shown(/\d+ running, longest creating page-/);
      const before = await up.lines();
      expect(before.at(-1)).toMatch(/^ {4}\d+ done · \d+ more rows · /);
      up.resize(60, 20);
      const seen = up.raw().length;
      await until(() =>
        up
          .raw()
          .slice(seen + 400)
          .includes('longest'),
      );
      const narrow = await up.lines();
      expect(narrow.filter((line) => line.includes('Status'))).toHaveLength(1);
      expect(narrow.filter((line) => line.includes(' running, longest'))).toHaveLength(1);
      writeFileSync(go, '');
      expect((await up.finished).code).toBe(0);
      const all = await up.lines(true);
      // From the last header on every resource has a line, and no picture from before the end follows.
      const end = all.slice(all.findLastIndex((line) => line.includes('Status')));
      for (let site = 0; site < 5; site++)
        expect(end.filter((line) => line.includes(`page-${site}-9 `))).toHaveLength(1);
      expect(end.join('\n')).toMatch(/61 created/);
      expect(end.join('\n')).not.toContain('running, longest');
      expect(up.raw()).toContain('\u001b[?25h');
    });

    test.each([
      [80, 24],
      [100, 30],
    ])(
      'a preview at %ix%i: only what changes, with its reason, and names that differ',
      async (columns, rows) => {
        const preview = onScreen(box, ['preview'], { columns, rows, env: { PHASE: '2', SLEEP: '0.2' } });
        expect((await preview.finished).code).toBe(0);
        const all = await preview.lines(true);
        const changed = all.filter((line) => line.startsWith(' ~  '));
        expect(changed).toHaveLength(15);
        expect(new Set(changed.map((line) => line.split(/\s{2,}/)[2])).size).toBe(15);
        expect(all.join('\n')).toMatch(/environment\.PHASE changed/);
        expect(all.join('\n')).toMatch(/Outputs:\n +~ phase: "1" => "2"/);
        expect(all.join('\n')).not.toMatch(/it is new|default/);
      },
    );

    test.each<[string, readonly string[], RegExp]>([
      ['what is read', ['--show-reads'], /^ > {2}cairn-local:index:File .*looked-up +read$/m],
      [
        'URNs, whole at the end',
        ['--urns'],
        /^ ~ {2}[├└]─ urn:pulumi:dev::shop::shop:web:Site\$cairn-local:index:Command::page-0-1\n {4}[│ ] +update {2}environment\.PHASE changed$/m,
      ],
    ])('a preview with %s is drawn while it goes on, as others are', async (_title, flags, rows) => {
      const preview = onScreen(box, ['preview', ...flags], {
        columns: 80,
        rows: 24,
        env: { PHASE: '2', SLEEP: '0.2' },
      });
      expect((await preview.finished).code).toBe(0);
      expect(preview.raw()).toContain('\u001b[?25l');
      expect((await preview.written()).join('\n')).toMatch(rows);
    });

    test('details show each resource once, texts by lines and by structure', async () => {
      const up = onScreen(box, ['up'], { columns: 100, rows: 30, env: { PHASE: '2', SLEEP: '0.2' } });
      await up.shown('perform this update');
      up.type(KEYS.down);
      await up.shown('every changed property');
      up.type(KEYS.enter);
      await up.shown(/replicas: "1" => "2"[^]*perform this update/);
      up.type(KEYS.enter);
      await up.finished;
      const all = (await up.lines(true)).join('\n');
      const details = all.slice(all.indexOf('details'));
      expect(details.match(/page-0-5 update/g)).toHaveLength(1);
      expect(details).toMatch(/- 31 {2}line 30\n +\+ 31 {2}line 30 changed\n/);
      expect(details).toMatch(/content: JSON\n +~ replicas: "1" => "2"/);
    });

    test('after failures the last screen says what failed, where, why, and what to do next', async () => {
      const env = { PHASE: '2', FAIL: '1', SLEEP: '0.2', GITHUB_STEP_SUMMARY: undefined };
      const words = ['up', '--yes', '--continue-on-error', '--summary', 'summary.md'];
      const up = onScreen(box, words, { columns: 80, rows: 40, env });
      expect((await up.finished).code).not.toBe(0);
      const last = (await up.lines()).join('\n');
      expect(last).toMatch(/What failed \(3\):/);
      for (const site of [0, 2, 4]) expect(last).toContain(`page-${site}-1 (cairn-local:index:Command)`);
      expect(last).toMatch(/index\.ts:14:\d+ /);
      expect(last).toContain('cannot reach the host: connection refused');
      expect(last).toMatch(/3 failed/);
      expect(last).toMatch(
        /cairn up +# once the cause is corrected\n +cairn resume \d+ .*\n +cairn rollback \d+ /,
      );
      const summary = readFileSync(path.join(box.directory, 'summary.md'), 'utf8');
      expect(summary).toMatch(/^### Updating: [^\n]+\/dev\n\n\*\*failed\*\*/);
      expect(summary).toContain('connection refused');
      expect(summary).toMatch(/```\ncairn up\ncairn resume \d+\n/);
    });

    test('an interrupt: what is waited for stands below', async () => {
      const go = path.join(box.state, 'go-on');
      const up = onScreen(box, ['up', '-f', '--yes'], {
        columns: 80,
        rows: 24,
        env: { PHASE: '3', SLEEP: '0.2', HOLD: go },
      });
      await up.shown(/running, longest updating/);
      up.type(KEYS.interrupt);
      await up.shown(/stopping, waiting for updating page-/);
      writeFileSync(go, '');
      await up.finished;
      expect((await up.lines()).join('\n')).toMatch(/cairn resume \d+ +# continue it/);
    });

    test('without UTF-8 there is nothing beyond ASCII', async () => {
      const env = { PHASE: '4', LANG: 'C', LC_ALL: 'C', SLEEP: '0.2' };
      const preview = onScreen(box, ['preview', '--target', '**page-**'], { columns: 80, rows: 24, env });
      await preview.finished;
      expect((await preview.lines(true)).join('')).toMatch(/^[\x20-\x7e]*$/);
    });
  },
);

test('in a CI job of GitHub: a group, a problem at its line, and the page of the job', async () => {
  const box = sandbox({
    'index.ts': `import { LocalCommand } from '@cairn/provider-local';\nnew LocalCommand('broken', { create: 'echo ::error::mine >&2; exit 3' });\n`,
  });
  try {
    giveStack(box);
    const page = path.join(box.home, 'page.md');
    const github = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: box.directory, GITHUB_STEP_SUMMARY: page };
    const { stdout } = await box.cairn(['up', '--yes'], { env: github });
    expect(stdout).toMatch(/^::group::Previewing update \(dev\):\n::stop-commands::/);
    expect(stdout).toMatch(/^::error file=index\.ts,line=2,col=\d+,title=CAIRN-RESOURCE-FAILED%3A broken::/m);
    expect(readFileSync(page, 'utf8').match(/^### /gm)).toHaveLength(1);
    const off = await box.cairn(['preview'], { env: { ...github, CAIRN_CI_ANNOTATIONS: '0' } });
    expect(off.stdout).not.toContain('::');
  } finally {
    box.remove();
  }
});
