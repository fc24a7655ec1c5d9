import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { cairnCommand } from './cairn.js';
import type { Sandbox } from './cairn.js';
import { blocks, commands, pattern, steady, unordered, varying } from './page.js';
import type { Block, Command } from './page.js';

const repository = path.resolve(__dirname, '..', '..');

/** A page below `docs/`: its blocks, and words of its outputs that are examples. */
interface Page {
  readonly blocks: readonly Block[];
  readonly varying: readonly string[];
}

/** Reads a page, with texts of it replaced, such as a port by a free one. */
export function readPage(page: string, replaced: Readonly<Record<string, string>> = {}): Page {
  const text = readFileSync(path.join(repository, 'docs', page), 'utf8');
  const own = Object.entries(replaced).reduce((done, [from, to]) => done.replaceAll(from, to), text);
  return { blocks: blocks(own), varying: varying(own) };
}

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

/** Returns the suffix of a test's title about blocks that are left out here. */
export function leftOut({ blocks: all }: Page): string {
  const needed = new Set(all.flatMap(({ needs }) => needs ?? []));
  const missing = [...needed].filter((command) => !isThere(command));
  return missing.length === 0 ? '' : ` (skipped: what needs ${missing.join(' and ')}, not on PATH)`;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface PageRunOptions {
  readonly env?: Environment;
  /** Folders of the page that are on machines of their own, with variables that commands have there alone. */
  readonly machines?: Readonly<Record<string, Environment>>;
  /** Carries out a line in another way than the shell; resolves with false for lines that it leaves to it. */
  readonly instead?: (folder: string, line: string) => boolean | Promise<boolean>;
  /** Carries out a job of a CI system, and returns its log. */
  readonly job?: (name: string, run: PageRun) => Promise<string>;
}

/** Output of a line on both streams, and its exit code; 128 and the number of the signal that killed it. */
interface Said {
  readonly text: string;
  readonly code: number;
}

/**
 * Carries out the blocks of a page in a box: writes its files, runs its commands and compares their output with the
 * page. `npm install` finds the packages of the workspace (`offline-npm.mjs`), and a `cairn` line without syntax of the
 * shell runs in the shared process. Variables of `export` lines last until the end of the page.
 */
export class PageRun {
  readonly #exported = new Map<string, Record<string, string>>();
  readonly #env: Environment;
  readonly #options: PageRunOptions;

  constructor(
    readonly box: Sandbox,
    options: PageRunOptions = {},
  ) {
    this.#options = options;
    const bin = path.join(box.home, 'bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(path.join(__dirname, 'offline-npm.mjs'), path.join(bin, 'npm'));
    symlinkSync(cairnCommand, path.join(bin, 'cairn'));
    const tools = path.join(repository, 'node_modules', '.bin');
    this.#env = {
      ...box.env,
      ...{ CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1', TF_CLI_ARGS: '-no-color' },
      CAIRN_EXIT_CODES: undefined,
      PATH: [bin, tools, process.env['PATH']].join(path.delimiter),
      ...options.env,
    };
  }

  async carryOut({ blocks: all, varying: words }: Page): Promise<void> {
    for (const { kind, path: place, needs, body } of all) {
      if (needs !== undefined && !isThere(needs)) continue;
      if (kind === 'file') this.box.write(place, body);
      else if (kind === 'job') this.#compare((await this.#options.job?.(place, this)) ?? '', body, words);
      else for (const command of commands(body)) await this.#command(place, command, words);
    }
  }

  /** Runs a command, and fails unless its output and its end are those of the page. */
  async #command(folder: string, { line, output }: Command, words: readonly string[]): Promise<void> {
    if (await this.#options.instead?.(path.join(this.box.directory, folder), line)) return;
    const [ending, killed, shown] = /(?:^|\n)\((killed: )?exit code (\d+)\)\s*$/.exec(output) ?? [];
    const { text, code } = await this.run(folder, line, {}, killed !== undefined);
    const expected = output.slice(0, output.length - (ending?.length ?? 0));
    const said = `$ ${line}\n${text}`;
    if (output !== '') this.#compare(said, `$ ${line}\n${expected}`, words);
    if (shown !== undefined) expect({ said, code }).toEqual({ said, code: Number(shown) });
    else expect({ said, failed: code !== 0 }).toEqual({ said, failed: output.includes('error[') });
  }

  #compare(said: string, shown: string, words: readonly string[]): void {
    const [actual, expected] = [steady(said), steady(shown, words)];
    if (!pattern(expected).test(actual)) expect(unordered(actual)).toMatch(pattern(unordered(expected)));
  }

  /**
   * Runs a line in a folder of the box. `env`: variables for this line alone. `isWhole`: `cairn` is a process of its
   * own, which may be killed.
   */
  async run(folder: string, line: string, env: Environment = {}, isWhole = false): Promise<Said> {
    const machine =
      Object.keys(this.#options.machines ?? {}).find((name) => folder.split('/')[0] === name) ?? '';
    const exported = this.#exported.get(machine) ?? {};
    const all = { ...this.#env, ...this.#options.machines?.[machine], ...exported, ...env };
    const cwd = path.join(this.box.directory, folder);
    const words = wordsOf(line);
    if (words?.[0] === 'export') {
      this.#exported.set(machine, { ...exported, ...Object.fromEntries(words.slice(1).map(variable)) });
      return { text: '', code: 0 };
    }
    const { variables, command } = commandOf(words ?? []);
    if (command !== undefined) {
      const options = { cwd, env: { ...all, ...variables } };
      const { code, text } = await (isWhole
        ? this.box.process(command, options)
        : this.box.cairn(command, options));
      return { text, code: code ?? 137 };
    }
    const script = ['-c', `{ ${line}\n} 2>&1`];
    const run = spawnSync('sh', script, { cwd, env: all as NodeJS.ProcessEnv, encoding: 'utf8' });
    return { text: run.stdout, code: run.status ?? 137 };
  }
}

/** The words of a `cairn` line behind its name, with the variables that the line sets. */
function commandOf(words: readonly string[]): {
  readonly variables: Record<string, string>;
  readonly command: readonly string[] | undefined;
} {
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const variables = Object.fromEntries(words.slice(0, Math.max(0, first)).map(variable));
  const name = words.slice(first).filter((word, index) => index > 0 || word !== 'npx');
  return { variables, command: name[0] === 'cairn' ? name.slice(1) : undefined };
}

/** The words of a line without syntax of the shell other than quotes, else undefined. */
function wordsOf(line: string): readonly string[] | undefined {
  const quoted = /'[^']*'|"[^"$`\\]*"/g;
  if (/[|&;<>$`\\*?(){}~#"']/.test(line.replace(quoted, ''))) return undefined;
  return [...line.matchAll(/(?:'[^']*'|"[^"$`\\]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(quoted, (text) => text.slice(1, -1)),
  );
}

function variable(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1)];
}
