import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { makePipes, release, written } from '../support/pipes.js';
import { TerraformFolder, expectDone, hosts } from '../support/terraform.js';
import type { Host } from '../support/terraform.js';

/** The state service as the `http` backend of a real Terraform. */

jest.setTimeout(300_000);

const why = process.platform === 'win32' ? 'needs pipes' : hosts.length === 0 ? 'needs terraform' : undefined;
const found: readonly Pick<Host, 'name'>[] = why === undefined ? hosts : [{ name: 'terraform' }];
const KEY = randomBytes(32).toString('base64');
const SECRET = 'planted-password';

const MAIN = `
terraform {
  backend "http" {}
}
variable "size" { default = 1 }
variable "wait" { default = "" }
resource "terraform_data" "thing" {
  input = { size = var.size, password = "${SECRET}" }
}
resource "terraform_data" "slow" {
  count = var.wait == "" ? 0 : 1
  provisioner "local-exec" { command = "echo ready > ready.pipe; exec cat \${var.wait} > gone.txt" }
}
output "size" { value = terraform_data.thing.output.size }
`;

(why === undefined ? describe : describe.skip).each(found)(
  `$name${why === undefined ? '' : ` (skipped: ${why})`}`,
  (at) => {
    let box: Sandbox;
    let folder: TerraformFolder;
    let service: Running;
    beforeEach(() => {
      box = sandbox();
      folder = new TerraformFolder(at as Host);
      folder.write('main.tf', MAIN);
    });
    afterEach(async () => {
      service.process.kill('SIGKILL');
      await folder.remove();
      box.remove();
    });

    const store = (): string[] => ['--store', String(box.env['CAIRN_BACKEND_URL'])];

    /** Starts the service, and has Terraform use it. */
    async function serve(name: string): Promise<string> {
      service = box.start(['serve', ...store(), '--listen', '127.0.0.1:0'], {
        env: { CAIRN_SERVE_MASTER_KEY: KEY },
      });
      let line = '';
      service.process.stdout?.on('data', (chunk: string) => (line += chunk));
      await service.shown(/^http:\/\/127\.0\.0\.1:\d+\n/m);
      const address = `${line.trim()}/tf/organization/shop/${name}`;
      folder.use({
        ...{ TF_HTTP_ADDRESS: address, TF_HTTP_LOCK_ADDRESS: address, TF_HTTP_UNLOCK_ADDRESS: address },
        ...{ TF_HTTP_USERNAME: 'terraform', TF_HTTP_RETRY_WAIT_MIN: '0', TF_HTTP_RETRY_WAIT_MAX: '0' },
      });
      return address;
    }

    async function token(...words: readonly string[]): Promise<string> {
      const made = await box.cairn(['serve', 'token', 'new', ...words, ...store()]);
      return expectOk(made).stdout.trim();
    }

    async function versions(
      address: string,
      writer: string,
    ): Promise<readonly { readonly serial?: number }[]> {
      const answer = await fetch(`${address}/versions`, { headers: { authorization: `token ${writer}` } });
      return ((await answer.json()) as { versions: { serial?: number }[] }).versions;
    }

    test('init, apply, plan and destroy keep a state that is sealed and has versions', async () => {
      const address = await serve('prod');
      folder.use({ TF_HTTP_PASSWORD: 'wrong' });
      const refused = await folder.run('init');
      expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('requires auth')]);
      folder.use({ TF_HTTP_PASSWORD: await token('rita', '--role', 'reader') });
      const reader = await folder.run('init');
      expect([reader.code, reader.text]).toEqual([1, expect.stringContaining('invalid auth')]);
      const writer = await token('alice');
      folder.use({ TF_HTTP_PASSWORD: writer });
      expectDone(await folder.run('init'));
      expect(await folder.change()).toEqual({ 'terraform_data.thing': 'create' });
      expect(await folder.change('-var=size=2')).toEqual({ 'terraform_data.thing': 'update' });
      const { code, text } = await folder.run('plan', '-detailed-exitcode', '-var=size=2');
      expect([code, text]).toEqual([0, expect.stringContaining('No changes.')]);
      const pulled = await folder.run('state', 'pull');
      expect(pulled.text).toContain(SECRET);

      // An older version comes back as Terraform takes states: by its own command.
      const first = (await versions(address, writer)).length - 1;
      expect(first).toBeGreaterThan(0);
      const old = await fetch(`${address}/versions/1`, { headers: { authorization: `token ${writer}` } });
      writeFileSync(path.join(folder.directory, 'old.tfstate'), await old.text());
      expectDone(await folder.run('state', 'push', '-force', 'old.tfstate'));
      expect((await folder.objects())['terraform_data.thing']?.['input']).toMatchObject({ size: 1 });
      const serials = (await versions(address, writer)).map(({ serial }) => serial);
      expect(serials.length).toBe(first + 2);

      expectDone(await folder.run('destroy', '-auto-approve'));
      expect(await folder.objects()).toEqual({});
      expect(filesBelow(box.home)).not.toContain(SECRET);
      expect(expectOk(await box.cairn(['stack', 'ls'])).stdout).not.toContain('prod');
    });

    test('a second apply waits outside, and a lock outlives Terraform and the service until it is removed', async () => {
      await serve('dev');
      folder.use({ TF_HTTP_PASSWORD: await token('alice') });
      expectDone(await folder.run('init'));
      expectDone(await folder.run('apply', '-auto-approve'));
      makePipes(folder, 'ready.pipe', 'go.pipe');
      const slow = folder.start('apply', '-auto-approve', '-var=wait=go.pipe', '-var=size=2');
      await Promise.race([
        written(folder, 'ready.pipe'),
        slow.said.then(({ text }) => Promise.reject(new Error(text))),
      ]);
      const id = await holder(folder, 'apply', '-auto-approve', '-var=size=3');
      slow.child.kill('SIGKILL');
      release(folder, 'go.pipe');
      await slow.said;
      service.process.kill('SIGKILL');
      await service.finished;

      await serve('dev');
      expect(await holder(folder, 'plan')).toBe(id);
      expectDone(await folder.run('force-unlock', '-force', id));
      expectDone(await folder.run('apply', '-auto-approve', '-var=size=4'));
      const { code, text } = await folder.run('plan', '-detailed-exitcode', '-var=size=4');
      expect([code, text]).toEqual([0, expect.stringContaining('No changes.')]);
    });
  },
);

/** Runs a command that a lock stops, and returns the id of the lock. */
async function holder(folder: TerraformFolder, ...words: readonly string[]): Promise<string> {
  const { code, text } = await folder.run(...words);
  const id = /already locked:\s+ID=([0-9a-f-]{36})/.exec(text)?.[1];
  expect([code, id, text]).toEqual([1, expect.any(String), text]);
  return String(id);
}

/** Contents of all files below a folder. */
function filesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'latin1'))
    .join('\n');
}
