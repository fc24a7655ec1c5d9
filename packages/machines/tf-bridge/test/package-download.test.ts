import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createBridge } from '../src/index.js';

let box: string;

beforeEach(async () => {
  box = await realpath(await mkdtemp(path.join(tmpdir(), 'package-')));
});

afterEach(() => rm(box, { recursive: true, force: true }));

test.each([
  ['is not asked', [], []],
  ['is asked', ['--download'], ['https://registry.opentofu.org/.well-known/terraform.json']],
])('the registry %s where a package is added with %j [TFB-1]', async (_, options, expected) => {
  const asked: string[] = [];
  const bridge = createBridge({
    cwd: box,
    env: { HOME: box },
    fetch: async (url) => {
      asked.push(url);
      return new Response('', { status: 404 });
    },
  });
  await bridge.handshake({ engineAddress: '' });
  const parameters = { kind: 'args', args: ['acme/thing', '1.0.0', ...options] } as const;
  await expect(bridge.parameterize({ parameters })).rejects.toThrow(/cannot find the Terraform provider/);
  expect(asked).toEqual(expected);
});
