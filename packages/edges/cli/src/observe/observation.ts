import { messageOf } from '@cairn/diagnostics';
import type { Observer } from '@cairn/operations/stacks';
import type { CallEar, CallWatch } from '@cairn/wire/caller';
import type { CommandContext } from '../command-context.js';
import type { Look } from './look.js';
import type { Wanted } from './wanted.js';

/** Observation of one command, from its start to its end. */
export interface Observation {
  readonly observer: Observer;
  /** Writes the rest and warns of lost data; `code` is the exit code of the command. Never throws. */
  close(code: number): Promise<void>;
}

/** Starts to observe a command. Fails (CAIRN-USAGE) if the requested data cannot be written. */
export async function startObservation(
  context: CommandContext,
  command: string,
  wanted: Wanted,
): Promise<Observation> {
  const looks: Look[] = [];
  try {
    if (wanted.profiles !== undefined)
      looks.push(await (await import('./profiles.js')).startProfiles(wanted.profiles));
    if (wanted.calls !== undefined)
      looks.push((await import('./call-log.js')).openCallLog(wanted.calls, context.now));
    if (wanted.log !== undefined)
      looks.push((await import('./run-log.js')).openRunLog(context, command, wanted.log));
    if (wanted.traces !== undefined)
      looks.push(await (await import('./traces.js')).startTraces(context, command, wanted.traces));
  } catch (error) {
    for (const look of looks) await look.close(1);
    throw error;
  }
  const heard = looks.filter((look) => look.event !== undefined);
  return {
    observer: {
      observed: (mask) => ({
        calls: together(looks.flatMap((look) => look.watch?.(mask) ?? [])),
        asProcesses: wanted.calls !== undefined,
        variables: Object.assign({}, ...looks.map(({ variables }) => variables)) as Record<string, string>,
        arguments: looks.flatMap((look) => look.arguments ?? []),
        debugs: (plugin) => isDebugged(wanted.debugged, ['plugins', `plugin:${plugin}`]),
      }),
      ...(wanted.debugged.length > 0 && { debugged: { program: isDebugged(wanted.debugged, ['program']) } }),
      ...(heard.length > 0 && { event: (event) => heard.forEach((look) => look.event?.(event)) }),
    },
    close: async (code) => {
      for (const look of looks.reverse()) {
        const lost = await Promise.resolve(code)
          .then((end) => look.close(end))
          .catch(messageOf);
        if (lost !== undefined) context.stderr.write(`warning: ${lost}\n`);
      }
    },
  };
}

function isDebugged(asked: readonly string[], names: readonly string[]): boolean {
  return asked.includes('all') || names.some((name) => asked.includes(name));
}

/** Combines all watches into one, or returns undefined if there are none. */
function together(watches: readonly CallWatch[]): CallWatch | undefined {
  if (watches.length < 2) return watches[0];
  return { begin: (call) => earsOf(watches.map((watch) => watch.begin(call))) };
}

function earsOf(ears: readonly CallEar[]): CallEar {
  const metadata = ears.find((ear) => ear.metadata !== undefined)?.metadata;
  return {
    ...(metadata !== undefined && { metadata }),
    answered: (body) => ears.forEach((ear) => ear.answered(body)),
    ended: (error) => ears.forEach((ear) => ear.ended(error)),
  };
}
