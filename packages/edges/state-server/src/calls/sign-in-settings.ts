import { AccessRoles, Login } from '@cairn/http-api';
import { cairnError, messageOf } from '@cairn/diagnostics';
import * as v from 'valibot';

const Text = v.pipe(v.string(), v.nonEmpty('is empty'));

/** Settings of the sign-in of people, as the file of the operator has them. */
const SignInFile = v.strictObject({
  /** Provider of OpenID Connect. */
  issuer: v.pipe(v.string(), v.url('is no address')),
  clientId: Text,
  /** File with the secret of the client, beside this one. */
  clientSecretFile: Text,
  /** Address at which people reach the service. */
  url: v.pipe(v.string(), v.url('is no address')),
  scopes: v.optional(Text, 'openid profile email'),
  /** Claims with the name of the user, and with the teams. */
  claims: v.optional(
    v.strictObject({ login: v.optional(Text, 'preferred_username'), teams: v.optional(Text) }),
    {},
  ),
  /** Patterns that claims have to match, such as a domain. */
  require: v.optional(v.record(v.string(), Text), {}),
  /** Organization and role of people who sign in for the first time. */
  organization: v.optional(Login, 'organization'),
  role: v.optional(AccessRoles, 'reader'),
  /** Life of the tokens. */
  days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(366)), 30),
});

/** Settings of the sign-in of people. */
export type SignInSettings = Omit<v.InferOutput<typeof SignInFile>, 'clientSecretFile'> & {
  readonly clientSecret: string;
};

/**
 * Reads the settings from the text of a file. `secretIn` reads the file of the secret. Fails with `CAIRN-USAGE`. An
 * issuer without TLS is only for this machine.
 */
export async function readSignInSettings(
  text: string,
  source: string,
  secretIn: (file: string) => Promise<string>,
): Promise<SignInSettings> {
  const wrong = (cause: string): Error =>
    cairnError('CAIRN-USAGE', `cannot use the settings of the sign-in in ${source}: ${cause}`, {
      hint: 'Give issuer, clientId, clientSecretFile and url; docs/state-server.md has an example.',
    });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    throw wrong(messageOf(thrown));
  }
  const parsed = v.safeParse(SignInFile, json);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw wrong(`${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
  }
  const { clientSecretFile, ...settings } = parsed.output;
  const { protocol, hostname } = new URL(settings.issuer);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOCAL.has(hostname)))
    throw wrong('issuer: its address is not https');
  const clientSecret = (await secretIn(clientSecretFile)).trim();
  if (clientSecret === '') throw wrong(`${clientSecretFile} is empty`);
  return { ...settings, url: settings.url.replace(/\/+$/, ''), clientSecret };
}

const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
