/** Severity that a provider gives to a line. */
export type PluginLogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Levels, the least severe first. */
const ORDER: readonly PluginLogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/**
 * Returns the least severe level to report, from Terraform's environment variables. Defaults to warnings and errors,
 * because providers write hundreds of lines for one call [TFP-5].
 */
export function wantedLevel(env: Readonly<Record<string, string | undefined>>): PluginLogLevel | 'none' {
  const wish = (env['TF_LOG_PROVIDER'] || env['TF_LOG'] || 'warn').toLowerCase();
  return wish === 'off' ? 'none' : (LEVELS[wish] ?? 'trace');
}

/**
 * Variables from which SDKs of providers read their log level. Without them they write nearly two hundred lines for a
 * change.
 */
const SDK_LEVELS = ['TF_LOG_SDK', 'TF_LOG_PROVIDER'];

/** Returns the environment in which SDKs write errors only, unless the user wants more [TFB-11]. */
export function quietSdks<T>(env: Readonly<Record<string, T>>): Readonly<Record<string, T | string>> {
  const level = String(env['TF_LOG'] ?? '');
  if (level !== '' && level.toLowerCase() !== 'off') return env;
  return { ...Object.fromEntries(SDK_LEVELS.map((name) => [name, 'error'])), ...env };
}

/** Tells whether a line must be read, without reading all of it. */
export function isWanted(line: string, from: PluginLogLevel | 'none'): boolean {
  if (from === 'none') return false;
  if (from === 'trace') return true;
  const level = line.startsWith('{') ? /"@level":"(\w+)"/.exec(line)?.[1] : prefixOf(line)?.level;
  return ORDER.indexOf(LEVELS[level?.toLowerCase() ?? ''] ?? 'debug') >= ORDER.indexOf(from);
}

/** One line of a provider's log. */
export interface ProviderLog {
  readonly level: PluginLogLevel;
  readonly text: string;
}

const LEVELS: Readonly<Record<string, PluginLogLevel>> = {
  trace: 'trace',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
};

/** Keys of a structured line that are not repeated after its text. */
const HEADER = new Set(['@level', '@message', '@timestamp', '@module', '@caller']);

/** Reads a line of a provider's stderr: a JSON object, a level in brackets before text, or text [TFP-5]. */
export function readLogLine(line: string): ProviderLog {
  const structured = readStructured(line);
  if (structured !== undefined) return structured;
  const { level = '', text = '' } = prefixOf(line) ?? {};
  const known = LEVELS[level.toLowerCase()];
  return known === undefined ? { level: 'debug', text: line } : { level: known, text };
}

/** Returns the level in brackets before a text, which may follow a time. */
function prefixOf(line: string): { readonly level: string; readonly text: string } | undefined {
  const [, level, text = ''] = /^(?:[\d/:.TZ+ -]{8,40})?\[([A-Z]+)\]\s*(.*)$/s.exec(line) ?? [];
  return level === undefined ? undefined : { level, text };
}

function readStructured(line: string): ProviderLog | undefined {
  if (!line.startsWith('{')) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return undefined;
  }
  const fields = read as Readonly<Record<string, unknown>>;
  if (typeof fields['@message'] !== 'string') return undefined;
  const level = LEVELS[String(fields['@level']).toLowerCase()] ?? 'debug';
  const rest = Object.entries(fields)
    .filter(([key]) => !HEADER.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return { level, text: [fields['@message'], ...rest].join(' ') };
}
