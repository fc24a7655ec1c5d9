/**
 * Helper by which git asks for the credentials. They are in variables of the git process only, and reach no other
 * host.
 */
const HELPER =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$CAIRN_GIT_USER" "$CAIRN_GIT_PASSWORD"; }; f';
/** Name of the user for a token without one. Forges look at the token only. */
const TOKEN_USER = 'x-access-token';

/**
 * Returns variables of git by which it has credentials for the host of an `https` address. `credentials` is a token, or
 * `user:password`.
 */
export function gitCredentials(url: string, credentials: string): Readonly<Record<string, string>> {
  const at = credentials.indexOf(':');
  const key = `credential.${new URL(url).origin}.helper`;
  return {
    CAIRN_GIT_USER: at < 0 ? TOKEN_USER : credentials.slice(0, at),
    CAIRN_GIT_PASSWORD: credentials.slice(at + 1),
    // An empty value leaves out the helpers of the machine.
    ...{ GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: '' },
    ...{ GIT_CONFIG_KEY_1: key, GIT_CONFIG_VALUE_1: HELPER },
  };
}
