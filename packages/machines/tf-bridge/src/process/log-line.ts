/** How serious a provider says that a line is. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** From the least serious on. */
const ORDER: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/**
 * From which level on lines are told, as the environment says it in the words of Terraform. Warnings and errors where
 * it says nothing: providers write hundreds of lines for one call [TFP-5].
 */
export function wantedLevel(env: Readonly<Record<string, string | undefined>>): LogLevel | 'none' {
  const wish = (env['TF_LOG_PROVIDER'] || env['TF_LOG'] || 'warn').toLowerCase();
  return wish === 'off' ? 'none' : (LEVELS[wish] ?? 'trace');
}

/** Where SDKs of providers read how much they write; without, they write nearly two hundred lines for a change. */
const SDK_LEVELS = ['TF_LOG_SDK', 'TF_LOG_PROVIDER'];

/** The environment, in which SDKs write errors only unless the user wants more [TFB-11]. */
export function quietSdks<T>(env: Readonly<Record<string, T>>): Readonly<Record<string, T | string>> {
  const level = String(env['TF_LOG'] ?? '');
  if (level !== '' && level.toLowerCase() !== 'off') return env;
  return { ...Object.fromEntries(SDK_LEVELS.map((name) => [name, 'error'])), ...env };
}

/** Whether a line is worth being read, without reading all of it. */
export function isWanted(line: string, from: LogLevel | 'none'): boolean {
  if (from === 'none') return false;
  if (from === 'trace') return true;
  const level = line.startsWith('{') ? /"@level":"(\w+)"/.exec(line)?.[1] : prefixOf(line)?.level;
  return ORDER.indexOf(LEVELS[level?.toLowerCase() ?? ''] ?? 'debug') >= ORDER.indexOf(from);
}

/** One line of what a provider says about its work. */
export interface ProviderLog {
  readonly level: LogLevel;
  readonly text: string;
}

const LEVELS: Readonly<Record<string, LogLevel>> = {
  trace: 'trace',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
};

/** Keys of a structured line that are not shown again behind its text. */
const HEADER = new Set(['@level', '@message', '@timestamp', '@module', '@caller']);

/** Reads a line of a provider's stderr: a JSON object, a level in brackets before text, or text [TFP-5]. */
export function readLogLine(line: string): ProviderLog {
  const structured = readStructured(line);
  if (structured !== undefined) return structured;
  const { level = '', text = '' } = prefixOf(line) ?? {};
  const known = LEVELS[level.toLowerCase()];
  return known === undefined ? { level: 'debug', text: line } : { level: known, text };
}

/** The level that stands in brackets before a text, perhaps behind a time. */
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
