import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { runCli } from '../src/main.js';

/** Result of a command. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project in its own folder, with its own backend and home. Commands run in this process, without a terminal. */
export interface CliBox {
  readonly directory: string;
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Like `run`; fails if the command does. */
  ok(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  write(file: string, text: string): string;
  read(file: string): string;
  remove(): void;
}

export function cliBox(): CliBox {
  const base = mkdtempSync(path.join(tmpdir(), 'cairn-cli-'));
  const directory = path.join(base, 'project');
  const [state, home] = [path.join(base, 'state'), path.join(base, 'home')];
  for (const folder of [directory, state, home]) mkdirSync(folder);
  const own = {
    PATH: process.env['PATH'],
    HOME: home,
    CAIRN_HOME: path.join(home, '.cairn'),
    CAIRN_BACKEND_URL: pathToFileURL(state).href,
    CAIRN_CONFIG_PASSPHRASE: 'p',
    NO_COLOR: '1',
    CAIRN_EXIT_CODES: 'fine',
  };
  const write = (file: string, text: string): string => {
    const target = path.resolve(directory, file);
    writeFileSync(target, text);
    return target;
  };
  write('Cairn.yaml', 'name: shop\nruntime: nodejs\n');
  const run = async (
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> => {
    const [stdout, stderr] = [new Collected(), new Collected()];
    const code = await runCli({
      env: { ...own, ...env },
      cwd: directory,
      stdin: Readable.from([]),
      stdout,
      stderr,
      argv: [...words],
      onInterrupt: () => () => undefined,
      now: () => new Date(),
      self: { command: process.execPath, words: [], start: [], directory, calledAs: 'cairn' },
      announce: () => undefined,
    });
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  };
  return {
    directory,
    run,
    ok: async (words, env) => {
      const ended = await run(words, env);
      if (ended.code !== 0)
        throw new Error(`${words.join(' ')} ended with ${ended.code}:\n${ended.stderr}${ended.stdout}`);
      return ended;
    },
    write,
    read: (file) => readFileSync(path.resolve(directory, file), 'utf8'),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

class Collected extends Writable {
  readonly #chunks: Buffer[] = [];
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
