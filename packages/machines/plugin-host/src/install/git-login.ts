import { fail } from '@cairn/diagnostics';

type Environment = Readonly<Record<string, string | undefined>>;

/** Address to use on the command line of git, and the environment with the login. */
interface WithoutLogin {
  readonly url: string;
  readonly environment: Environment;
}

/** Credential helper of git. The login is in the environment, so that no list of processes shows it. */
const HELPER =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$CAIRN_GIT_USER" "$CAIRN_GIT_PASSWORD"; }; f';

/**
 * Removes the login from an HTTP address, and passes it to git for that server alone, before the user's own settings.
 * Settings already in the environment stay. Fails (CAIRN-USAGE) on a login that no server accepts.
 */
export function loginApart(address: string, environment: Environment): WithoutLogin {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password === '')
    return { url: address, environment };
  const [user, password] = [decoded(url.username), decoded(url.password)];
  url.username = '';
  url.password = '';
  const of = `credential.${url.origin}`;
  if (password === '')
    return { url: url.href, environment: configured(environment, [[`${of}.username`, user]]) };
  const settings = [
    [`${of}.helper`, ''],
    [`${of}.helper`, HELPER],
  ] as const;
  return {
    url: url.href,
    environment: {
      ...configured(environment, settings),
      CAIRN_GIT_USER: user,
      CAIRN_GIT_PASSWORD: password,
    },
  };
}

/** Adds settings of git to those in the environment (`GIT_CONFIG_COUNT`). */
function configured(
  environment: Environment,
  settings: readonly (readonly [key: string, value: string])[],
): Environment {
  const before = Number(environment['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const added = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${before + at}`, key],
    [`GIT_CONFIG_VALUE_${before + at}`, value],
  ]);
  return {
    ...environment,
    ...(Object.fromEntries(added) as Environment),
    GIT_CONFIG_COUNT: String(before + settings.length),
  };
}

function decoded(part: string): string {
  const text = decodeURIComponent(part);
  // git reads each setting as one line.
  if (/[\0\r\n]/.test(text))
    fail('CAIRN-USAGE', 'the login of a git repository has a line break', {
      hint: 'Write the login without it.',
    });
  return text;
}
