import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';

/** A running Azurite (Microsoft's emulator of Blob storage), in a process and with an account of its own. */
export interface Azurite {
  /** Address of the server, without a slash at its end. */
  readonly url: string;
  readonly account: string;
  readonly key: string;
  /** Environment of a client: account and key. */
  readonly env: Readonly<Record<string, string>>;
  /** Creates a container if it does not exist. */
  createContainer(name: string): Promise<void>;
  /**
   * Returns the address of a container for `azblob://`. `host` is that of a proxy before the server, instead of the
   * server itself.
   */
  address(container: string, host?: string): string;
  /** Ends the process, which also ends together with this one. */
  close(): Promise<void>;
}

const ACCOUNT = 'cairntest';
/** Version of the protocol. Any version with plain block blobs can create a container. */
const API_VERSION = '2021-08-06';
/** Ends the child when the other end of its standard input closes, for whatever reason. */
const END_WITH_PARENT = 'data:text/javascript,process.stdin.resume().on("end",()=>process.exit())';

/**
 * Starts it on a free port of the loopback address, with all data in memory and without telemetry. Takes a few seconds.
 */
export async function startAzurite(): Promise<Azurite> {
  const manifest = createRequire(import.meta.url).resolve('azurite/package.json');
  const key = randomBytes(64).toString('base64');
  const words = [
    '--blobHost',
    '127.0.0.1',
    '--blobPort',
    '0',
    '--inMemoryPersistence',
    '--skipApiVersionCheck',
  ];
  const child = spawn(
    process.execPath,
    [
      '--import',
      END_WITH_PARENT,
      path.join(path.dirname(manifest), 'dist/src/blob/main.js'),
      ...words,
      '--disableTelemetry',
    ],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], AZURITE_ACCOUNTS: `${ACCOUNT}:${key}` },
    },
  );
  const url = await listening(child);
  const env = { AZURE_STORAGE_ACCOUNT: ACCOUNT, AZURE_STORAGE_KEY: key };
  return {
    url,
    account: ACCOUNT,
    key,
    env,
    createContainer: (name) => createContainer(url, key, name),
    address: (container, host = new URL(url).host) =>
      `azblob://${container}?domain=${host}&protocol=http&localemu=true`,
    close: () => stop(child),
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const url = /successfully listens on (http:\/\/\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`azurite ended with ${code}: ${text}`)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

/** Sends `Create Container`, signed with the account's key. */
async function createContainer(url: string, key: string, name: string): Promise<void> {
  const date = new Date().toUTCString();
  const signedHeaders = `x-ms-date:${date}\nx-ms-version:${API_VERSION}`;
  const resource = `/${ACCOUNT}/${ACCOUNT}/${name}\nrestype:container`;
  const text = `PUT${'\n'.repeat(12)}${signedHeaders}\n${resource}`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
  const answer = await fetch(`${url}/${ACCOUNT}/${name}?restype=container`, {
    method: 'PUT',
    headers: {
      'x-ms-date': date,
      'x-ms-version': API_VERSION,
      authorization: `SharedKey ${ACCOUNT}:${signature}`,
    },
  });
  const body = await answer.text();
  if (answer.status !== 201 && answer.status !== 409)
    throw new Error(`azurite does not make container ${name}: ${answer.status} ${body}`);
}
