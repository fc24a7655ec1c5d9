import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';

/** Files with OpenID Connect tokens that the settings of a run ask for, and the variables that name them. */
export interface OidcPlan {
  readonly tokens: readonly {
    readonly file: string;
    /** Defaults to the address of the service. */
    readonly audience: string | undefined;
  }[];
  /** Files that say how to use a token. */
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly env: Readonly<Record<string, string>>;
}

type Texts = Readonly<Record<string, string>>;

/** Cloud that takes a token of the service for credentials of its own. */
interface Cloud {
  /** Members of its settings that have to be there. */
  readonly needed: readonly string[];
  readonly optional: readonly string[];
  audience(settings: Texts): string;
  env(settings: Texts, files: { readonly token: string; readonly config: string }): Texts;
  /** Returns the file that says how to use the token, where the cloud needs one. */
  config?(settings: Texts, token: string): object;
}

/** Clouds by their members in `operationContext.oidc`. The settings are those of Pulumi's deployments. */
const CLOUDS: Readonly<Record<string, Cloud>> = {
  aws: {
    ...{ needed: ['roleArn'], optional: ['sessionName', 'audience'] },
    audience: () => 'sts.amazonaws.com',
    env: ({ roleArn = '', sessionName = 'cairn' }, { token }) => ({
      AWS_ROLE_ARN: roleArn,
      AWS_ROLE_SESSION_NAME: sessionName,
      AWS_WEB_IDENTITY_TOKEN_FILE: token,
    }),
  },
  azure: {
    ...{ needed: ['clientId', 'tenantId', 'subscriptionId'], optional: ['audience'] },
    audience: () => 'api://AzureADTokenExchange',
    env: ({ clientId = '', tenantId = '', subscriptionId = '' }, { token }) => ({
      ...{ AZURE_CLIENT_ID: clientId, AZURE_TENANT_ID: tenantId, AZURE_SUBSCRIPTION_ID: subscriptionId },
      ...{ ARM_CLIENT_ID: clientId, ARM_TENANT_ID: tenantId, ARM_SUBSCRIPTION_ID: subscriptionId },
      ...{ AZURE_FEDERATED_TOKEN_FILE: token, ARM_OIDC_TOKEN_FILE_PATH: token, ARM_USE_OIDC: 'true' },
    }),
  },
  gcp: {
    ...{ needed: ['projectId', 'workloadPoolId', 'providerId', 'serviceAccount'], optional: ['audience'] },
    audience: gcpProvider,
    env: (_settings, { config }) => ({ GOOGLE_APPLICATION_CREDENTIALS: config }),
    config: (settings, token) => ({
      ...{ type: 'external_account', audience: gcpProvider(settings) },
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: 'https://sts.googleapis.com/v1/token',
      credential_source: { file: token },
      service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${settings['serviceAccount']}:generateAccessToken`,
    }),
  },
};

function gcpProvider({ projectId, workloadPoolId, providerId }: Texts): string {
  const pool = `projects/${projectId}/locations/global/workloadIdentityPools/${workloadPoolId}`;
  return `//iam.googleapis.com/${pool}/providers/${providerId}`;
}

/**
 * Reads `operationContext.oidc` of the settings of a run. Any object there asks for a token of the run; each cloud in
 * it has a token of its own. `folder` gets the files. Fails with `CAIRN-AGENT-INVALID`.
 */
export function oidcOf(settings: Readonly<Record<string, unknown>>, folder: string): OidcPlan {
  const oidc = membersOf(membersOf(settings['operationContext'])?.['oidc']);
  if (oidc === undefined) return { tokens: [], files: [], env: {} };
  const { audience, ...clouds } = oidc;
  if (!isEmpty(audience) && typeof audience !== 'string') throw wrong('audience', 'is no text');
  const own = path.join(folder, 'oidc.jwt');
  const parts = Object.entries(clouds).flatMap(([name, value]) =>
    isEmpty(value) ? [] : [cloudPlan(name, value, folder)],
  );
  return {
    tokens: [
      { file: own, audience: typeof audience === 'string' && audience !== '' ? audience : undefined },
      ...parts.flatMap(({ tokens }) => tokens),
    ],
    files: parts.flatMap(({ files }) => files),
    env: Object.assign({ CAIRN_OIDC_TOKEN_FILE: own }, ...parts.map(({ env }) => env)) as Texts,
  };
}

/** Returns the part of the settings of a run that asks for tokens. */
export function oidcSettings(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const oidc = membersOf(membersOf(settings['operationContext'])?.['oidc']);
  return oidc === undefined ? {} : { operationContext: { oidc } };
}

function cloudPlan(name: string, value: unknown, folder: string): OidcPlan {
  const cloud = Object.hasOwn(CLOUDS, name) ? CLOUDS[name] : undefined;
  const members = membersOf(value);
  if (cloud === undefined || members === undefined)
    throw wrong(name, `is none of ${Object.keys(CLOUDS).join(', ')} with settings`);
  const settings = textsIn(name, members, [...cloud.needed, ...cloud.optional]);
  for (const member of cloud.needed)
    if (settings[member] === undefined) throw wrong(`${name}.${member}`, 'is missing');
  const token = path.join(folder, `oidc-${name}.jwt`);
  const config = path.join(folder, `oidc-${name}.json`);
  const how = cloud.config?.(settings, token);
  return {
    tokens: [{ file: token, audience: settings['audience'] ?? cloud.audience(settings) }],
    files: how === undefined ? [] : [{ file: config, text: JSON.stringify(how) }],
    env: cloud.env(settings, { token, config }),
  };
}

/** A member that would be ignored could be one that limits what the run may do. */
function textsIn(name: string, members: Readonly<Record<string, unknown>>, known: readonly string[]): Texts {
  const given = Object.entries(members).filter(([, value]) => !isEmpty(value));
  for (const [member, value] of given) {
    if (!known.includes(member)) throw wrong(`${name}.${member}`, 'is not supported');
    if (typeof value !== 'string') throw wrong(`${name}.${member}`, 'is no text');
  }
  return Object.fromEntries(given) as Texts;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function wrong(member: string, cause: string): Error {
  return cairnError('CAIRN-AGENT-INVALID', `operationContext.oidc.${member} ${cause}`, {
    hint: 'Correct the deployment settings of the stack; docs/agent.md has an example.',
  });
}
