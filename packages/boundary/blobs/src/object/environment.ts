/** Environment variables of the caller. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a variable's value. Undefined if it is not set or empty, which is the same for every cloud's tools. */
export function environmentValue(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}
