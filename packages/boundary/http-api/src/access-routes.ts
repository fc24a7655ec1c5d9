import type { Route } from './route.js';

const NONE = 0;
const SMALL = 1 << 20;

const ORG = '/api/orgs/{org}';
const MEMBER = `${ORG}/members/{member}`;
const TEAM = `${ORG}/teams/{team}`;

/** Routes for accounts, tokens, organizations and the audit log. */
export const ACCESS_ROUTES = {
  exchangeToken: {
    method: 'POST',
    path: '/api/oauth/token',
    needs: 'anyone',
    maxBody: SMALL,
    audit: 'got a token for a job',
  },
  signIn: { method: 'GET', path: '/login', needs: 'anyone', maxBody: NONE },
  signInOfClient: { method: 'GET', path: '/cli-login', needs: 'anyone', maxBody: NONE },
  signInCallback: {
    method: 'GET',
    path: '/login/callback',
    needs: 'anyone',
    maxBody: NONE,
    audit: 'signed in',
  },
  signedIn: { method: 'GET', path: '/welcome/cli', needs: 'anyone', maxBody: NONE },
  listOwnTokens: { method: 'GET', path: '/api/user/tokens', needs: 'user', maxBody: NONE },
  createOwnToken: {
    method: 'POST',
    path: '/api/user/tokens',
    needs: 'user',
    maxBody: SMALL,
    audit: 'made a personal token',
  },
  deleteOwnToken: {
    method: 'DELETE',
    path: '/api/user/tokens/{token}',
    needs: 'user',
    maxBody: NONE,
    audit: 'removed a personal token',
  },
  createOrganization: {
    method: 'POST',
    path: '/api/orgs',
    needs: 'user',
    maxBody: SMALL,
    audit: 'made an organization',
  },
  listMembers: { method: 'GET', path: `${ORG}/members`, needs: 'reader', maxBody: NONE },
  addMember: {
    method: 'POST',
    path: MEMBER,
    needs: 'admin',
    maxBody: SMALL,
    audit: 'added a member',
  },
  changeMember: {
    method: 'PATCH',
    path: MEMBER,
    needs: 'admin',
    maxBody: SMALL,
    audit: 'changed the role of a member',
  },
  removeMember: {
    method: 'DELETE',
    path: MEMBER,
    needs: 'admin',
    maxBody: NONE,
    audit: 'removed a member',
  },
  listTeams: { method: 'GET', path: `${ORG}/teams`, needs: 'reader', maxBody: NONE },
  createTeam: {
    method: 'POST',
    path: `${ORG}/teams`,
    needs: 'admin',
    maxBody: SMALL,
    audit: 'made a team',
  },
  changeTeam: {
    method: 'PATCH',
    path: TEAM,
    needs: 'admin',
    maxBody: SMALL,
    audit: 'changed the members of a team',
  },
  deleteTeam: { method: 'DELETE', path: TEAM, needs: 'admin', maxBody: NONE, audit: 'removed a team' },
  listRoles: { method: 'GET', path: `${ORG}/roles`, needs: 'reader', maxBody: NONE },
  getRole: { method: 'GET', path: `${ORG}/roles/{role}`, needs: 'reader', maxBody: NONE },
  giveTeamRole: {
    method: 'POST',
    path: `${TEAM}/roles/{role}`,
    needs: 'admin',
    maxBody: SMALL,
    audit: 'gave a team a role',
  },
  listGrants: { method: 'GET', path: `${ORG}/grants`, needs: 'admin', maxBody: NONE },
  createGrant: {
    method: 'POST',
    path: `${ORG}/grants`,
    needs: 'admin',
    maxBody: SMALL,
    audit: 'granted a role',
  },
  deleteGrant: {
    method: 'DELETE',
    path: `${ORG}/grants/{grant}`,
    needs: 'admin',
    maxBody: NONE,
    audit: 'removed a grant',
  },
  listTrusts: { method: 'GET', path: `${ORG}/trusts`, needs: 'admin', maxBody: NONE },
  createTrust: {
    method: 'POST',
    path: `${ORG}/trusts`,
    needs: 'admin',
    maxBody: SMALL,
    audit: 'trusted an issuer of tokens',
  },
  deleteTrust: {
    method: 'DELETE',
    path: `${ORG}/trusts/{trust}`,
    needs: 'admin',
    maxBody: NONE,
    audit: 'removed a trust in an issuer',
  },
  listTokens: { method: 'GET', path: `${ORG}/tokens`, needs: 'admin', maxBody: NONE },
  createToken: {
    method: 'POST',
    path: `${ORG}/tokens`,
    needs: 'admin',
    maxBody: SMALL,
    audit: 'made a token of the organization',
  },
  deleteToken: {
    method: 'DELETE',
    path: `${ORG}/tokens/{token}`,
    needs: 'admin',
    maxBody: NONE,
    audit: 'removed a token of the organization',
  },
  createTeamToken: {
    method: 'POST',
    path: `${TEAM}/tokens`,
    needs: 'admin',
    maxBody: SMALL,
    audit: 'made a token of a team',
  },
  auditLogs: { method: 'GET', path: `${ORG}/auditlogs`, needs: 'admin', maxBody: NONE },
  exportAuditLogs: { method: 'GET', path: `${ORG}/auditlogs/export`, needs: 'admin', maxBody: NONE },
} as const satisfies Readonly<Record<string, Route>>;
