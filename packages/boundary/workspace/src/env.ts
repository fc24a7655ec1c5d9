/** The process's variables, or a test's. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The variable by its bare name: `CAIRN_<name>` when set, even to the empty text, else `PULUMI_<name>` [CFG-14]. */
export function envVar(env: Env, name: string): string | undefined {
  return env[`CAIRN_${name}`] ?? env[`PULUMI_${name}`];
}

/** A boolean variable: true only for `1` and `true` in any case [CFG-14]. */
export function envFlag(env: Env, name: string): boolean {
  return /^(1|true)$/i.test(envVar(env, name) ?? '');
}
