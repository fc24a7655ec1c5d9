import { isUrn } from '@cairn/addresses';
import { codes, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { COMPATIBLE_VERSION, StatusError } from '@cairn/wire';
import type { EngineService, LogRequest } from '@cairn/wire';
import semver from 'semver';
import type { EnginePorts } from '../ports.js';
import { hintFor } from './failure-hints.js';
import { invalid } from './refusal.js';

/**
 * Serves the requests of programs and plugins to the engine process [PRG-12]. `secretKeys`: keys of the configuration
 * whose values are secret. Defaults to none.
 */
export function createEngineService(
  options: Pick<EnginePorts, 'debugged' | 'emit'>,
  secretKeys: readonly string[] = [],
): EngineService {
  let root = '';
  return {
    async log(request) {
      const { streamId, ephemeral } = request;
      options.emit({ t: 'diagnostic', diagnostic: logged(request, secretKeys), streamId, ephemeral });
    },
    getRootResource: async () => root,
    async setRootResource(urn) {
      root = urn;
    },
    async startDebugging({ config, message }) {
      if (options.debugged !== true)
        throw new StatusError('FAILED_PRECONDITION', `debugging was not asked for (${message})`);
      const summary = `Waiting for debugger to attach (${message})...`;
      const diagnostic = { severity: 'info', code: 'CAIRN-PROGRAM-LOG', summary } as const;
      for (const each of [diagnostic, DEBUGGER_IS_OPEN])
        options.emit({ t: 'diagnostic', diagnostic: each, streamId: 0, ephemeral: false });
      options.emit({ t: 'debugging-started', config });
    },
    async requirePulumiVersion(range) {
      if (admitsVersion(range, COMPATIBLE_VERSION)) return;
      throw new StatusError(
        'FAILED_PRECONDITION',
        `the program requires a Pulumi version in the range ${JSON.stringify(range)}; this engine behaves as version ${COMPATIBLE_VERSION}`,
      );
    },
  };
}

/** Warning that debuggers listen on a port of 127.0.0.1 and authenticate no one. */
const DEBUGGER_IS_OPEN = warningDiagnostic(
  'CAIRN-DEBUGGER-OPEN',
  'while a process waits for a debugger, any local user can attach one and run code as you',
  { hint: 'Use --attach-debugger only on machines whose users you trust.' },
);

/** `CODE: text`: form in which our SDK reports the kind of a failure. */
const CODED = /^(CAIRN(?:-[A-Z]+)+): ([^]*)$/;
/** Beginning of the report of a program that threw, in the SDKs for Pulumi programs: Node, Python, Go [PRG-5]. */
const THROWN =
  /^(?:Running program '[^]*?' failed with an unhandled exception:|Program failed with an unhandled exception:|an unhandled error occurred: )/;

/**
 * Turns a message of a program or plugin into a diagnostic. A failure that names its code keeps it; its further lines
 * are causes.
 */
function logged({ severity, message, urn }: LogRequest, secretKeys: readonly string[]): Diagnostic {
  const about = isUrn(urn) ? { urn } : {};
  const hinted = (text: string): Pick<Diagnostic, 'hint'> => {
    const hint = severity === 'error' ? hintFor(text, secretKeys) : undefined;
    return hint === undefined ? {} : { hint };
  };
  const [, code = '', text = ''] = CODED.exec(message) ?? [];
  if (Object.hasOwn(codes, code)) {
    const [summary = '', ...causes] = text.split('\n').filter((line) => line.trim() !== '');
    return {
      ...{ severity, code, summary, ...about },
      ...(causes.length > 0 && { causes }),
      ...hinted(summary),
    };
  }
  const failed = severity === 'error' && THROWN.test(message);
  return {
    severity,
    code: failed ? 'CAIRN-PROGRAM-FAILED' : 'CAIRN-PROGRAM-LOG',
    summary: message,
    ...about,
    ...hinted(message.replace(THROWN, '').trim()),
  };
}

/**
 * Tells whether a version is in a range: space means and, `||` or, `!` not [PRG-12]. An empty range admits every
 * version. Refuses a text that is not a range.
 */
export function admitsVersion(range: string, version: string): boolean {
  if (range.trim() === '') return true;
  // Every part is parsed, so that a malformed one is found wherever it is.
  const alternatives = range
    .split('||')
    .map((all) => comparators(all, range).map((one) => satisfies(one, version, range)));
  return alternatives.some((all) => all.every((satisfied) => satisfied));
}

function comparators(all: string, range: string): readonly string[] {
  const found = all
    .replace(/([<>=!]+)\s+/g, '$1')
    .split(/\s+/)
    .filter((one) => one !== '');
  if (found.length === 0) throw malformed(range);
  return found;
}

function satisfies(comparator: string, version: string, range: string): boolean {
  const negated = /^!=?(.+)$/.exec(comparator);
  const positive = (negated?.[1] ?? comparator).replace(/^==/, '=');
  if (!/^(?:[<>]=?|=)?v?[\dxX*]/.test(positive) || semver.validRange(positive) === null)
    throw malformed(range);
  return semver.satisfies(version, positive, { includePrerelease: true }) !== (negated !== null);
}

function malformed(range: string): StatusError {
  return invalid(`${JSON.stringify(range)} is not a range of versions such as ">=3.100.0 <4.0.0"`);
}
