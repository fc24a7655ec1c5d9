import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Kill, Target } from './kill.js';
import { described } from './kill.js';
import type { Want } from './model.js';
import { marked, send, start } from './processes.js';
import type { Ended } from './processes.js';
import { EXECUTABLES, projectFiles } from './programs.js';

/** After this a command is taken to go on for ever. */
const COMMAND_MS = 120_000;
/** What a killed command has started has so long to end by itself. */
const ORPHAN_MS = 20_000;

/** A command's end, with what it left running. */
export interface Ran extends Ended {
  readonly line: string;
  readonly disturbed: boolean;
  readonly left: readonly string[];
}

/** The project of one run: files, a bucket and a home of its own. Everything that is typed is in `transcript`. */
export class Project {
  readonly directory: string;
  readonly state: string;
  readonly known: ReadonlySet<string>;
  readonly transcript: string[] = [];
  readonly #base: string;
  readonly #mark: string;
  readonly #env: Readonly<Record<string, string>>;

  /**
   * `root`: the repository, below which the project finds the packages. `mark`: in the environment of all its
   * processes.
   */
  constructor(root: string, sdk: 'cairn' | 'pulumi', mark: string) {
    const scratch = path.join(root, 'e2e', '.scratch');
    mkdirSync(scratch, { recursive: true });
    this.#base = mkdtempSync(path.join(scratch, 'kills-'));
    this.#mark = `CAIRN_KILLS=${mark};`;
    this.directory = path.join(this.#base, 'project');
    this.state = path.join(this.#base, 'state');
    const home = path.join(this.#base, 'home');
    const bin = path.join(this.#base, 'bin');
    for (const folder of [this.directory, this.state, home, bin]) mkdirSync(folder);
    for (const [file, text] of Object.entries(projectFiles(sdk))) this.#write(file, text);
    for (const file of EXECUTABLES) chmodSync(path.join(this.directory, file), 0o755);
    const command = path.join(root, 'packages', 'cli', 'bin', 'cairn.cjs');
    writeFileSync(path.join(bin, 'cairn'), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`, {
      mode: 0o755,
    });
    this.#env = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: home,
      CAIRN_HOME: path.join(home, '.cairn'),
      CAIRN_BACKEND_URL: pathToFileURL(this.state).href,
      CAIRN_CONFIG_PASSPHRASE: 'test passphrase',
      NO_COLOR: '1',
      CI: 'true',
      CAIRN_KILLS: `${mark};`,
    };
    this.known = new Set(readdirSync(this.directory));
  }

  /** Has the program want something else. */
  want(want: Want): void {
    this.#write('want.json', JSON.stringify(want));
    this.transcript.push(`# want: ${want.map(shown).join(' ')}`);
  }

  /**
   * Runs a line as it would be typed, disturbs it, and waits until nothing that it has started runs any more. `brief`:
   * what it prints on stdout is left out of the transcript when it succeeds.
   */
  async run(
    line: string,
    kill: Kill = { t: 'none' },
    options: { readonly brief?: boolean } = {},
  ): Promise<Ran> {
    const { directory } = this;
    for (const file of ['point.txt', 'reached', 'go']) rmSync(path.join(directory, file), { force: true });
    if (kill.t === 'point') this.#write('point.txt', kill.point);
    const started = start(line, directory, this.#env);
    let over = false;
    const ended = started.ended.finally(() => (over = true));
    const isOver = (): boolean => over;
    const limit = setTimeout(() => this.#strike('everything', started.pid, 'SIGKILL'), COMMAND_MS);
    const disturbed = await this.#disturb(kill, started.pid, isOver);
    const end = await ended;
    clearTimeout(limit);
    const left = await this.#rest();
    const how = end.signal ?? `exit ${end.code}`;
    const printed = options.brief === true && end.code === 0 ? end.stderr : end.stdout + end.stderr;
    this.transcript.push(`$ ${line}${described(kill)}`, ...indented(printed), `(${how})`);
    return { ...end, line, disturbed, left };
  }

  /** Writes a file into the project. */
  write(file: string, text: string): void {
    this.#write(file, text);
  }

  /** Lock files that are there. */
  locks(): readonly string[] {
    const folder = path.join(this.state, '.pulumi', 'locks');
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    );
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }

  /** Tells whether anything was hit while the command ran. */
  async #disturb(kill: Kill, pid: number, isOver: () => boolean): Promise<boolean> {
    if (kill.t === 'none') return false;
    const until = Date.now() + (kill.t === 'time' ? kill.afterMs : COMMAND_MS);
    const reached = path.join(this.directory, 'reached');
    const isTime = (): boolean => (kill.t === 'time' ? Date.now() >= until : existsSync(reached));
    while (!isOver() && !isTime()) await pause(5);
    if (isOver()) return false;
    const hit = this.#strike(kill.target, pid, kill.t === 'time' ? kill.signal : 'SIGKILL');
    this.#write('go', '');
    return hit;
  }

  #strike(target: Target, pid: number, signal: NodeJS.Signals): boolean {
    switch (target) {
      case 'command':
        send(pid, signal);
        return true;
      case 'group':
        send(-pid, signal);
        return true;
      case 'everything':
        // Its processes may start others meanwhile.
        for (let all = marked(this.#mark); all.length > 0; all = marked(this.#mark))
          for (const one of all) send(one.pid, 'SIGKILL');
        return true;
      case 'provider':
      case 'program': {
        const isPlugin = (line: string): boolean => line.includes('pulumi-resource-');
        const isEffect = (line: string): boolean => line.includes('effect.sh');
        const chosen = marked(this.#mark).filter(({ pid: found, line }) =>
          target === 'provider' ? isPlugin(line) : found !== pid && !isPlugin(line) && !isEffect(line),
        );
        for (const one of chosen) send(one.pid, signal);
        return chosen.length > 0;
      }
    }
  }

  /** Waits for what is left of a command; what does not end by itself is named, and killed. */
  async #rest(): Promise<readonly string[]> {
    const until = Date.now() + ORPHAN_MS;
    while (Date.now() < until && marked(this.#mark).length > 0) await pause(20);
    const left = marked(this.#mark);
    for (const one of left) send(one.pid, 'SIGKILL');
    return left.map(({ line }) => line);
  }

  #write(file: string, text: string): void {
    const target = path.join(this.directory, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function shown({ kind, name, version, value, dependsOn, deleteFirst }: Want[number]): string {
  const after = dependsOn.length === 0 ? '' : ` after ${dependsOn.join(',')}`;
  return `[${kind} ${name}-${version}=${value}${after}${deleteFirst ? ' delete first' : ''}]`;
}

function indented(text: string): readonly string[] {
  return text.trim() === '' ? [] : [text.trimEnd().replaceAll(/^/gm, '    ')];
}
