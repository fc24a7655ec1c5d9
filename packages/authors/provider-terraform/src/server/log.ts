/** From the most to the least that is written. */
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

/** How grave a line is. */
export type LogLevel = (typeof LEVELS)[number];

/** The log of a plugin: lines of JSON that the host puts among its own. */
export interface PluginLog {
  write(level: LogLevel, message: string, keys?: Readonly<Record<string, string | number>>): void;
}

/**
 * A log as the user asks for it: `TF_LOG_PROVIDER`, else `TF_LOG`, say from which level on; nothing is written where
 * neither is set, or is `off`. A text that is no level asks for everything, and so does `json`.
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
