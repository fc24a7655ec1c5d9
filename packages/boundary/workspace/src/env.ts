/** Environment variables of the process or of a test. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns a variable by its bare name: `CAIRN_<name>` if set, even to the empty text, else `PULUMI_<name>` [CFG-14].
 */
export function envVar(env: Env, name: string): string | undefined {
  return env[`CAIRN_${name}`] ?? env[`PULUMI_${name}`];
}

/** Reads a boolean variable: true only for `1` and `true` in any case [CFG-14]. */
export function envFlag(env: Env, name: string): boolean {
  return /^(1|true)$/i.test(envVar(env, name) ?? '');
}
