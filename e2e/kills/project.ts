import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { CommandServers } from '../support/command-server.js';
import type { Drift } from './drift.js';
import { described } from './kill.js';
import type { Kill, Moment, Request, Target } from './kill.js';
import type { Want } from './model.js';
import { marked, send, start } from './processes.js';
import type { Ended, Found, Started } from './processes.js';
import { executables, projectFiles } from './programs.js';
import { directoryStore } from './store.js';
import type { KillsStore } from './store.js';
import { ADD_TERRAFORM } from './terraform.js';

/** Milliseconds after which a command counts as endless. */
const COMMAND_MS = 120_000;
/** Milliseconds in which processes of a killed command must end by themselves. */
const ORPHAN_MS = 20_000;

/** Requests that come closer together count as one. Milliseconds. */
const APART_MS = 200;
/** Message of a command that has received a request. */
const HEARD = /interrupted|asks to stop/;

/** A command's end, with what it left running. */
export interface Ran extends Ended {
  readonly line: string;
  readonly disturbed: boolean;
  /** Commands of a second terminal that asked it to stop. */
  readonly beside: readonly Beside[];
  readonly left: readonly string[];
}

/** A command that ran in a second terminal. */
export interface Beside extends Ended {
  readonly line: string;
}

/** The project of one run: files, a bucket and a home of its own. Everything that is typed is in `transcript`. */
export class Project {
  readonly directory: string;
  readonly #store: KillsStore;
  readonly known: Set<string>;
  readonly transcript: string[] = [];
  readonly #base: string;
  readonly #mark: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #servers: CommandServers;
  readonly #sdk: 'cairn' | 'pulumi';

  /**
   * `root`: the repository, below which the project finds the packages. `mark`: in the environment of all its
   * processes. `store`: the store of its stack. Defaults to a directory.
   */
  constructor(root: string, sdk: 'cairn' | 'pulumi', mark: string, store: KillsStore | undefined) {
    this.#sdk = sdk;
    const scratch = path.join(root, 'e2e', '.scratch');
    mkdirSync(scratch, { recursive: true });
    this.#base = mkdtempSync(path.join(scratch, 'kills-'));
    this.#mark = `CAIRN_KILLS=${mark};`;
    this.#servers = new CommandServers(path.join(root, 'e2e', 'support'));
    this.directory = path.join(this.#base, 'project');
    const state = path.join(this.#base, 'state');
    this.#store = store ?? directoryStore(state);
    const home = path.join(this.#base, 'home');
    const bin = path.join(this.#base, 'bin');
    for (const folder of [this.directory, state, home, bin]) mkdirSync(folder);
    for (const [file, text] of Object.entries(projectFiles(sdk))) this.#write(file, text);
    for (const file of executables(sdk)) chmodSync(path.join(this.directory, file), 0o755);
    const command = path.join(root, 'packages', 'edges', 'cli', 'bin', 'cairn.cjs');
    const counts = process.env['CAIRN_E2E_COUNTS'];
    const note = counts === undefined ? '' : `echo "whole: $*" >>"${counts}"\n`;
    writeFileSync(
      path.join(bin, 'cairn'),
      `#!/bin/sh\n${note}exec "${process.execPath}" "${command}" "$@"\n`,
      {
        mode: 0o755,
      },
    );
    this.#env = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: home,
      CAIRN_HOME: path.join(home, '.cairn'),
      ...this.#store.env,
      CAIRN_BACKEND_URL: this.#store.url,
      CAIRN_CONFIG_PASSPHRASE: 'test passphrase',
      NO_COLOR: '1',
      CAIRN_EXIT_CODES: 'fine',
      CI: 'true',
      CAIRN_KILLS: `${mark};`,
    };
    this.known = new Set(readdirSync(this.directory));
  }

  /** Makes packages of the providers that need it. The written files belong to the project. */
  async prepare(): Promise<void> {
    if (this.#sdk === 'pulumi') return;
    const { code, stdout, stderr } = await start(ADD_TERRAFORM, this.directory, this.#env).ended;
    if (code !== 0) throw new Error(`${ADD_TERRAFORM}: ${stdout}${stderr}`);
    for (const name of readdirSync(this.directory)) this.known.add(name);
  }

  /** Changes the resources that the program declares. */
  want(want: Want): void {
    this.#write('want.json', JSON.stringify(want));
    this.transcript.push(`# want: ${want.map(shown).join(' ')}`);
  }

  /**
   * Runs an undisturbed line in a process that such lines share, and waits until all processes that it has started have
   * ended. The words have no blanks. The transcript has no stdout of a line that succeeds.
   */
  async ask(line: string): Promise<Ran> {
    const [, ...words] = line.split(' ');
    const call = { words, cwd: this.directory, env: this.#env, input: '' };
    const end = await (this.#servers.run(call) ?? start(line, this.directory, this.#env).ended);
    return this.#ran(line, end, { isBrief: end.code === 0 });
  }

  /** Runs a line as it would be typed, disturbs it, and waits until nothing that it has started runs any more. */
  async run(line: string, kill: Kill): Promise<Ran> {
    const { directory } = this;
    for (const file of ['point.txt', 'reached', 'go']) rmSync(path.join(directory, file), { force: true });
    if (kill.t !== 'none' && kill.at.t === 'point') this.#write('point.txt', kill.at.point);
    const started = start(line, directory, this.#env);
    let over = false;
    const ended = started.ended.finally(() => (over = true));
    const isOver = (): boolean => over;
    const limit = setTimeout(() => this.#strike('everything', started.pid, 'SIGKILL'), COMMAND_MS);
    const beside: Beside[] = [];
    const disturbed = await this.#disturb(kill, started, isOver, beside);
    const end = await ended;
    clearTimeout(limit);
    return this.#ran(line, end, { kill, disturbed, beside });
  }

  /** Waits for the processes that a command has left, and records its end. */
  async #ran(
    line: string,
    end: Ended,
    how: Partial<Pick<Ran, 'disturbed' | 'beside'>> & { readonly kill?: Kill; readonly isBrief?: boolean },
  ): Promise<Ran> {
    const { kill = { t: 'none' }, disturbed = false, beside = [], isBrief = false } = how;
    const left = await this.#rest();
    const printed = isBrief ? end.stderr : end.stdout + end.stderr;
    this.transcript.push(`$ ${line}${described(kill)}`, ...indented(printed), `(${ending(end)})`);
    for (const one of beside)
      this.transcript.push(`  beside: $ ${one.line}`, ...indented(one.stderr), `  (${ending(one)})`);
    return { ...end, line, disturbed, beside, left };
  }

  /** Changes objects behind Cairn's back. */
  drift(all: readonly Drift[]): void {
    for (const { kind, object, was, value } of all) {
      const file = path.join(this.directory, `${object}.${kind === 'directory' ? 'dir' : 'txt'}`);
      if (kind === 'seen' || kind === 'terraform') {
        const line = value === undefined ? `delete ${object} ${was}` : `update ${object} ${value}`;
        appendFileSync(path.join(this.directory, 'effects.log'), `${line}\n`);
      } else if (value === undefined) rmSync(file, { recursive: true });
      else writeFileSync(file, String(value));
      this.transcript.push(`# somebody else: ${object} ${value === undefined ? 'is deleted' : `= ${value}`}`);
    }
  }

  /** Writes a file into the project. */
  write(file: string, text: string): void {
    this.#write(file, text);
  }

  /** Returns the lock files. */
  locks(): readonly string[] {
    return [...this.#store.written('.pulumi/locks').keys()].filter((name) => name.endsWith('.json'));
  }

  /** Ends the shared process. */
  async close(): Promise<void> {
    await this.#servers.end();
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }

  /** Tells whether anything was hit while the command ran. Adds commands of a second terminal to `beside`. */
  async #disturb(kill: Kill, started: Started, isOver: () => boolean, beside: Beside[]): Promise<boolean> {
    if (kill.t === 'none') return false;
    await this.#moment(kill.at, isOver);
    if (isOver()) return false;
    if (kill.t === 'kill') {
      const hit = this.#strike(kill.target, started.pid, 'SIGKILL');
      this.#write('go', '');
      return hit;
    }
    const heard = await this.#stop(kill.how, kill.times, started, isOver, beside);
    // The waiting effect is released unless it has to be ended.
    if (kill.times === 1 || !heard) this.#write('go', '');
    return heard;
  }

  async #moment(at: Moment, isOver: () => boolean): Promise<void> {
    // Between storing a state and closing its change there are a few writes.
    if (at.t === 'stored') {
      while (!isOver() && !this.#isStored()) await new Promise((resolve) => setImmediate(resolve));
      return;
    }
    const until = Date.now() + (at.t === 'time' ? at.afterMs : COMMAND_MS);
    const reached = path.join(this.directory, 'reached');
    const isTime = (): boolean => (at.t === 'time' ? Date.now() >= until : existsSync(reached));
    while (!isOver() && !isTime()) await pause(5);
  }

  /** Tells whether the newest change has announced its state, stored it, and is not closed. */
  #isStored(): boolean {
    const journals = this.#store.written('.pulumi/journals/shop/dev');
    const newest = [...journals.keys()]
      .map((name) => name.split('/')[0] ?? '')
      .toSorted()
      .at(-1);
    if (newest === undefined) return false;
    const announced = journals.get(`${newest}/fold.json`);
    if (announced === undefined || journals.has(`${newest}/sealed.json`)) return false;
    const state = this.#store.written('.pulumi/stacks/shop').get('dev.json');
    return state !== undefined && state >= announced;
  }

  /**
   * Asks a command to stop, each time until it prints that it received the request. Tells whether it was asked at all.
   */
  async #stop(
    how: Request,
    times: number,
    started: Started,
    isOver: () => boolean,
    beside: Beside[],
  ): Promise<boolean> {
    let asked = false;
    for (let time = 1; time <= times && !isOver(); time += 1) {
      const before = started.said().length;
      if (!(await this.#request(how, started.pid, beside))) return asked;
      asked = true;
      while (!isOver() && !HEARD.test(started.said().slice(before))) await pause(5);
      await pause(time < times ? APART_MS : 0);
    }
    return asked;
  }

  /** Sends one request; returns true if the command receives it. */
  async #request(how: Request, pid: number, beside: Beside[]): Promise<boolean> {
    if (how === 'SIGINT') return this.#strike('group', pid, how);
    if (how === 'SIGTERM') return this.#strike('command', pid, how);
    const listed = await this.#beside('cairn changes --json');
    const change = (JSON.parse(listed.stdout) as readonly { readonly id: string }[]).at(-1);
    if (change === undefined) return false;
    const asked = await this.#beside(how.replace('abort', `cairn abort ${change.id}`));
    beside.push(asked);
    return asked.code === 0;
  }

  /** Runs a line in a second terminal. */
  async #beside(line: string): Promise<Beside> {
    return { line, ...(await start(line, this.directory, this.#env).ended) };
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
        for (let all = this.#processes(); all.length > 0; all = this.#processes())
          for (const one of all) send(one.pid, 'SIGKILL');
        return true;
      case 'provider':
      case 'program': {
        const isPlugin = (line: string): boolean => /pulumi-resource-|terraform-provider-/.test(line);
        const isEffect = (line: string): boolean => line.includes('effect.sh');
        const chosen = this.#processes().filter(({ pid: found, line }) =>
          target === 'provider' ? isPlugin(line) : found !== pid && !isPlugin(line) && !isEffect(line),
        );
        for (const one of chosen) send(one.pid, signal);
        return chosen.length > 0;
      }
    }
  }

  /** Waits for the remaining processes of a command; names and kills those that do not end by themselves. */
  async #rest(): Promise<readonly string[]> {
    const until = Date.now() + ORPHAN_MS;
    while (Date.now() < until && this.#processes().length > 0) await pause(20);
    const left = this.#processes();
    for (const one of left) send(one.pid, 'SIGKILL');
    return left.map(({ line }) => line);
  }

  /** Processes of the run, without the shell that guards those of the shared process. */
  #processes(): readonly Found[] {
    return marked(this.#mark).filter(({ parent }) => parent !== this.#servers.pid);
  }

  #write(file: string, text: string): void {
    const target = path.join(this.directory, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

const ending = ({ signal, code }: Ended): string => signal ?? `exit ${code}`;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function shown({ kind, name, version, value, dependsOn, deleteFirst }: Want[number]): string {
  const after = dependsOn.length === 0 ? '' : ` after ${dependsOn.join(',')}`;
  return `[${kind} ${name}-${version}=${value}${after}${deleteFirst ? ' delete first' : ''}]`;
}

function indented(text: string): readonly string[] {
  return text.trim() === '' ? [] : [text.trimEnd().replaceAll(/^/gm, '    ')];
}
