import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Finished, Running, Sandbox } from './cairn.js';
import { expectOk, sandbox } from './cairn.js';
import { giveStack } from './given-stack.js';

/** The provider `boxes`. */
export const provider = path.resolve(
  __dirname,
  '..',
  '..',
  'packages/testing/testkit/bin/terraform-provider-boxes',
);

/** A project with the typed package of a provider of Terraform's protocol, `boxes`, which runs in its own process. */
export async function shopProject(): Promise<Sandbox> {
  const box = sandbox({
    'Cairn.yaml': 'name: shop\nruntime: nodejs\nmain: index.ts\n',
    'package.json': '{"name": "shop", "private": true, "type": "module"}',
  });
  expectOk(await box.cairn(['package', 'add', 'terraform-provider', provider]));
  return box;
}

/** A call that the provider received, by its name in protocol 6; values as its cases write them. */
interface Asked {
  readonly call: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/**
 * A stack of its own in a project, with objects of its own: they are files, every effect on them is a line in a file,
 * and a script makes the provider misbehave.
 */
export class Shop {
  readonly #objects: string;
  #scripts = 0;
  #script = '';
  readonly #box: Sandbox;

  private constructor(
    box: Sandbox,
    readonly stack: string,
  ) {
    this.#box = box;
    this.#objects = path.join(box.state, `objects-${stack}`);
    mkdirSync(this.#objects, { recursive: true });
    this.behaves();
  }

  static open(box: Sandbox, stack: string): Shop {
    giveStack(box, stack);
    return new Shop(box, stack);
  }

  /** Writes the program: a box, its inputs, and more. */
  sells(inputs: string, more = '', options = '{}'): this {
    return this.runs(
      `const one = new Box('one', { ${inputs} }, ${options});
${more}
export const label = one.label;\nexport const size = one.size;\n`,
    );
  }

  /** The program. */
  runs(lines: string): this {
    this.#box.write('index.ts', `import { Box, Lid } from '@cairn-sdks/boxes';\n${lines}`);
    return this;
  }

  /** Rules of the provider from now on. */
  misbehaves(...rules: readonly object[]): this {
    this.#script = path.join(this.#objects, `script-${++this.#scripts}.json`);
    const [directory, calls] = [this.folder, this.file('calls')];
    writeFileSync(this.#script, JSON.stringify({ rules, directory, calls }));
    return this;
  }

  behaves(): this {
    return this.misbehaves();
  }

  /** Variables that the processes of commands need. */
  get env(): Record<string, string> {
    return { BOXES_DIRECTORY: this.folder, TERRAFORM_SCRIPT: this.#script };
  }

  /** Runs a command to its end in the shared process. */
  run(...words: readonly string[]): Promise<Finished> {
    return this.#box.cairn([...words, '--stack', this.stack], { env: this.env });
  }

  /** Starts a command in a process of its own. */
  start(...words: readonly string[]): Running {
    return this.#box.start([...words, '--stack', this.stack], { env: this.env });
  }

  async ok(...words: readonly string[]): Promise<Finished> {
    return expectOk(await this.run(...words));
  }

  /** Returns the effects on objects, in order. */
  effects(): readonly string[] {
    return lines(path.join(this.folder, 'effects')).map((line) => {
      const { effect, id } = JSON.parse(line) as { readonly effect: string; readonly id: string };
      return `${effect} ${id}`;
    });
  }

  /** Every call of this kind. */
  asked(call: string): readonly Asked[] {
    const all = lines(this.file('calls')).map((line) => JSON.parse(line) as Asked);
    return all.filter((each) => each.call === call && 'request' in each);
  }

  /** Resources of the state by the last part of their URN. */
  async entries(): Promise<Readonly<Record<string, Entry>>> {
    const { stdout } = await this.ok('stack', 'export', '--show-secrets');
    const { deployment } = JSON.parse(stdout) as { deployment: { resources?: readonly Entry[] } };
    const { resources = [] } = deployment;
    return Object.fromEntries(resources.map((each) => [each.urn.split('::').at(-1), each]));
  }

  /** Returns the file of this name beside the objects. */
  file(name: string): string {
    return path.join(this.#objects, name);
  }

  /** Where the objects are. */
  get folder(): string {
    return this.file('boxes');
  }

  /** Changes objects behind the provider's back. */
  drift(type: string, change: (json: string) => string): void {
    const folder = path.join(this.folder, 'objects', type);
    for (const file of readdirSync(folder)) {
      const full = path.join(folder, file);
      writeFileSync(full, change(readFileSync(full, 'utf8')));
    }
  }

  lose(type: string): void {
    rmSync(path.join(this.folder, 'objects', type), { recursive: true });
  }
}

/** The parts of an exported resource that tests read. */
interface Entry {
  readonly urn: string;
  readonly id?: string;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** The lines of a file; none where it is not there. */
function lines(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
