import { hostname, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { messageOf } from '@cairn/diagnostics';
import type { EngineEvent } from '@cairn/engine';
import type { Mask } from '@cairn/operations/stacks';
import type { CallWatch } from '@cairn/wire/caller';
import { cairnVersion } from '../flows/version.js';
import type { CommandContext } from '../command-context.js';
import { openLineFile } from './line-file.js';
import type { Look } from './look.js';
import type { WantedLog } from './wanted.js';

/** Lowest level at which each kind of line is written. */
const LEVELS = { command: 1, diagnostic: 1, operation: 3, step: 5, output: 7, call: 9 } as const;

/**
 * Opens the log of a run: JSON objects, one on each line, on stderr or in a temporary file whose name is printed at the
 * end. It contains no values of resources and no secrets. Fails (CAIRN-USAGE) if the file cannot be written.
 */
export function openRunLog(context: CommandContext, command: string, wanted: WantedLog): Look {
  const { level, toStderr, flows } = wanted;
  const file = toStderr || level === 0 ? undefined : logFile(context);
  const lines =
    file === undefined
      ? undefined
      : openLineFile(file, 'ax', {
          summary: `cannot write the log ${file}`,
          hint: 'Pass --logtostderr to write it to stderr.',
        });
  const line = (at: number, msg: string, more: Record<string, unknown> = {}): void => {
    if (at > level) return;
    const text = `${JSON.stringify({ time: context.now().toISOString(), level: severityOf(more), msg, ...more, v: at })}`;
    if (lines === undefined) context.stderr.write(`${text}\n`);
    else lines.write(text);
  };
  line(LEVELS.command, 'command', { command, version: cairnVersion(), variables: variableNames(context) });
  return {
    watch: (mask) => calls(mask, (msg, more) => line(LEVELS.call, msg, more)),
    event: (event) => tellEvent(event, line),
    ...(flows && {
      arguments: [...(toStderr ? ['--logtostderr'] : []), ...(level > 0 ? [`-v=${level}`] : [])],
    }),
    close: (code) => {
      line(LEVELS.command, 'command ended', { code });
      if (lines === undefined) return undefined;
      const failure = lines.close();
      context.stderr.write(`The log file for this run is at ${file}\n`);
      return failure;
    },
  };
}

type Write = (level: number, msg: string, more?: Record<string, unknown>) => void;

function severityOf({ severity }: Record<string, unknown>): string {
  return severity === 'warning' ? 'WARN' : typeof severity === 'string' ? severity.toUpperCase() : 'INFO';
}

function tellEvent(event: EngineEvent, line: Write): void {
  switch (event.t) {
    case 'prelude':
      return line(LEVELS.operation, 'operation started', { config: Object.keys(event.config) });
    case 'step-started':
      return line(LEVELS.step, 'step started', { step: event.step.kind, urn: event.step.urn });
    case 'step-ended':
    case 'step-failed': {
      const { step, elapsedMs } = event;
      const msg = event.t === 'step-ended' ? 'step ended' : 'step failed';
      return line(LEVELS.step, msg, { step: step.kind, urn: step.urn, elapsedMs });
    }
    case 'diagnostic': {
      const { severity, code, summary, urn } = event.diagnostic;
      return line(LEVELS.diagnostic, summary, { severity, code, ...(urn !== undefined && { urn }) });
    }
    case 'program-output':
      return line(LEVELS.output, 'program output', { stream: event.stream, text: event.text });
    case 'summary': {
      const { result, durationMs, changes } = event.summary;
      return line(LEVELS.operation, 'operation ended', { result, durationMs, changes });
    }
    default:
      return undefined;
  }
}

function calls(mask: Mask, write: (msg: string, more: Record<string, unknown>) => void): CallWatch {
  return {
    begin({ peer, path: method }) {
      const started = performance.now();
      write('call started', { method, ...peer });
      return {
        answered: () => {},
        ended: (error) =>
          write('call ended', {
            ...{ method, ...peer, elapsedMs: Math.round(performance.now() - started) },
            ...(error !== undefined && { error: mask(messageOf(error)) }),
          }),
      };
    },
  };
}

/** Returns names only, because values may be secret. */
function variableNames({ env }: CommandContext): readonly string[] {
  return Object.keys(env).filter((name) => /^(?:CAIRN|PULUMI)_/.test(name));
}

/** Returns the path `<command>.<host>.<user>.log.INFO.<date>-<time>.<pid>`, the form of the other tool. */
function logFile({ self, now }: CommandContext): string {
  const [host = ''] = hostname().split('.');
  const [date = '', time = ''] = now().toISOString().replace(/[-:]/g, '').split(/[T.]/);
  const user = userName().replace(/[\\/]/g, '_');
  return path.join(tmpdir(), `${self.calledAs}.${host}.${user}.log.INFO.${date}-${time}.${process.pid}`);
}

/** Returns the user's name; users of containers may have none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
