import { createNodeLanguageHost } from '@cairn/language-node';
import { cairnError } from '@cairn/diagnostics';
import type { EngineEvent, Program } from '@cairn/engine';
import type { LanguageHost, RequiredPackage } from '@cairn/wire';
import type { Env } from '@cairn/workspace';
import type { Prepared } from './prepared.js';

/** The program of a stack, ready to be run by an operation. */
export interface StackProgram {
  readonly host: LanguageHost;
  readonly program: Program;
  readonly packages: readonly RequiredPackage[];
}

/** Settings of one run. */
export interface ProgramOptions {
  readonly typecheck: boolean;
  readonly parallel: number;
  readonly emit: (event: EngineEvent) => void;
}

/** Runtimes of Node programs: `cairn` is what Pulumi's command line calls ours by its plugin. */
const NODE_RUNTIMES: readonly string[] = ['nodejs', 'cairn'];

/** Whether a project's runtime runs TypeScript and JavaScript. */
export function runsNode(runtime: string | undefined): boolean {
  return runtime !== undefined && NODE_RUNTIMES.includes(runtime);
}

/** The language host for a runtime name; undefined when there is none built in. */
export function languageHostFor(env: Env, runtime: string, typecheck = false): LanguageHost | undefined {
  return runsNode(runtime)
    ? createNodeLanguageHost({ environment: env, ...(typecheck ? { typecheck } : {}) })
    : undefined;
}

/** The program of the project; undefined when the project declares no runtime, which acts like an empty program. */
export async function stackProgram(
  prepared: Prepared,
  options: ProgramOptions,
): Promise<StackProgram | undefined> {
  const { runtime } = prepared.project;
  if (runtime === undefined) return undefined;
  const host = languageHostFor(prepared.ports.env, runtime.name, options.typecheck);
  if (host === undefined) {
    throw cairnError(
      'CAIRN-RUNTIME-UNKNOWN',
      `the project asks for the runtime ${JSON.stringify(runtime.name)}`,
      {
        source: { file: prepared.project.location.file },
        hint: 'nodejs is the runtime there is: it runs TypeScript and JavaScript',
      },
    );
  }
  const packages = await host.getRequiredPackages(prepared.program);
  const { values, secretKeys } = prepared.config.program;
  const program: Program = {
    run: ({ monitor, engine, loader, mapper, dryRun }) =>
      host.run({
        info: prepared.program,
        monitorAddress: monitor,
        engineAddress: engine,
        loaderAddress: loader,
        mapperAddress: mapper,
        project: prepared.project.name,
        stack: prepared.id.stack,
        organization: 'organization',
        config: Object.fromEntries(values),
        configSecretKeys: secretKeys,
        dryRun,
        parallel: options.parallel,
        args: [],
        onOutput: (stream, text) => options.emit({ t: 'program-output', stream, text }),
      }),
    cancel: () => host.cancel(),
  };
  return { host, program, packages };
}
