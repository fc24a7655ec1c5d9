// The contract of stores against every server that can be started here, and the properties of segments on many random
// cases: `npm run stores [-- NAME…]`. Servers that cannot be started are named with the reason. Ends with
// the counts.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRadosgw, whyNoRadosgw } from './servers/radosgw.mjs';
import { ensureBuilt } from './setup.mjs';
import { toolOptions } from './tool-options.mjs';

const { positionals: wanted, refuse } = toolOptions(import.meta.url, { allowPositionals: true });
ensureBuilt(['@cairn/blobs', '@cairn/testkit']);
const { openBlobStore } = await import('../packages/boundary/blobs/dist/index.js');
const { blobStoreContract, blobStoreScale } =
  await import('../packages/boundary/blobs/dist/contract-suite.js');
const servers = await import('../packages/testing/testkit/dist/servers/index.js');

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

/**
 * `start` resolves with the environment, the address of a prefix in an empty bucket, and the end. `skip`: why it cannot
 * be started here.
 */
const SERVERS = [
  { name: 's3', what: "the test kit's S3 server", start: s3 },
  { name: 'gcs', what: "the test kit's GCS server", start: gcs },
  { name: 'azurite', what: 'Azurite', start: azurite },
  { name: 'radosgw', what: 'Ceph radosgw', start: startRadosgw, skip: whyNoRadosgw },
];

async function s3() {
  const server = await servers.startS3Server();
  return {
    env: server.env,
    urlOf: (prefix) => server.bucketUrl('bucket', prefix),
    stop: () => server.close(),
  };
}

async function gcs() {
  const server = await servers.startGcsServer({ buckets: ['bucket'] });
  return { env: server.env, urlOf: (prefix) => `gs://bucket/${prefix}`, stop: () => server.close() };
}

async function azurite() {
  const server = await servers.startAzurite();
  await server.createContainer('bucket');
  const urlOf = (prefix) => {
    const address = server.address('bucket');
    const cut = address.includes('?') ? address.indexOf('?') : address.length;
    return `${address.slice(0, cut)}/${prefix}${address.slice(cut)}`;
  };
  return { env: server.env, urlOf, stop: () => server.close() };
}

const unknown = wanted.filter((name) => SERVERS.every((server) => server.name !== name));
if (unknown.length > 0) refuse(`there is no store ${unknown.join(', ')}`);
const count = { passed: 0, failed: 0 };

for (const server of SERVERS) {
  if (wanted.length > 0 && !wanted.includes(server.name)) continue;
  const why = server.skip?.();
  if (why === undefined) await check(server);
  else console.log(`${server.what}: skipped: ${why}`);
}
if (wanted.length === 0 || wanted.includes('segments')) properties();
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed === 0 ? 0 : 1;

async function check({ what, start }) {
  const before = { ...count };
  const running = await start();
  const env = { ...process.env };
  Object.assign(process.env, running.env);
  try {
    for (const [index, scenario] of [...blobStoreContract, ...blobStoreScale].entries())
      await one(what, scenario, running.urlOf(`run${index}`));
  } finally {
    await running.stop();
    for (const name of Object.keys(running.env)) {
      if (env[name] === undefined) delete process.env[name];
      else process.env[name] = env[name];
    }
  }
  console.log(`${what}: ${count.passed - before.passed} passed, ${count.failed - before.failed} failed`);
}

async function one(what, { title, run }, url) {
  const store = await openBlobStore(url);
  try {
    await Promise.race([run(store), late()]);
    count.passed += 1;
  } catch (thrown) {
    count.failed += 1;
    console.log(`FAILED: ${what}: ${title}\n${thrown?.stack ?? thrown}`);
    for (const diagnostic of thrown?.diagnostics ?? []) console.log(JSON.stringify(diagnostic));
  } finally {
    await store.close();
  }
}

function late() {
  return new Promise((_resolve, reject) =>
    setTimeout(() => reject(new Error('it takes longer than two minutes')), 120_000).unref(),
  );
}

function properties() {
  const folder = path.join(
    path.dirname(fileURLToPath(import.meta.url)),
    '..',
    'packages',
    'boundary',
    'blobs',
  );
  const command = ['jest', '--config', '../../../jest.config.cjs', '--rootDir', '.', 'test/segments.test.ts'];
  const { status, stderr } = spawnSync('npx', command, {
    cwd: folder,
    env: { ...process.env, CAIRN_SEGMENT_RUNS: '1000' },
    encoding: 'utf8',
  });
  const tests = Number(/^Tests: .*?(\d+) passed/m.exec(stderr)?.[1] ?? 0);
  const failed = Number(/^Tests: .*?(\d+) failed/m.exec(stderr)?.[1] ?? (status === 0 ? 0 : 1));
  count.passed += tests;
  count.failed += failed;
  if (failed > 0) console.log(stderr);
  console.log(`properties of segments, 1000 cases each: ${tests} passed, ${failed} failed`);
}
