import type { LogRequest } from '../contracts/engine-service.js';
import { LogSeverity } from '../generated/pulumi/engine.js';

/** Severity names by number, and the reverse. */
export const SEVERITY_NAMES = {
  [LogSeverity.DEBUG]: 'debug',
  [LogSeverity.INFO]: 'info',
  [LogSeverity.WARNING]: 'warning',
  [LogSeverity.ERROR]: 'error',
} as const satisfies Record<LogSeverity, LogRequest['severity']>;

export const SEVERITY_NUMBERS = {
  debug: LogSeverity.DEBUG,
  info: LogSeverity.INFO,
  warning: LogSeverity.WARNING,
  error: LogSeverity.ERROR,
} as const satisfies Record<LogRequest['severity'], LogSeverity>;
