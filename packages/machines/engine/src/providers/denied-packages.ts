import { fail } from '@cairn/diagnostics';

const KEY = 'pulumi:disable-default-providers';

/** Returns true if a package must not have a default provider. */
type IsDenied = (pkg: string) => boolean;

/**
 * Reads the setting that forbids default providers: a JSON list of package names, or `*` for all. The builtin package
 * is always allowed [PROV-4]. Throws CAIRN-CONFIG-INVALID when the setting is not such a list.
 */
export function deniedPackages(config: Readonly<Record<string, string>>): IsDenied {
  const text = config[KEY];
  if (text === undefined || text === '') return () => false;
  const denied = new Set(parseList(text));
  return (pkg) => pkg !== 'pulumi' && (denied.has('*') || denied.has(pkg));
}

function parseList(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  return fail('CAIRN-CONFIG-INVALID', `the configuration value ${KEY} is not a JSON list of package names`, {
    hint: `Set it to a list such as ["aws"] or ["*"].`,
  });
}
