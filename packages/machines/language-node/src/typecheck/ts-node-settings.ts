import { fail } from '@cairn/diagnostics';
import type { Tsconfig } from '../tsconfig/read-tsconfig.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of ts-node about types, from a tsconfig and from variables. */
interface TsNodeSettings {
  /** True if types are not checked, or type errors are only reported. */
  readonly unchecked: boolean;
  /** True if the compiler knows the files that the tsconfig covers, besides imported ones. */
  readonly files: boolean;
  /** Codes that are no mistakes. */
  readonly ignored: readonly number[];
  /** Options that come before those of the tsconfig. */
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

/** Reads them. `tsconfig` is undefined if there is none. The tsconfig comes before a variable. */
export function tsNodeSettings(tsconfig: Tsconfig | undefined, environment: Environment): TsNodeSettings {
  const said = tsconfig?.tsNode ?? {};
  const isOn = (name: string, variable: string): boolean =>
    typeof said[name] === 'boolean' ? said[name] : isYes(environment[`TS_NODE_${variable}`]);
  const codes = said['ignoreDiagnostics'] ?? environment['TS_NODE_IGNORE_DIAGNOSTICS']?.split(',') ?? [];
  return {
    unchecked:
      tsconfig?.options['noCheck'] === true ||
      said['swc'] === true ||
      isOn('transpileOnly', 'TRANSPILE_ONLY') ||
      isOn('logError', 'LOG_ERROR'),
    files: isOn('files', 'FILES'),
    ignored: (Array.isArray(codes) ? codes : [codes]).map(Number).filter(Number.isInteger),
    compilerOptions: {
      ...optionsOf(environment['TS_NODE_COMPILER_OPTIONS']),
      ...(said['compilerOptions'] as Readonly<Record<string, unknown>> | undefined),
    },
  };
}

function optionsOf(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined || text === '') return {};
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    return fail(
      'CAIRN-PROGRAM-LOAD',
      'cannot check the types of the program: TS_NODE_COMPILER_OPTIONS is not JSON',
      { causes: [(cause as Error).message], hint: 'Correct it, or unset it.' },
      cause,
    );
  }
}

function isYes(text: string | undefined): boolean {
  return text !== undefined && /^(?:true|yes|y|1|on)$/i.test(text.trim());
}
