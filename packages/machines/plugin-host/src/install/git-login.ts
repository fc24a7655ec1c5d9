import { fail } from '@cairn/diagnostics';

type Environment = Readonly<Record<string, string | undefined>>;

/** An address as git may be given it on its command line, and the environment that has the login. */
interface WithoutLogin {
  readonly url: string;
  readonly environment: Environment;
}

/** Answers what git asks: the login is in the environment, so that no list of processes shows it. */
const HELPER =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$CAIRN_GIT_USER" "$CAIRN_GIT_PASSWORD"; }; f';

/**
 * Takes the login out of an HTTP address, and lets git have it for that server alone, before what the user's own
 * settings say. Settings that the environment has already stay. Fails (CAIRN-USAGE) on a login that no server takes.
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

/** Adds settings of git to those that the environment has (`GIT_CONFIG_COUNT`). */
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
  // One line is one setting where git reads it.
  if (/[\0\r\n]/.test(text))
    fail('CAIRN-USAGE', 'the login of a git repository has a line break', {
      hint: 'Write the login without it.',
    });
  return text;
}
