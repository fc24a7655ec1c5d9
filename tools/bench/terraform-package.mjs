#!/usr/bin/env node
// A Terraform provider of 1,000 resource types as a package: from its schema to the files of the typed package,
// processor time of this process. `node tools/bench/terraform-package.mjs [TYPES]`; needs a build of tf-bridge,
// codegen and testkit.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatePackage, readSchema } from '../../packages/machines/codegen/dist/index.js';
import {
  packageSchema,
  providerModel,
  startProvider,
  TerraformClient,
} from '../../packages/machines/tf-bridge/dist/index.js';

const types = Number(process.argv[2] ?? 1000);
const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(path.join(tmpdir(), 'cairn-bench-'));
const script = path.join(work, 'script.json');
writeFileSync(script, JSON.stringify({ padding: { types, bytes: types * 4000, prefix: 'scripted' } }));

let last = 0;
function took(what, more = '') {
  const { user, system } = process.cpuUsage();
  const now = (user + system) / 1000;
  process.stdout.write(`${what.padEnd(34)} ${String(Math.round(now - last)).padStart(6)} ms ${more}\n`);
  last = now;
}

const running = await startProvider({
  name: 'scripted',
  executable: path.join(root, 'packages/testing/testkit/bin/terraform-provider-scripted'),
  cwd: work,
  env: { ...process.env, TERRAFORM_SCRIPT: script },
  onLog: () => {},
});
took('started');
try {
  const { protocolVersion, caller } = running;
  const client = await TerraformClient.connect({ name: 'scripted', protocolVersion, caller });
  took('schema asked for');
  const model = providerModel(client.schema, { name: 'scripted', version: '1.0.0' });
  took('names of resources and functions');
  const base = { name: 'terraform-provider', version: '0.1.0' };
  const text = packageSchema(model, { base, parameter: Buffer.from('{}'), source: 'scripted' });
  took('names of properties, package schema', `${(text.length / 1e6).toFixed(1)} MB`);
  const { model: read } = readSchema(text);
  took('package schema read');
  const files = [...generatePackage(read, { sdkVersion: '0.1.0' })];
  took('typed package', `${files.length} files`);
} finally {
  await running.stop();
  rmSync(work, { recursive: true, force: true });
}
