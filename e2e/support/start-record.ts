import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Finished, RunOptions, Sandbox } from './cairn.js';

/** Code files that a command loaded. */
export interface StartRecord {
  /** Sizes of the opened files, by path; absent ones have none. */
  readonly files: Readonly<Record<string, number | undefined>>;
  readonly scripts: readonly {
    readonly file: string;
    /** Stored code was found for it. */
    readonly isStored: boolean;
    /** V8 refused the stored code. */
    readonly isRejected: boolean;
  }[];
}

const hook = path.join(__dirname, 'start-record.cjs');
let runs = 0;

/**
 * Runs a command in a process of its own and records what it loads; with `program` what the process of its program
 * loads, if it has one.
 */
export async function recordStart(
  box: Sandbox,
  words: readonly string[],
  { env, ...options }: RunOptions = {},
): Promise<Finished & StartRecord & { readonly program: StartRecord | undefined }> {
  const file = path.join(box.home, `start-record-${(runs += 1)}.json`);
  const flags = env?.['NODE_OPTIONS'] ?? '';
  const finished = await box.start(words, {
    ...options,
    env: { ...env, START_RECORD: file, NODE_OPTIONS: `--require=${hook} ${flags}` },
  }).finished;
  return { ...finished, ...(takeRecord(file) as StartRecord), program: takeRecord(`${file}.program`) };
}

function takeRecord(file: string): StartRecord | undefined {
  if (!existsSync(file)) return undefined;
  const record = JSON.parse(readFileSync(file, 'utf8')) as StartRecord;
  rmSync(file);
  return record;
}
