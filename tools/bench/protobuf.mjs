// node tools/bench/protobuf.mjs [--runs 9]
// The generated code of packages/boundary/wire on our reader and writer, and the same code on the generator's own
// runtime (@bufbuild/protobuf): time to encode and decode a registration. Processor time; compare the ratios.
import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from '../setup.mjs';
import { median } from './measure.mjs';
import { toolOptions } from '../tool-options.mjs';

const { number } = toolOptions(import.meta.url, { options: { runs: { type: 'string', default: '9' } } });
const runs = number('runs');
const ROUNDS = 20_000;

ensureInstalled();
const work = mkdtempSync(path.join(root, 'node_modules', '.bench-'));
try {
  const ours = await codec('ours');
  const theirs = await codec('theirs');
  const message = registration(ours);
  const bytes = Buffer.from(ours.RegisterResourceRequest.encode(message).finish());
  if (!bytes.equals(Buffer.from(theirs.RegisterResourceRequest.encode(message).finish())))
    throw new Error('the two runtimes write different bytes');
  console.log(`a registration of ${bytes.length} bytes, microseconds of processor time`);
  for (const [name, { RegisterResourceRequest: type }] of Object.entries({ ours, theirs })) {
    const encode = cost(() => type.encode(message).finish());
    const decode = cost(() => type.decode(bytes));
    console.log(`${name.padEnd(8)} encode ${encode.toFixed(2)}  decode ${decode.toFixed(2)}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The generated code bundled with one of the runtimes. */
async function codec(runtime) {
  const outfile = path.join(work, `${runtime}.mjs`);
  const theirs = {
    name: 'runtime',
    setup: (bundle) =>
      bundle.onResolve({ filter: /^@cairn\/protobuf$/ }, () =>
        bundle.resolve('@bufbuild/protobuf/wire', { kind: 'import-statement', resolveDir: root }),
      ),
  };
  await build({
    entryPoints: [
      path.join(root, 'packages', 'boundary', 'wire', 'src', 'generated', 'pulumi', 'resource.ts'),
    ],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: runtime === 'theirs' ? [theirs] : [],
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}

function registration({ RegisterResourceRequest }) {
  const urn = (name) => `urn:pulumi:dev::shop::aws:s3/bucket:Bucket::${name}`;
  return RegisterResourceRequest.fromPartial({
    type: 'aws:s3/bucket:Bucket',
    name: 'logs',
    parent: urn('parent'),
    custom: true,
    object: Buffer.alloc(600, 7),
    dependencies: [urn('one'), urn('two')],
    provider: 'urn:pulumi:dev::shop::pulumi:providers:aws::default::1',
    propertyDependencies: new Map([
      ['bucket', { urns: [urn('one')] }],
      ['acl', { urns: [urn('two')] }],
    ]),
    acceptSecrets: true,
    acceptResources: true,
    ignoreChanges: ['tags'],
  });
}

/** Microseconds of one call, the median of several rounds. */
function cost(run) {
  for (let i = 0; i < ROUNDS; i += 1) run();
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < ROUNDS; i += 1) run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / ROUNDS;
  });
  return median(times);
}
