/**
 * Variables with which Cairn opens secrets and logs in to a backend, without `CAIRN_` or `PULUMI_` before them. Only
 * processes that run commands of Cairn need them.
 */
const OWN_SECRET = /^(?:CAIRN|PULUMI)_(?:CONFIG_PASSPHRASE(?:_FILE)?|ACCESS_TOKEN)$/i;

/** Returns the environment for a process that runs no commands of Cairn. */
export function withoutOwnSecrets<T>(environment: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OWN_SECRET.test(name)));
}

/**
 * Calls a library that starts a process with the environment of this one. The process must be started before `work`
 * returns.
 */
export function hidingOwnSecrets<T>(work: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => OWN_SECRET.test(name));
  for (const [name] of hidden) delete process.env[name];
  try {
    return work();
  } finally {
    for (const [name, value] of hidden) process.env[name] = value;
  }
}
