import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { Ports } from '@cairn/operations/stacks';
import { StackNotFoundError } from './errors.js';
import { openPlace, projectPorts } from './inside/place.js';
import type { ProjectPlace } from './inside/place.js';
import type { StacksModule } from './inside/parts.js';
import { publicError } from './inside/public-error.js';
import type { InlineProject, LocalProject, WorkspaceOptions } from './project.js';
import type {
  AddedPackage,
  InstallOptions,
  InstalledPlugin,
  NewProjectOptions,
  PackageOptions,
  PluginOptions,
} from './projects.js';
import { Stack } from './stack.js';

/** A stack in a listing. Fields from its checkpoint are undefined if it cannot be read. */
export interface StackSummary {
  readonly name: string;
  readonly resources: number | undefined;
  readonly lastUpdate: Date | undefined;
}

/** Options for creating a stack. */
export interface CreateOptions {
  /** `passphrase`, or the URL of a cloud key. Defaults to a passphrase. */
  readonly secretsProvider?: string | undefined;
}

/** Options for removing a stack. */
export interface RemoveOptions {
  /** Removes the stack even if it has resources. Cairn no longer manages them then. */
  readonly force?: boolean | undefined;
  /** Keeps its configuration. */
  readonly preserveConfig?: boolean | undefined;
}

/**
 * A project and its stacks, opened by {@link openWorkspace}. Disposal with `await using` removes what was created for
 * its lifetime and leaves stacks as they are.
 */
export class Workspace<Returned = unknown> implements AsyncDisposable {
  readonly #place: ProjectPlace;
  /** Name of the project. */
  readonly project: string;

  /** @internal */
  constructor(place: ProjectPlace) {
    this.#place = place;
    this.project = place.project;
  }

  /** Directory of the project file and of the stacks' configuration. */
  get directory(): string {
    return this.#place.directory;
  }

  /** Creates a stack. Throws {@link StackExistsError} if one of that name exists. */
  async createStack(name: string, { secretsProvider }: CreateOptions = {}): Promise<Stack<Returned>> {
    const { backendUrl } = this.#place;
    const made = await this.#with((stacks, ports) =>
      stacks.createStack(ports, name, { backendUrl, secretsProvider, select: false }),
    );
    return this.#stack(made.stack);
  }

  /** Returns an existing stack. Throws {@link StackNotFoundError}. The command line's selection does not change. */
  async selectStack(name: string): Promise<Stack<Returned>> {
    const { backendUrl } = this.#place;
    const id = await this.#with((stacks, ports) =>
      stacks.withStack(ports, { stack: name, backendUrl }, ({ id }) => Promise.resolve(id)),
    );
    return this.#stack(id.stack);
  }

  /** Returns an existing stack, or creates it. */
  async createOrSelectStack(name: string, options: CreateOptions = {}): Promise<Stack<Returned>> {
    try {
      return await this.selectStack(name);
    } catch (error) {
      if (error instanceof StackNotFoundError) return this.createStack(name, options);
      throw error;
    }
  }

  /** Lists the stacks of the project. */
  async listStacks(): Promise<readonly StackSummary[]> {
    const { backendUrl } = this.#place;
    const listed = await this.#with((stacks, ports) => stacks.listStacks(ports, { backendUrl }));
    return listed.map(({ stack: name, resources, lastUpdate }) => ({
      ...{ name, resources },
      lastUpdate: lastUpdate === undefined ? undefined : new Date(lastUpdate),
    }));
  }

  /**
   * Removes a stack with its history. Throws CAIRN-STACK-NOT-EMPTY for a stack with resources unless `force` is set.
   */
  async removeStack(name: string, { force, preserveConfig }: RemoveOptions = {}): Promise<void> {
    const { backendUrl } = this.#place;
    await this.#with((stacks, ports) =>
      stacks.withStack(ports, { stack: name, backendUrl }, (stack) =>
        stacks.removeStack(stack, { force, preserveConfig }),
      ),
    );
  }

  /**
   * Adds a package to the project in the directory: code generated for the language of the program, and a row in the
   * project file. `source` is NAME, NAME@VERSION, an address in git, or a path of a plugin or a schema.
   */
  async addPackage(source: string, options: PackageOptions = {}): Promise<AddedPackage> {
    const { parameters, server, onOutput } = options;
    const packages = await import('@cairn/operations/packages');
    return this.#publicly(async () => {
      const ports = await projectPorts(this.#place, onOutput);
      const user = await packages.packageUser(ports.cwd, undefined);
      const obtained = await packages.obtainSchema(ports, { text: source, parameters, server });
      const { model, written, instructions } = await packages.addPackage(ports, user, obtained);
      const { name, version } = model;
      return { name, version, npmName: written?.npmName, instructions };
    });
  }

  /** Installs the needs of the project in the directory: plugins, packages and dependencies of its program. */
  async install(options: InstallOptions = {}): Promise<void> {
    const { plugins = true, dependencies = true, reinstall = false, parallel = 4, onOutput } = options;
    const [{ installProject }, { loadProject }] = await Promise.all([
      import('@cairn/operations/packages'),
      import('@cairn/workspace'),
    ]);
    await this.#publicly(async () => {
      const ports = await projectPorts(this.#place, onOutput);
      const settings = { plugins, dependencies, reinstall, parallel, exact: false, versionTools: false };
      await installProject(ports, await loadProject(ports.cwd), settings);
    });
  }

  /** Installs a plugin into the cache of this machine, unless it is already there. */
  async installPlugin(name: string, options: PluginOptions = {}): Promise<InstalledPlugin> {
    const { kind = 'resource', version, server, reinstall = false } = options;
    const { installAll } = await import('@cairn/operations/packages');
    return this.#publicly(async () => {
      const request = { plugin: { kind, name, version }, server };
      const settings = { reinstall, exact: true, parallel: 1 };
      const [installed] = await installAll(await projectPorts(this.#place), [request], settings);
      const { plugin } = installed ?? request;
      return { kind: plugin.kind, name: plugin.name, version: plugin.version };
    });
  }

  /** Removes the directory that was created for the lifetime of the workspace, if there is one. */
  async close(): Promise<void> {
    await this.#place.remove();
  }

  /** Closes the workspace, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #stack(name: string): Stack<Returned> {
    return new Stack<Returned>(this.#place, name);
  }

  async #with<T>(work: (stacks: StacksModule, ports: Ports) => Promise<T>): Promise<T> {
    const [stacks, ports] = await Promise.all([
      import('@cairn/operations/stacks'),
      projectPorts(this.#place),
    ]);
    return this.#publicly(() => work(stacks, ports));
  }

  #publicly<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => {
      throw publicError(error);
    });
  }
}

/**
 * Creates a project from a template, without a stack, and opens it.
 *
 * ```ts
 * const workspace = await newProject({ template: 'npm:my-template', directory: 'shop', name: 'shop' });
 * ```
 */
export async function newProject(
  options: NewProjectOptions,
  { backendUrl, env, passphrase, packageRoots }: WorkspaceOptions = {},
): Promise<Workspace> {
  const { template: text, name, description, runtimeOptions = {}, force = false, install = true } = options;
  const templates = await import('@cairn/operations/templates');
  try {
    const directory = path.resolve(options.directory);
    await mkdir(directory, { recursive: true });
    const place = {
      env: { ...process.env, ...env },
      directory: process.cwd(),
      packageRoots: packageRoots ?? [],
    };
    const ports = await projectPorts(place, options.onOutput);
    const { templates: found, remove } = await templates.findTemplates(
      ports,
      templates.PROJECTS,
      text,
      false,
    );
    try {
      const template = await templates.chooseTemplate(found, {});
      const project = { template, directory, name, runtimeOptions, force, install };
      await templates.projectFromTemplate(
        ports,
        { ...project, description: description ?? template.description },
        {},
      );
    } finally {
      await remove();
    }
    return await openWorkspace({ directory, backendUrl, env, passphrase, packageRoots });
  } catch (error) {
    throw publicError(error);
  }
}

/**
 * Opens a project: one in a directory, or one whose program is a function of this process. Any number of projects can
 * be open at once; they share nothing.
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
