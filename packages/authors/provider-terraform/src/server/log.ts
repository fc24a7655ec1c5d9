/** Levels, the most detailed first. */
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

/** Severity of a line. */
export type LogLevel = (typeof LEVELS)[number];

/** The log of a plugin: lines of JSON that the host adds to its own. */
export interface PluginLog {
  write(level: LogLevel, message: string, keys?: Readonly<Record<string, string | number>>): void;
}

/**
 * Returns a log at the level of `TF_LOG_PROVIDER`, else of `TF_LOG`. Nothing is written if neither is set, or if the
 * value is `off`. A text that is not a level writes everything, and so does `json`.
 */
export function pluginLog(
  module: string,
  env: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
  now: () => Date = () => new Date(),
): PluginLog {
  const asked = (env['TF_LOG_PROVIDER'] || env['TF_LOG'] || 'off').toLowerCase();
  const from = asked === 'off' ? LEVELS.length : Math.max(0, (LEVELS as readonly string[]).indexOf(asked));
  return {
    write: (level, message, keys = {}) => {
      if (LEVELS.indexOf(level) < from) return;
      const line = {
        '@level': level,
        '@message': message,
        '@module': module,
        '@timestamp': now().toISOString().replace('Z', '000Z'),
        ...keys,
      };
      write(`${JSON.stringify(line)}\n`);
    },
  };
}
