/** Environment variables as handed in. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value; undefined when it is not set or empty, which is the same to every cloud's tools. */
export function setting(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}
