import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Modules that the programs are written for: each program runs on both. */
export const SDKS = ['@cairn/sdk', '@pulumi/pulumi'] as const;
export type Sdk = (typeof SDKS)[number];

/** A secret value among the {@link Seen} ones. */
export interface Secret {
  readonly secret: unknown;
}
export const secret = (value: unknown): Secret => ({ secret: value });

/** An entry of the state; secrets are shown as {@link Secret}. */
export interface Entry {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** Result of a run. */
export interface Seen {
  readonly box: Sandbox;
  readonly end: Finished;
  /** Of the stack. */
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly entries: readonly Entry[];
  /** The entry of a name; fails when there is none. */
  entry(name: string): Entry;
}

/** One update of the stack. */
export interface Run {
  /** `config set` words; each is one command. */
  readonly config?: readonly (readonly string[])[];
  /** Files that are other ones from here on. */
  readonly files?: Readonly<Record<string, string>>;
  /** Further words of `up`. */
  readonly words?: readonly string[];
  /** Checks the preview by itself, before the update. */
  readonly preview?: (end: Finished) => void;
  /** The update fails. */
  readonly fails?: true;
  readonly check: (seen: Seen) => void;
}

/** A program, with `SDK` in the place of the module that it is written for, and the expected results of its runs. */
export interface ConformanceCase {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly runs: readonly Run[];
  /** The project file; default: `index.ts` is the program. */
  readonly project?: string;
  /** Programs in other projects of the same store, which run before. */
  readonly before?: Readonly<Record<string, string>>;
  /** `library.ts` for each SDK. */
  readonly library?: Readonly<Record<string, string>>;
  /** The SDK that has what the program needs. Defaults to both. */
  readonly sdk?: Sdk;
}

const PROJECT = 'name: conformance\nruntime: nodejs\nmain: index.ts\n';

/** Runs a case in a stack of its own. */
export async function runCase(each: ConformanceCase, sdk: Sdk): Promise<void> {
  const own = (files: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(files).map(([file, text]) => [file, text.replaceAll("'SDK'", `'${sdk}'`)]),
    );
  const box = sandbox({
    'Cairn.yaml': each.project ?? PROJECT,
    'package.json': manifest('conformance', sdk),
    ...own({ ...each.files, ...(each.library !== undefined && { 'library.ts': each.library[sdk] ?? '' }) }),
  });
  for (const file of Object.keys(each.files))
    if (file.includes('/pulumi-resource-')) chmodSync(path.join(box.directory, file), 0o755);
  try {
    for (const [project, program] of Object.entries(each.before ?? {}))
      await runOther(box, sdk, project, own({ program }));
    giveStack(box, 'test');
    for (const run of each.runs) {
      for (const [file, text] of Object.entries(own(run.files ?? {}))) box.write(file, text);
      for (const words of run.config ?? []) expectOk(await box.cairn(['config', 'set', ...words]));
      if (run.preview !== undefined) run.preview(await box.cairn(['preview', ...(run.words ?? [])]));
      const end = await box.cairn(['up', '--yes', '--skip-preview', ...(run.words ?? [])]);
      if (run.fails !== true) expectOk(end);
      else expect([end.code === 0, end.text]).toEqual([false, expect.not.stringContaining('CAIRN-INTERNAL')]);
      run.check(await seenIn(box, end));
    }
  } finally {
    box.remove();
  }
}

function manifest(name: string, sdk: Sdk): string {
  return JSON.stringify({ name, private: true, type: 'module', dependencies: { [sdk]: '*' } });
}

/** Another project with a stack `dev`, brought up in the same store. */
async function runOther(
  box: Sandbox,
  sdk: Sdk,
  project: string,
  { program = '' }: Readonly<Record<string, string>>,
): Promise<void> {
  const at = (file: string): string => path.join('..', project, file);
  box.write(at('Cairn.yaml'), `name: ${project}\nruntime: nodejs\nmain: index.ts\n`);
  box.write(at('package.json'), manifest(project, sdk));
  box.write(at('index.ts'), program);
  const cwd = path.join(box.directory, '..', project);
  expectOk(await box.cairn(['stack', 'init', 'dev'], { cwd }));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { cwd }));
}

async function seenIn(box: Sandbox, end: Finished): Promise<Seen> {
  const exported = expectOk(await box.cairn(['stack', 'export', '--show-secrets']));
  const { deployment } = JSON.parse(exported.stdout) as {
    readonly deployment: { readonly resources?: readonly Readonly<Record<string, unknown>>[] };
  };
  const entries = (deployment.resources ?? []).map((row) => ({
    ...(opened(row) as Entry),
    name: String(row['urn']).split('::').at(-1) ?? '',
    inputs: (opened(row['inputs'] ?? {}) ?? {}) as Entry['inputs'],
    outputs: (opened(row['outputs'] ?? {}) ?? {}) as Entry['outputs'],
  }));
  const entry = (name: string): Entry => {
    const found = entries.find((each) => each.name === name);
    if (found === undefined)
      throw new Error(`no ${name} among ${entries.map((each) => each.name).join(', ')}`);
    return found;
  };
  const root = entries.find(({ type }) => type === 'pulumi:pulumi:Stack');
  return { box, end, outputs: root?.outputs ?? {}, entries, entry };
}

const SIGNATURE = '4dabf18193072939515e22adb298388d';

/** A stored value with its secrets opened. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (typeof value !== 'object' || value === null) return value;
  const row = value as Readonly<Record<string, unknown>>;
  if (row[SIGNATURE] !== undefined && typeof row['plaintext'] === 'string')
    return secret(opened(JSON.parse(row['plaintext'])));
  return Object.fromEntries(Object.entries(row).map(([key, each]) => [key, opened(each)]));
}
