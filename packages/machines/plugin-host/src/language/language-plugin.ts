import { fail, isCairnError, messageOf } from '@cairn/diagnostics';
import { isStatusError } from '@cairn/wire';
import type {
  LanguageHost,
  LanguageTools,
  ProgramInfo,
  RequiredPackage,
  RunPluginRequest,
  RunRequest,
  RunResult,
  RunningPlugin,
} from '@cairn/wire';
import type { LanguageClient } from '@cairn/wire/language-client';
import { within } from '@cairn/processes';
import { DEFAULT_PLUGIN_LIMITS } from '../options.js';
import type { Observed, PluginLimits, PluginMessage } from '../options.js';
import { readSettings } from '../settings.js';
import { findLanguage } from './find-language.js';
import type { LanguageSearch } from './find-language.js';
import type { LanguageConnection } from './language-process.js';

/** Options of a language plugin. */
interface LanguagePluginOptions extends LanguageSearch {
  /** Working directory of the plugin. */
  readonly programDirectory: string;
  /** Our environment, which the plugin inherits. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Observation of the plugin's calls. Without it, they are not observed. */
  readonly observed?: Observed | undefined;
  /** Receives the plugin's output while it runs nothing. Must not throw. */
  readonly onMessage: (message: PluginMessage) => void;
  /** Times in milliseconds. Defaults to those of plugins. */
  readonly limits?: Partial<PluginLimits> | undefined;
}

/** Language whose programs are run by a plugin, `pulumi-language-<name>`. */
export interface LanguagePlugin extends LanguageHost, LanguageTools {
  readonly generatePackage: LanguageClient['generatePackage'];
  readonly link: LanguageClient['link'];
}

/**
 * Returns a language plugin, which is found and started at the first request. Its calls fail with CAIRN-RUNTIME-UNKNOWN
 * when it is not installed, CAIRN-PLUGIN-START when it does not start, and CAIRN-PLUGIN-DIED when it ends during a
 * call. If it refuses the program, they fail with CAIRN-PROGRAM-LOAD and its message. After `close`, no process is
 * left.
 */
export function createLanguagePlugin(options: LanguagePluginOptions): LanguagePlugin {
  return new Plugin(options, { ...DEFAULT_PLUGIN_LIMITS, ...options.limits });
}

class Plugin implements LanguagePlugin {
  #connection: Promise<LanguageConnection> | undefined;
  readonly #closing = new AbortController();
  readonly #plugins = new Set<RunningPlugin>();
  #running: Promise<unknown> | undefined;
  readonly #options: LanguagePluginOptions;
  readonly #limits: PluginLimits;

  constructor(options: LanguagePluginOptions, limits: PluginLimits) {
    this.#options = options;
    this.#limits = limits;
  }

  #connect(): Promise<LanguageConnection> {
    this.#connection ??= this.#start();
    this.#connection.catch(() => undefined);
    return this.#connection;
  }

  async #start(): Promise<LanguageConnection> {
    const options = this.#options;
    const limits = this.#limits;
    const location = await findLanguage(options, readSettings(options.environment));
    const { runtime, programDirectory, environment, observed, onMessage } = options;
    const { signal } = this.#closing;
    const launch = { runtime, programDirectory, environment, observed, limits, signal, onMessage };
    const { connectLanguage } = await import('./language-process.js');
    return connectLanguage(launch, location);
  }

  /** Makes one request. If the plugin refuses it, the fault is in the program or in its installed dependencies. */
  async #ask<T>(what: string, question: (client: LanguageClient) => Promise<T>): Promise<T> {
    const { client } = await this.#connect();
    return question(client).catch((error: unknown) => this.#refused(what, error));
  }

  /** Makes a request that installs nothing. A plugin that has not answered in time is abandoned. */
  #askInTime<T>(what: string, question: (client: LanguageClient) => Promise<T>): Promise<T> {
    const { runtime } = this.#options;
    const { answerMs } = this.#limits;
    return this.#ask(what, async (client) => {
      const answer = question(client).then((value) => ({ value }));
      const inTime = await within(answer, answerMs);
      if (inTime !== undefined) return inTime.value;
      answer.catch(() => undefined);
      await this.close();
      return fail('CAIRN-PROGRAM-LOAD', `cannot ${what}`, {
        causes: [`the language plugin ${runtime} did not answer within ${answerMs / 1000} s`],
        hint: `Run the command again; if it happens again, check the installation of pulumi-language-${runtime}.`,
      });
    });
  }

  #refused(what: string, error: unknown): never {
    if (isCairnError(error)) throw error;
    const { runtime } = this.#options;
    const unknown = isStatusError(error, 'UNIMPLEMENTED');
    return fail(
      'CAIRN-PROGRAM-LOAD',
      `cannot ${what}`,
      {
        causes: unknown
          ? [`the language plugin ${runtime} does not support it: ${messageOf(error)}`]
          : messageOf(error).split('\n'),
        hint: unknown
          ? `Install a newer pulumi-language-${runtime}.`
          : 'Correct what the language plugin names; `cairn install` installs the dependencies of a program.',
      },
      error,
    );
  }

  async getPluginInfo(): Promise<{ readonly version: string }> {
    return { version: (await this.#connect()).version };
  }

  getRequiredPackages(info: ProgramInfo): Promise<readonly RequiredPackage[]> {
    return this.#askInTime('list the packages that the program needs', (client) =>
      client.getRequiredPackages(info),
    );
  }

  installDependencies: LanguageTools['installDependencies'] = async (request, onOutput) => {
    const { divert, quiet } = await this.#connect();
    divert(onOutput);
    try {
      await this.#ask(`install the dependencies of ${request.info.programDirectory}`, (client) =>
        client.installDependencies(request, onOutput),
      );
    } finally {
      await quiet();
      divert(undefined);
    }
  };

  getProgramDependencies: LanguageTools['getProgramDependencies'] = (info, transitive) =>
    this.#askInTime('list the dependencies of the program', (client) =>
      client.getProgramDependencies(info, transitive),
    );

  about: LanguageTools['about'] = (info) =>
    this.#askInTime('describe the runtime of the program', (client) => client.about(info));

  runtimeOptionsPrompts: LanguageTools['runtimeOptionsPrompts'] = (info) =>
    this.#askInTime('list the options of the runtime', (client) => client.runtimeOptionsPrompts(info));

  template: LanguageTools['template'] = (info, projectName) =>
    this.#askInTime('adapt the new project', (client) => client.template(info, projectName));

  generatePackage: LanguagePlugin['generatePackage'] = (request) =>
    this.#ask('generate a package', (client) => client.generatePackage(request));

  link: LanguagePlugin['link'] = (request) =>
    this.#ask('make the program depend on a package', (client) => client.link(request));

  run(request: RunRequest): Promise<RunResult> {
    const running = this.#runProgram(request);
    this.#running = running.catch(() => undefined);
    return running;
  }

  async #runProgram(request: RunRequest): Promise<RunResult> {
    const { client, relay, divert, quiet } = await this.#connect();
    relay.forward(request.engineAddress);
    let written = false;
    divert((stream, text) => {
      written ||= stream === 'stderr';
      request.onOutput(stream, text);
    });
    try {
      const result = await client.run(request);
      await quiet();
      return result.t === 'bail' && written ? { t: 'bail', written } : result;
    } finally {
      await quiet();
      divert(undefined);
    }
  }

  runPlugin(request: RunPluginRequest): RunningPlugin {
    const started = this.#startPlugin(request);
    const running: RunningPlugin = {
      exited: started
        .then(({ exited }) => exited)
        .finally(async () => {
          this.#plugins.delete(running);
          await this.#closeIdle();
        }),
      kill: async () => {
        await this.close();
      },
    };
    running.exited.catch(() => undefined);
    this.#plugins.add(running);
    return running;
  }

  async #startPlugin(request: RunPluginRequest): Promise<RunningPlugin> {
    const { client, divert, relay } = await this.#connect();
    if (request.engineAddress !== undefined) relay.forward(request.engineAddress);
    // Output of the host itself, such as messages of a compiler, is no port.
    divert((_, text) => request.onOutput('stderr', text));
    const { exited, kill } = client.runPlugin(request);
    return {
      exited: exited.catch((error: unknown) => {
        if (!isStatusError(error, 'UNIMPLEMENTED')) throw error;
        const { runtime } = this.#options;
        throw new Error(
          `the language plugin ${runtime} runs programs, but no plugins: install a newer pulumi-language-${runtime}`,
          { cause: error },
        );
      }),
      kill,
    };
  }

  async cancel(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    if (connection === undefined) return;
    await within(
      connection.client.cancel().catch(() => undefined),
      this.#limits.closeCancelMs,
    );
    const ended = await within(
      (this.#running ?? Promise.resolve()).then(() => true),
      this.#limits.interruptGraceMs,
    );
    if (ended !== true) await connection.stop(this.#limits.interruptGraceMs);
  }

  async #closeIdle(): Promise<void> {
    if (this.#plugins.size === 0 && this.#running === undefined) await this.close();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.stop(this.#limits.interruptGraceMs);
  }
}
