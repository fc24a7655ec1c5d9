import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliBox } from './cli-box.js';
import type { CliBox } from './cli-box.js';

/** Stacks without any operation yet: older versions of the other tool wrote no secrets provider at `stack init`. */
const EMPTY = {
  'no deployment': { version: 0, checkpoint: { stack: 'organization/shop/dev' } },
  'an empty deployment': {
    version: 3,
    checkpoint: {
      stack: 'organization/shop/dev',
      latest: { manifest: { time: '2024-01-01T00:00:00Z', magic: '', version: '' }, metadata: {} },
    },
  },
} as const;

describe.each(Object.entries(EMPTY))('a stack with %s, which names no secrets provider', (_title, state) => {
  let box: CliBox;
  afterEach(() => box.remove());

  test('names the one of its file before anything is sealed with it [JRN-2]', async () => {
    box = cliBox();
    const stacks = path.join(box.directory, '..', 'state', '.pulumi', 'stacks', 'shop');
    mkdirSync(stacks, { recursive: true });
    writeFileSync(path.join(stacks, '../../meta.yaml'), 'version: 1\n');
    writeFileSync(path.join(stacks, 'dev.json'), JSON.stringify(state));
    await box.ok(['refresh', '--yes', '--skip-preview', '--stack', 'dev']);
    const stored = JSON.parse(readFileSync(path.join(stacks, 'dev.json'), 'utf8')) as {
      checkpoint: { latest: { secrets_providers?: { type: string } } };
    };
    expect(stored.checkpoint.latest.secrets_providers?.type).toBe('passphrase');
    await box.ok(['refresh', '--yes', '--skip-preview', '--stack', 'dev']);
    const { stdout } = await box.ok(['changes', '--stack', 'dev']);
    expect(stdout.match(/secrets provider of the stack file/g)).toHaveLength(1);
  });
});
