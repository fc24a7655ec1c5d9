// Ceph's S3 gateway on this machine's loopback, with one monitor and one OSD in memory: a real server for the stores'
// tests. Needs the Debian packages ceph-mon, ceph-osd, radosgw and ceph-common, and root.
// `node tools/servers/radosgw.mjs` serves until standard input ends.
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAMS = ['ceph', 'ceph-mon', 'ceph-osd', 'ceph-authtool', 'monmaptool', 'radosgw', 'radosgw-admin'];
export const PACKAGES = ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph-common'];

/** Why it cannot be started here; undefined when it can. */
export function whyNoRadosgw() {
  if (process.platform !== 'linux') return 'it runs on Linux only';
  if (process.getuid?.() !== 0) return 'it needs root';
  const folders = (process.env.PATH ?? '').split(':');
  const missing = PROGRAMS.filter((name) => !folders.some((folder) => existsSync(path.join(folder, name))));
  return missing.length === 0
    ? undefined
    : `${missing.join(', ')} not found: apt-get install --no-install-recommends ${PACKAGES.join(' ')}`;
}

/**
 * Starts it; resolves when a bucket named `bucket` is there. `urlOf(prefix)`: address for a store. `stop` ends every
 * process of it.
 */
export async function startRadosgw() {
  const folder = await mkdtemp(path.join(tmpdir(), 'radosgw-'));
  const children = [];
  // However this process ends, its children do too.
  const killAll = () => children.forEach((child) => child.kill('SIGKILL'));
  const interrupted = () => process.exit(1);
  process.once('exit', killAll);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted);
  const stop = async () => {
    process.off('exit', killAll);
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted);
    for (const child of children.reverse()) await ended(child);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const started = await startAll(folder, children);
    return { ...started, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function startAll(folder, children) {
  const [monitor, old, gateway] = await freePorts(3);
  const conf = path.join(folder, 'ceph.conf');
  for (const name of ['run', 'log', 'mon', 'osd', 'rgw']) await mkdir(path.join(folder, name));
  await writeFile(conf, configuration(folder, { monitor, old, gateway }));
  const ceph = (...words) => run('ceph', ['-c', conf, '--connect-timeout', '60', ...words]);
  const daemon = (program, ...words) => {
    const child = spawn(program, ['-c', conf, ...words, '-f'], { stdio: 'ignore' });
    children.push(child);
    return child;
  };
  const map = path.join(folder, 'monmap');
  const fsid = randomUUID();
  await run('monmaptool', [
    '--create',
    '--fsid',
    fsid,
    '--addv',
    'a',
    `[v2:127.0.0.1:${monitor}/0,v1:127.0.0.1:${old}/0]`,
    map,
  ]);
  await run('ceph-mon', ['-c', conf, '--mkfs', '-i', 'a', '--monmap', map, '--fsid', fsid]);
  daemon('ceph-mon', '-i', 'a');
  const osd = randomUUID();
  await ceph('osd', 'new', osd);
  await run('ceph-osd', ['-c', conf, '-i', '0', '--mkfs', '--osd-uuid', osd]);
  await ceph('osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=h');
  daemon('ceph-osd', '-i', '0');
  const [access, secret] = ['TESTACCESSKEY', 'testsecretkey'];
  await run('radosgw-admin', [
    '-c',
    conf,
    '-n',
    'client.admin',
    '--no-mon-config',
    'user',
    'create',
    '--uid=t',
    '--display-name=t',
    `--access-key=${access}`,
    `--secret-key=${secret}`,
  ]);
  daemon('radosgw', '-n', 'client.admin', '--no-mon-config');
  const url = `http://127.0.0.1:${gateway}`;
  await answering(url);
  const env = {
    AWS_ACCESS_KEY_ID: access,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  await createBucket(url, env, 'bucket');
  const urlOf = (prefix) => {
    const params = new URLSearchParams({ endpoint: url, s3ForcePathStyle: 'true' });
    return `s3://bucket${prefix === '' ? '' : `/${prefix}`}?${params.toString()}`;
  };
  return { url, env, urlOf };
}

function configuration(folder, { monitor, old, gateway }) {
  return `[global]
mon host = [v2:127.0.0.1:${monitor}/0,v1:127.0.0.1:${old}/0]
auth cluster required = none
auth service required = none
auth client required = none
keyring = /dev/null
ms mon client mode = crc
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd crush chooseleaf type = 0
mon allow pool size one = true
osd pg autoscale mode = off
osd pool default pg autoscale mode = off
run dir = ${folder}/run
log file = ${folder}/log/$name.log
admin socket = ${folder}/run/$name.$pid.asok
public addr = 127.0.0.1
cluster addr = 127.0.0.1
[mon]
mon data = ${folder}/mon
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 1073741824
osd class load list = *
[client.admin]
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${gateway}
`;
}

async function createBucket(url, env, bucket) {
  Object.assign(process.env, env);
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ endpoint: url, region: env.AWS_REGION, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
}

async function answering(url) {
  for (let tries = 0; tries < 300; tries += 1) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await pause(200);
  }
  throw new Error(`radosgw did not answer at ${url} within a minute`);
}

async function freePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve, reject) => {
          const server = createServer().once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(late);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const why = whyNoRadosgw();
  if (why !== undefined) throw new Error(`cannot start radosgw: ${why}`);
  const server = await startRadosgw();
  process.stdout.write(
    `${JSON.stringify({ url: server.url, env: server.env, bucketUrl: server.urlOf('') })}\n`,
  );
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve));
  await server.stop();
}
