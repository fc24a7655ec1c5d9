import type { AgentStack } from '../config/agent-config.js';

/** Variables that every process receives from the agent, beside `PATH`. */
const USUAL = [
  ...['LANG', 'LC_ALL', 'TZ'],
  ...['CAIRN_BACKEND_URL', 'PULUMI_BACKEND_URL', 'CAIRN_DEFAULT_BACKEND_URL'],
] as const;

/** Returns the variables of a stack's programs that are the same on every machine. */
export function programVariables(
  env: Readonly<Record<string, string | undefined>>,
  { environment, backend }: AgentStack,
): Readonly<Record<string, string>> {
  const named = [...USUAL, ...environment].flatMap((name) => {
    const value = env[name];
    return value === undefined || name === 'PATH' ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(named), ...(backend !== undefined && { CAIRN_BACKEND_URL: backend }) };
}
