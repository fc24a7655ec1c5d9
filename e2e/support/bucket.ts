import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The test kit's S3 server with a bucket, in a process of its own. */
export interface Bucket {
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  /** Scripts faults of matching requests. */
  fail(fault: Readonly<Record<string, unknown>>): Promise<void>;
  /** Counts the requests of each kind so far, e.g. `PUT sealed.json`. */
  requests(): Promise<Readonly<Record<string, number>>>;
  /** Returns the number of bytes in the bodies of all requests and answers so far. */
  traffic(): Promise<number>;
  close(): Promise<void>;
}

export async function bucket(words: readonly string[] = []): Promise<Bucket> {
  const program = path.resolve(__dirname, '..', '..', 'tools', 'servers', 's3.mjs');
  const child = spawn(process.execPath, [program, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const told = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
  const ask = (line: unknown): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(line)}\n`);
    return told();
  };
  const { env, bucketUrl } = (await told()) as { env: Record<string, string>; bucketUrl: string };
  return {
    env,
    url: bucketUrl,
    fail: async (fault) => void (await ask(fault)),
    requests: async () => {
      const { byKind } = (await ask({ requests: true })) as { byKind: Record<string, number> };
      return byKind;
    },
    traffic: async () => {
      const { bytes, sent } = (await ask({ requests: true })) as { bytes: number; sent: number };
      return bytes + sent;
    },
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
