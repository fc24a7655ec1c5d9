/** How serious a provider says that a line is. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

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
  const [, prefix = '', text = ''] = /^(?:[\d/:.TZ+ -]{8,40})?\[([A-Z]+)\]\s*(.*)$/s.exec(line) ?? [];
  const level = LEVELS[prefix.toLowerCase()];
  return level === undefined ? { level: 'debug', text: line } : { level, text };
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
