import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bucket } from '../support/bucket.js';
import type { Bucket } from '../support/bucket.js';
import type { Sandbox } from '../support/cairn.js';
import { CiJobs } from '../support/ci-jobs.js';
import type { PageRun } from '../support/page-run.js';
import { freePort } from '../support/free-port.js';
import { carryOut, removeBox, tutorialBox } from '../support/tutorial.js';

/**
 * Tutorials, carried out from the page: the test writes each file, runs each command, and compares the output with the
 * page.
 */

jest.setTimeout(300_000);

/** Files that other tools have written: `pulumi-…` by Pulumi 3.260, `terraform.tfstate` by Terraform 1.11. */
const GIVEN = path.resolve(__dirname, '..', 'given');

let box: Sandbox;
beforeEach(() => (box = tutorialBox()));
afterEach(() => removeBox(box));

test('a component', () => carryOut(box, 'component'));

describe('in a bucket', () => {
  let store: Bucket;
  beforeEach(async () => (store = await bucket()));
  afterEach(() => store.close());
  const URL = 's3://acme-stacks?region=eu-west-1';

  test("a team's stack", async () => {
    for (const machine of ['ann', 'bob']) mkdirSync(path.join(box.directory, machine));
    const machines = Object.fromEntries(
      ['ann', 'bob'].map((name) => [name, { HOME: path.join(box.home, name), ...gitAuthor(name) }]),
    );
    await carryOut(box, 'team', { [URL]: store.url }, { env: store.env, machines });
  });

  test('CI', async () => {
    let jobs: CiJobs | undefined;
    const job = async (name: string, run: PageRun): Promise<string> => {
      const secrets = { ...store.env, CAIRN_CONFIG_PASSPHRASE: 'correct horse battery staple' };
      jobs ??= new CiJobs(run, { repository: 'shop', branch: 'main', secrets });
      if (name === 'summary') return jobs.summary;
      const [, gitlab] = /^gitlab:(.*)$/.exec(name) ?? [];
      return gitlab === undefined ? jobs.github(name) : jobs.gitlab(gitlab);
    };
    await carryOut(box, 'ci', { [URL]: store.url }, { env: store.env, job });
  });
});

test('a service for a team', async () => {
  const [store, www, git] = ['states', 'www', 'git'].map((name) => path.join(box.home, name)) as [
    string,
    string,
    string,
  ];
  for (const machine of ['server', 'ann', 'bob']) mkdirSync(path.join(box.directory, machine));
  const machines = Object.fromEntries(
    ['server', 'ann', 'bob'].map((name) => [name, { HOME: path.join(box.home, name), ...gitAuthor(name) }]),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const instead = async (cwd: string, line: string): Promise<boolean> => {
    const [, words] = /^cairn (serve --.*)$/.exec(line) ?? [];
    if (words === undefined) return false;
    await box.start(words.split(' '), { cwd }).shown(`http://${address}`);
    return true;
  };
  const replaced = { '/srv/cairn': store, '/srv/www': www, '/srv/git': git, '127.0.0.1:8080': address };
  await carryOut(box, 'service', replaced, { machines, instead });
});

const gitAuthor = (name: string) => ({
  ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: `${name}@example.com` },
  ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: `${name}@example.com` },
});

test('from Pulumi', async () => {
  const bucketOfPulumi = path.join(box.home, 'stacks', '.pulumi');
  const given = (file: string): string => path.join(GIVEN, file);
  mkdirSync(path.join(bucketOfPulumi, 'stacks', 'shop'), { recursive: true });
  writeFileSync(path.join(bucketOfPulumi, 'meta.yaml'), 'version: 1\n');
  copyFileSync(given('pulumi-stack.json'), path.join(bucketOfPulumi, 'stacks', 'shop', 'dev.json'));
  mkdirSync(path.join(box.directory, 'shop'));
  copyFileSync(given('pulumi-export.json'), path.join(box.directory, 'shop', 'stack.json'));
  mkdirSync(path.join(box.home, '.pulumi'));
  const current = `file://${path.dirname(bucketOfPulumi)}`;
  writeFileSync(path.join(box.home, '.pulumi', 'credentials.json'), JSON.stringify({ current }));
  const own = `file://${path.join(box.home, 'own')}`;
  mkdirSync(path.join(box.home, 'own'));
  await carryOut(box, 'from-pulumi', { 'file:///home/ada/stacks': current, 'file:///home/ada/own': own });
});

test('from Terraform', async () => {
  const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const place = 'shop/.terraform/providers/registry.terraform.io/hashicorp/random/3.6.0';
  const folder = path.join(box.directory, place, platform);
  mkdirSync(folder, { recursive: true });
  const provider = path.resolve(__dirname, '..', 'support', 'terraform-provider-random.mjs');
  symlinkSync(provider, path.join(folder, 'terraform-provider-random_v3.6.0'));
  copyFileSync(path.join(GIVEN, 'terraform.tfstate'), path.join(box.directory, 'shop', 'terraform.tfstate'));
  await carryOut(box, 'from-terraform');
});

test('writing a provider', () => carryOut(box, 'provider'));

test('recovery after a crash', () => carryOut(box, 'recovery'));
