import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Text of state, history and providers cannot steer a terminal, turn a line around, or end a command in an internal
 * error.
 */

const EVIL = 'a\u202eb\u001b[2Jc\u009bd\u2066';
const STEERING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
/** Beginning of the text as it is shown. */
const SHOWN = 'a\\u202eb';

const PROGRAM = `
import { log } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
const evil = ${JSON.stringify(EVIL)};
log.warn('said ' + evil);
console.log('printed ' + evil);
const made = new LocalCommand('made ' + evil, { create: 'echo hi', environment: { EVIL: evil } });
if (process.env.FAIL) new LocalCommand('fails', { create: "printf 'failed a\\\\342\\\\200\\\\256b' >&2; exit 1" });
export default async () => ({ ['key ' + evil]: 'value ' + evil, nested: { ['in ' + evil]: [evil] }, out: made.stdout });
`;

function harmless(finished: Finished): Finished {
  expect(finished.text).not.toMatch(STEERING);
  return finished;
}

test('control characters are shown in every text', async () => {
  const box = sandbox({ 'index.ts': PROGRAM });
  const shows = async (...words: string[]): Promise<void> => {
    const { text } = harmless(expectOk(await box.cairn(words)));
    expect([words.join(' '), text]).toEqual([words.join(' '), expect.stringContaining(SHOWN)]);
  };
  try {
    giveStack(box);
    expectOk(await box.cairn(['config', 'set', 'plain', `config ${EVIL}`]));
    expectOk(await box.cairn(['stack', 'tag', 'set', 'note', EVIL]));
    await shows('preview', '--diff');
    await shows('up', '--yes', '--skip-preview', '-m', `because ${EVIL}`);
    for (const words of [
      'stack',
      'stack output',
      'stack history',
      'changes',
      'tasks 1',
      'change 1',
      'config',
      'stack tag ls',
      'up --yes --diff',
    ])
      await shows(...words.split(' '));
    const failed = harmless(await box.cairn(['up', '--yes', '--skip-preview'], { env: { FAIL: '1' } }));
    expect([failed.code, failed.text]).toEqual([4, expect.stringContaining('failed a\\u202eb')]);
    const json = expectOk(await box.cairn(['stack', 'output', '--json'])).stdout;
    expect(JSON.parse(json)).toMatchObject({ [`key ${EVIL}`]: `value ${EVIL}` });
    const bare = expectOk(await box.cairn(['stack', 'output', `key ${EVIL}`])).stdout;
    expect(bare).toBe(`value ${EVIL}\n`);
  } finally {
    box.remove();
  }
});

test('times and numbers of files that are none leave every listing in order', async () => {
  const box = sandbox({ 'index.ts': `export default async () => ({ x: 1 });` });
  const edit = (file: string, change: (text: string) => string): void => {
    const whole = path.join(box.state, '.pulumi', file);
    writeFileSync(whole, change(readFileSync(whole, 'utf8')));
  };
  try {
    giveStack(box);
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    edit('stacks/shop/dev.json', (text) => text.replace(/"time": ?"[^"]*"/, '"time": "some \\u202e day"'));
    const history = path.join('history', 'shop', 'dev');
    for (const name of readdirSync(path.join(box.state, '.pulumi', history)).filter((each) =>
      each.endsWith('.history.json'),
    ))
      edit(path.join(history, name), (text) =>
        text
          .replace(/"startTime": ?\d+/, '"startTime": "some day"')
          .replace(/"endTime": ?\d+/, '"endTime": 1e300')
          .replace(/"version": ?\d+/, '"version": "x"'),
      );
    const journal = path.join('journals', 'shop', 'dev', '00000001');
    edit(path.join(journal, 'sealed.json'), (text) =>
      text.replace(/"ended": ?"[^"]*"/, '"ended": "some day"'),
    );
    expect(harmless(expectOk(await box.cairn(['stack']))).stdout).toContain('Last update: unknown');
    for (const words of [
      'stack ls',
      'stack ls --json',
      'stack history',
      'stack history --json',
      'stack history --full-dates',
      'changes',
      'changes --json',
      'changes --time abs',
    ])
      harmless(expectOk(await box.cairn(words.split(' '))));
    edit(path.join(journal, 'operation.json'), (text) =>
      text.replace(/"startTime": ?\d+/, '"startTime": 1e300'),
    );
    const { text } = harmless(await box.cairn(['changes']));
    expect(text).not.toContain('CAIRN-INTERNAL');
    expect(text).toMatch(/Damaged/);
  } finally {
    box.remove();
  }
});
