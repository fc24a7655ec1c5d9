import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const repository = path.resolve(__dirname, '..', '..');
const scratch = path.join(repository, 'e2e', '.scratch');

/** A program that starts providers. */
export interface Host {
  readonly name: 'terraform' | 'tofu';
  readonly executable: string;
  readonly registry: string;
}

/** The hosts that are on PATH. */
export const hosts: readonly Host[] = (
  [
    ['terraform', 'registry.terraform.io'],
    ['tofu', 'registry.opentofu.org'],
  ] as const
).flatMap(([name, registry]) => {
  const executable = onPath(name);
  return executable === undefined ? [] : [{ name, executable, registry }];
});

/** A provider of ours by the last part of its package's name. */
export type OwnProvider = 'random' | 'local' | 'postgresql';

/** Its command, as npm installs it. */
export const providerCommand = (name: OwnProvider): string =>
  path.join(repository, 'packages', 'providers', name, 'bin', 'terraform.js');

/** Ways in which a host finds providers. */
export const WAYS = ['a filesystem mirror', 'a development override', 'protocol 5', 'reattaching'] as const;

/** One of {@link WAYS}. */
export type Way = (typeof WAYS)[number];

/** Result of a command of a host. */
interface Said {
  readonly code: number | null;
  /** Both streams. */
  readonly text: string;
}

/** A folder with a configuration, where commands of a host run. They ask no registry. */
export class TerraformFolder {
  readonly directory: string;
  readonly #env: Record<string, string | undefined>;
  readonly #attached: ChildProcess[] = [];
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    mkdirSync(scratch, { recursive: true });
    this.directory = mkdtempSync(path.join(scratch, 'terraform-'));
    const { TF_REATTACH_PROVIDERS: _reattach, TF_LOG: _log, ...inherited } = process.env;
    this.#env = {
      ...inherited,
      ...{ CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1', TF_INPUT: '0', TF_CLI_ARGS: '-no-color' },
      TF_CLI_CONFIG_FILE: path.join(this.directory, 'cli.tfrc'),
      HOME: this.directory,
    };
  }

  /** Has the host find these providers, the whole way from an installed package to the first call. */
  async find(way: Way, providers: readonly OwnProvider[]): Promise<void> {
    const bin = path.join(this.directory, 'bin');
    mkdirSync(bin);
    const entries = providers.map((name) => [`cairn/cairn-${name}`, bin] as const);
    for (const name of providers) this.#install(way, bin, name);
    const overrides = entries.map(([source, folder]) => `    "${source}" = "${folder}"\n`).join('');
    const mirror = path.join(this.directory, 'mirror');
    const method =
      way === 'a development override' || way === 'protocol 5'
        ? `  dev_overrides {\n${overrides}  }\n`
        : `  filesystem_mirror {\n    path = "${mirror}"\n  }\n`;
    this.write('cli.tfrc', `provider_installation {\n${method}}\n`);
    const required = providers.map((name) => {
      const version = way === 'a filesystem mirror' ? ', version = "~> 0.1.0"' : '';
      return `    cairn-${name} = { source = "cairn/cairn-${name}"${version} }\n`;
    });
    this.write('versions.tf', `terraform {\n  required_providers {\n${required.join('')}  }\n}\n`);
    if (way === 'reattaching') await this.#attach(providers);
    if (way === 'a filesystem mirror') expectDone(await this.run('init'));
  }

  #install(way: Way, bin: string, name: OwnProvider): void {
    const command = `terraform-provider-cairn-${name}`;
    if (way === 'protocol 5') {
      const script = `#!/bin/sh\nPLUGIN_PROTOCOL_VERSIONS=5 exec "${providerCommand(name)}" "$@"\n`;
      writeFileSync(path.join(bin, command), script, { mode: 0o755 });
      return;
    }
    const system = { win32: 'windows' }[process.platform as string] ?? process.platform;
    const arch = { x64: 'amd64' }[process.arch as string] ?? process.arch;
    const place = ['mirror', this.#host.registry, 'cairn', `cairn-${name}`, '0.1.0', `${system}_${arch}`];
    const folder = way === 'a filesystem mirror' ? path.join(this.directory, ...place) : bin;
    mkdirSync(folder, { recursive: true });
    symlinkSync(providerCommand(name), path.join(folder, command));
  }

  /** Starts the providers by hand, and tells the host of them as their users do. */
  async #attach(providers: readonly OwnProvider[]): Promise<void> {
    const told = await Promise.all(
      providers.map(async (name) => {
        const command = path.join(this.directory, 'bin', `terraform-provider-cairn-${name}`);
        const child = spawn(command, ['-debug'], {
          cwd: this.directory,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        this.#attached.push(child);
        const line = await new Promise<string>((resolve, reject) => {
          child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
          child.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)));
        });
        const [, json = ''] = /^TF_REATTACH_PROVIDERS='(.*)'\n$/.exec(line) ?? [];
        return JSON.parse(json) as object;
      }),
    );
    this.#env['TF_REATTACH_PROVIDERS'] = JSON.stringify(Object.assign({}, ...told));
  }

  /** Sets variables for the commands that follow. */
  use(env: Readonly<Record<string, string>>): void {
    Object.assign(this.#env, env);
  }

  write(file: string, content: string): void {
    writeFileSync(path.join(this.directory, file), content);
  }

  read(file: string): string {
    return readFileSync(path.join(this.directory, file), 'utf8');
  }

  /** Starts a command that runs by itself. */
  start(...words: readonly string[]): { readonly child: ChildProcess; readonly said: Promise<Said> } {
    const { directory } = this;
    const env = this.#env;
    const host = this.#host;
    const child = spawn(host.executable, words, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const said = new Promise<Said>((resolve) => child.once('close', (code) => resolve({ code, text })));
    return { child, said };
  }

  run(...words: readonly string[]): Promise<Said> {
    return this.start(...words).said;
  }

  /** Plans, and applies the plan. Returns the action on each object, except those without one. */
  async change(...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
    const planned = await this.plan(...words);
    const said = await this.run('apply', 'plan');
    expectDone(said);
    return planned;
  }

  /** Plans and applies with one command, which starts each provider once. Returns what {@link change} returns. */
  async apply(...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
    const said = await this.run('apply', '-json', '-auto-approve', ...words);
    expectDone(said);
    return Object.fromEntries(
      said.text
        .split('\n')
        .filter((line) => line.startsWith('{"') && line.includes('"planned_change"'))
        .map((line) => (JSON.parse(line) as PlannedLine).change)
        .map(({ resource, action, importing }) => {
          const own = { replace: 'delete create', import: '', noop: '' }[action] ?? action;
          return [resource.addr, (importing === undefined ? own : `import ${own}`).trim()] as const;
        }),
    );
  }

  /** Returns the planned action for each object, except those without one. */
  async plan(...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
    expectDone(await this.run('plan', '-out=plan', ...words));
    const shown = await this.run('show', '-json', 'plan');
    const { resource_changes: changes = [] } = JSON.parse(lastLine(shown)) as PlanDocument;
    return Object.fromEntries(
      changes
        .map(({ address, change: { actions, importing } }) => {
          const imported = (importing ?? null) === null ? [] : ['import'];
          return [address, [...imported, ...actions.filter((each) => each !== 'no-op')].join(' ')] as const;
        })
        .filter(([, actions]) => actions !== ''),
    );
  }

  /** Attributes of the objects in the state. */
  async objects(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
    const { values } = JSON.parse(lastLine(await this.run('show', '-json'))) as StateDocument;
    const resources = values?.root_module?.resources ?? [];
    return Object.fromEntries(resources.map(({ address, values: of }) => [address, of]));
  }

  /** Processes of providers that were found in this folder and still run. */
  processes(): readonly string[] {
    const { stdout } = spawnSync('ps', ['-axww', '-o', 'command='], { encoding: 'utf8' });
    return stdout
      .split('\n')
      .filter((line) => line.includes(this.directory) && line.includes('terraform-provider-'));
  }

  async remove(): Promise<void> {
    for (const child of this.#attached) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode !== null) continue;
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

interface PlanDocument {
  readonly resource_changes?: readonly {
    readonly address: string;
    readonly change: { readonly actions: readonly string[]; readonly importing?: object | null };
  }[];
}

/** Line of a command that reports as JSON, about one object. */
interface PlannedLine {
  readonly change: {
    readonly resource: { readonly addr: string };
    readonly action: string;
    readonly importing?: object;
  };
}

interface StateDocument {
  readonly values?: {
    readonly root_module?: {
      readonly resources?: readonly { readonly address: string; readonly values: Record<string, unknown> }[];
    };
  };
}

/** Fails with the output of the command. */
export function expectDone({ code, text }: Said): void {
  if (code !== 0) throw new Error(`ended with ${code}:\n${text}`);
}

function lastLine({ code, text }: Said): string {
  const line = text.split('\n').find((each) => each.startsWith('{'));
  if (line === undefined) throw new Error(`no JSON, ended with ${code}:\n${text}`);
  return line;
}

function onPath(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (spawnSync(file, ['version'], { env: { ...process.env, CHECKPOINT_DISABLE: '1' } }).status === 0)
        return file;
    } catch {
      continue;
    }
  }
  return undefined;
}
