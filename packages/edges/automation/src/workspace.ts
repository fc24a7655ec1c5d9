import type { Ports } from '@cairn/operations/stacks';
import { StackNotFoundError } from './errors.js';
import { openPlace, portsOf } from './inside/place.js';
import type { Place } from './inside/place.js';
import type { Stacks } from './inside/parts.js';
import { publicError } from './inside/public-error.js';
import type { InlineProject, LocalProject } from './project.js';
import { Stack } from './stack.js';

/** A stack in a listing; what its checkpoint says is missing where that cannot be read. */
export interface StackSummary {
  readonly name: string;
  readonly resources: number | undefined;
  readonly lastUpdate: Date | undefined;
}

/** How a stack is created. */
export interface CreateOptions {
  /** `passphrase`, or the URL of a key of a cloud; default: a passphrase. */
  readonly secretsProvider?: string | undefined;
}

/** How a stack is removed. */
export interface RemoveOptions {
  /** Removes it although it has resources, which nobody manages any more then. */
  readonly force?: boolean | undefined;
  /** Keeps its configuration. */
  readonly preserveConfig?: boolean | undefined;
}

/**
 * A project and its stacks. Made by {@link openWorkspace}; disposing of it with `await using` removes what was made for
 * its time, and leaves stacks as they are.
 */
export class Workspace<Returned = unknown> implements AsyncDisposable {
  readonly #place: Place;
  /** Name of the project. */
  readonly project: string;

  /** @internal */
  constructor(place: Place) {
    this.#place = place;
    this.project = place.project;
  }

  /** Directory of the project file, where the configuration of the stacks is too. */
  get directory(): string {
    return this.#place.directory;
  }

  /** Creates a stack. Throws {@link StackExistsError} when there is one of that name. */
  async createStack(name: string, { secretsProvider }: CreateOptions = {}): Promise<Stack<Returned>> {
    const { backendUrl } = this.#place;
    const made = await this.#with((stacks, ports) =>
      stacks.createStack(ports, name, { backendUrl, secretsProvider, select: false }),
    );
    return this.#stack(made.stack);
  }

  /** A stack that exists. Throws {@link StackNotFoundError}. Which one the command line has selected is not changed. */
  async selectStack(name: string): Promise<Stack<Returned>> {
    const { backendUrl } = this.#place;
    const id = await this.#with((stacks, ports) =>
      stacks.withStack(ports, { stack: name, backendUrl }, ({ id }) => Promise.resolve(id)),
    );
    return this.#stack(id.stack);
  }

  /** A stack that exists, or a new one. */
  async createOrSelectStack(name: string, options: CreateOptions = {}): Promise<Stack<Returned>> {
    try {
      return await this.selectStack(name);
    } catch (error) {
      if (error instanceof StackNotFoundError) return this.createStack(name, options);
      throw error;
    }
  }

  /** The stacks of the project. */
  async listStacks(): Promise<readonly StackSummary[]> {
    const { backendUrl } = this.#place;
    const listed = await this.#with((stacks, ports) => stacks.listStacks(ports, { backendUrl }));
    return listed.map(({ stack: name, resources, lastUpdate }) => ({
      ...{ name, resources },
      lastUpdate: lastUpdate === undefined ? undefined : new Date(lastUpdate),
    }));
  }

  /** Removes a stack with its history. Throws CAIRN-STACK-NOT-EMPTY unless `force` is said. */
  async removeStack(name: string, { force, preserveConfig }: RemoveOptions = {}): Promise<void> {
    const { backendUrl } = this.#place;
    await this.#with((stacks, ports) =>
      stacks.withStack(ports, { stack: name, backendUrl }, (stack) =>
        stacks.removeStack(stack, { force, preserveConfig }),
      ),
    );
  }

  /** Removes the directory that was made for the time of the workspace, if one was. */
  async close(): Promise<void> {
    await this.#place.remove();
  }

  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #stack(name: string): Stack<Returned> {
    return new Stack<Returned>(this.#place, name);
  }

  async #with<T>(work: (stacks: Stacks, ports: Ports) => Promise<T>): Promise<T> {
    const [stacks, ports] = await Promise.all([import('@cairn/operations/stacks'), portsOf(this.#place)]);
    return work(stacks, ports).catch((error: unknown) => {
      throw publicError(error);
    });
  }
}

/**
 * Opens a project: one whose program is a function of this process, or one in a directory. Any number can be open at
 * once; they share nothing.
 *
 * ```ts
 * const program = () => ({ pet: new RandomPet('pet').result });
 * await using workspace = await openWorkspace({ project: 'shop', program });
 * const stack = await workspace.createOrSelectStack('dev');
 * const { outputs } = await stack.up();
 * ```
 */
export function openWorkspace<Returned>(options: InlineProject<Returned>): Promise<Workspace<Returned>>;
export function openWorkspace(options: LocalProject): Promise<Workspace>;
export async function openWorkspace(options: InlineProject<unknown> | LocalProject): Promise<Workspace> {
  try {
    return new Workspace(await openPlace(options));
  } catch (error) {
    throw publicError(error);
  }
}
