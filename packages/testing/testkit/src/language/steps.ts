import { readFileSync } from 'node:fs';
import path from 'node:path';
import { emptyMap, propertyMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { RunRequest, RunResult } from '@cairn/wire';
import { Http2Caller } from '@cairn/wire/caller';
import { EngineClient } from '@cairn/wire/engine-client';
import { MonitorClient } from '@cairn/wire/monitor-client';
import { registerRequest } from '../program/requests.js';

/** A statement of the language `steps`. A program is a JSON list of them, executed one after the other. */
type Statement =
  | { readonly do: 'print' | 'complain'; readonly text: string }
  | { readonly do: 'log'; readonly severity: 'info' | 'error'; readonly text: string }
  | {
      readonly do: 'component' | 'remote' | 'resource';
      readonly type: string;
      readonly name: string;
      readonly inputs?: Json;
      /** Name under which the outputs are exported. */
      readonly export?: string;
    }
  /** Exports all parameters of the run. */
  | { readonly do: 'export-run'; readonly name: string }
  | { readonly do: 'fail'; readonly text: string }
  | { readonly do: 'bail' }
  | { readonly do: 'die'; readonly code: number }
  | { readonly do: 'hang' };

type Json = Readonly<Record<string, unknown>>;

/** Returns the program of a run: a JSON file, by default `program.json`. */
function programOf({ info }: RunRequest): readonly Statement[] {
  const file = info.entryPoint === '.' ? 'program.json' : info.entryPoint;
  return JSON.parse(readFileSync(path.join(info.programDirectory, file), 'utf8')) as readonly Statement[];
}

/** Runs a program of the language. Its output goes to the standard streams, as that of any program. */
export async function runSteps(request: RunRequest): Promise<RunResult> {
  const callers = [new Http2Caller(request.monitorAddress), new Http2Caller(request.engineAddress)] as const;
  const monitor = new MonitorClient(callers[0]);
  const engine = new EngineClient(callers[1]);
  const { project, stack: name } = request;
  const register = async (spec: Parameters<typeof registerRequest>[0]) =>
    monitor.registerResource(registerRequest(spec));
  if (request.attachDebugger === true)
    await engine.startDebugging({
      config: propertyMap({ type: 'steps', request: 'attach' }),
      message: 'at its first step',
    });
  const stack = await register({ type: 'pulumi:pulumi:Stack', name: `${project}-${name}`, custom: false });
  const exported: Record<string, PropertyValue> = {};
  try {
    for (const statement of programOf(request)) {
      switch (statement.do) {
        case 'print':
          process.stdout.write(`${statement.text}\n`);
          break;
        case 'complain':
          process.stderr.write(`${statement.text}\n`);
          break;
        case 'log': {
          const { severity, text: message } = statement;
          await engine.log({ severity, message, urn: '', streamId: 0, ephemeral: false });
          break;
        }
        case 'component':
        case 'remote':
        case 'resource': {
          const { type, name: called, inputs, export: as } = statement;
          const { outputs } = await register({
            ...{ type, name: called, parent: stack.urn, inputs: values(inputs) },
            ...{ custom: statement.do === 'resource', remote: statement.do === 'remote' },
          });
          if (as !== undefined) exported[as] = outputs;
          break;
        }
        case 'export-run':
          exported[statement.name] = told(request);
          break;
        case 'fail':
          return { t: 'failed', message: statement.text };
        case 'bail':
          return { t: 'bail' };
        case 'die':
          process.exit(statement.code);
          break;
        case 'hang':
          process.stdout.write('hanging\n');
          await new Promise(() => setInterval(() => undefined, 60_000));
          break;
        default:
          throw new Error(`unknown statement ${JSON.stringify(statement satisfies never)}`);
      }
    }
    await monitor.registerResourceOutputs({ urn: stack.urn, outputs: propertyMap(exported) });
    return { t: 'ok' };
  } finally {
    for (const caller of callers) caller.close();
  }
}

function values(inputs: Json | undefined): PropertyMap {
  return inputs === undefined ? emptyMap : propertyMap(inputs as Record<string, PropertyValue>);
}

function told(request: RunRequest): PropertyMap {
  const { info, project, stack, organization, config, configSecretKeys, dryRun, parallel, args } = request;
  return propertyMap({
    ...{ project, stack, organization, dryRun, parallel },
    args: [...args],
    config: propertyMap(config),
    secretKeys: [...configSecretKeys],
    entryPoint: info.entryPoint,
    options: propertyMap(info.options as Record<string, PropertyValue>),
    loader: request.loaderAddress !== undefined,
  });
}
