import { isCairnError } from '@cairn/diagnostics';
import { oidcOf } from './oidc-settings.js';

const plan = (oidc: unknown) => oidcOf({ operationContext: { oidc } }, '/run');

test.each([[undefined], [null], ['yes'], [[]]])('settings with %j ask for no token', (oidc) => {
  expect(plan(oidc)).toEqual({ tokens: [], files: [], env: {} });
});

test.each([
  [{}, undefined],
  [{ audience: '' }, undefined],
  [{ audience: 'vault', aws: null, gcp: undefined }, 'vault'],
])('settings with %j ask for a token of the run', (oidc, audience) => {
  expect(plan(oidc)).toEqual({
    ...{ tokens: [{ file: '/run/oidc.jwt', audience }], files: [] },
    env: { CAIRN_OIDC_TOKEN_FILE: '/run/oidc.jwt' },
  });
});

test('each cloud has a token of its own, and the variables that its tools read', () => {
  const { tokens, files, env } = plan({
    aws: { roleArn: 'arn:aws:iam::1:role/deploy', duration: '', policyArns: [] },
    azure: { clientId: 'c', tenantId: 't', subscriptionId: 's', audience: 'own' },
    gcp: { projectId: '12', workloadPoolId: 'pool', providerId: 'cairn', serviceAccount: 'a@b.test' },
  });
  const provider =
    '//iam.googleapis.com/projects/12/locations/global/workloadIdentityPools/pool/providers/cairn';
  expect(tokens).toEqual([
    { file: '/run/oidc.jwt', audience: undefined },
    { file: '/run/oidc-aws.jwt', audience: 'sts.amazonaws.com' },
    { file: '/run/oidc-azure.jwt', audience: 'own' },
    { file: '/run/oidc-gcp.jwt', audience: provider },
  ]);
  expect(env).toEqual({
    CAIRN_OIDC_TOKEN_FILE: '/run/oidc.jwt',
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/deploy',
    AWS_ROLE_SESSION_NAME: 'cairn',
    AWS_WEB_IDENTITY_TOKEN_FILE: '/run/oidc-aws.jwt',
    ...{ AZURE_CLIENT_ID: 'c', AZURE_TENANT_ID: 't', AZURE_SUBSCRIPTION_ID: 's' },
    ...{ ARM_CLIENT_ID: 'c', ARM_TENANT_ID: 't', ARM_SUBSCRIPTION_ID: 's', ARM_USE_OIDC: 'true' },
    ...{ AZURE_FEDERATED_TOKEN_FILE: '/run/oidc-azure.jwt', ARM_OIDC_TOKEN_FILE_PATH: '/run/oidc-azure.jwt' },
    GOOGLE_APPLICATION_CREDENTIALS: '/run/oidc-gcp.json',
  });
  expect(files.map(({ file }) => file)).toEqual(['/run/oidc-gcp.json']);
  expect(JSON.parse(files[0]?.text ?? '')).toMatchObject({
    ...{ type: 'external_account', audience: provider, credential_source: { file: '/run/oidc-gcp.jwt' } },
    service_account_impersonation_url: expect.stringContaining('/a@b.test:generateAccessToken') as string,
  });
});

test.each([
  [{ aws: {} }, 'aws.roleArn is missing'],
  [{ aws: { roleArn: 'r', policyArns: ['p'] } }, 'aws.policyArns is not supported'],
  [{ aws: { roleArn: 7 } }, 'aws.roleArn is no text'],
  [{ gcp: 'yes' }, 'gcp is none of aws, azure, gcp with settings'],
  [{ moon: {} }, 'moon is none of aws, azure, gcp with settings'],
  [{ audience: 7 }, 'audience is no text'],
])('settings with %j are refused', (oidc, problem) => {
  const thrown = ((): unknown => {
    try {
      return plan(oidc);
    } catch (error) {
      return error;
    }
  })();
  expect(isCairnError(thrown) && thrown.diagnostics[0]).toMatchObject({
    ...{ code: 'CAIRN-AGENT-INVALID', summary: `operationContext.oidc.${problem}` },
  });
});
