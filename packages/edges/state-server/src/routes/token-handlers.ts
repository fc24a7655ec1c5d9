import { CreateTokenRequest } from '@cairn/http-api';
import { createToken, deleteToken, tokenAnswers } from '../calls/api-tokens.js';
import { auditEvents, auditLogEvent } from '../calls/audit-log.js';
import { knownTeam } from '../calls/organizations.js';
import type { OrganizationPorts } from '../calls/organizations.js';
import { AUDIT_FORMATS, auditHead, auditLine } from '../domain/audit-formats.js';
import { Refusal } from '../domain/refusal.js';
import { ownerOfOrganization, ownerOfUser } from '../store/token-store.js';
import type { TokenRecord } from '../store/token-store.js';
import { loginIn } from './access-handlers.js';
import { NOTHING, numberIn, parseBody } from './call.js';
import type { Call, SomeHandlers } from './call.js';

/** Rows of one export. */
const EXPORTED = 10_000;

/** Returns the handlers of the routes for tokens and the audit log. */
export function tokenHandlers(ports: OrganizationPorts) {
  const { store } = ports;
  const made = async (call: Call, holder: Pick<TokenRecord, 'kind' | 'user' | 'organization' | 'team'>) => {
    const request = parseBody(CreateTokenRequest, call);
    call.note({ detail: request.name });
    return { json: await createToken(ports, call.caller.token, holder, request) };
  };
  const listed = async ({ query }: Call, owner: string) => ({
    json: await tokenAnswers(ports, owner, query.get('continuationToken') || undefined),
  });
  const removed = async (call: Call, owner: string) => {
    const id = call.names['token'] ?? '';
    call.note({ detail: id });
    await deleteToken(ports, owner, id);
    return NOTHING;
  };
  return {
    listOwnTokens: (call) => listed(call, ownerOfUser(personOf(call.caller.token))),
    createOwnToken: (call) => made(call, { kind: 'personal', user: personOf(call.caller.token) }),
    deleteOwnToken: (call) => removed(call, ownerOfUser(personOf(call.caller.token))),
    listTokens: (call) => listed(call, ownerOfOrganization(call.names['org'] ?? '')),
    createToken: (call) => {
      const organization = call.names['org'] ?? '';
      return made(call, { kind: 'organization', user: organization, organization });
    },
    deleteToken: (call) => removed(call, ownerOfOrganization(call.names['org'] ?? '')),
    createTeamToken: async (call) => {
      const { org: organization = '' } = call.names;
      const team = loginIn(call, 'team');
      await knownTeam(store, organization, team);
      return made(call, { kind: 'team', user: organization, organization, team });
    },
    auditLogs: async (call) => {
      const { events, next } = await auditEvents(store, filterOf(call));
      const answer = { auditLogEvents: events.map(auditLogEvent) };
      return { json: next === undefined ? answer : { ...answer, continuationToken: String(next) } };
    },
    exportAuditLogs: async (call) => {
      const format = AUDIT_FORMATS.find((each) => each === (call.query.get('format') || 'csv'));
      if (format === undefined) throw new Refusal(400, 'format: is not csv or cef');
      const { events } = await auditEvents(store, filterOf(call), EXPORTED);
      const text = auditHead(format) + events.map((event) => auditLine(format, event)).join('');
      return { text, headers: { 'content-type': format === 'csv' ? 'text/csv' : 'text/plain' } };
    },
  } satisfies SomeHandlers;
}

/** Tokens of teams and organizations are no person, so they have no personal tokens. */
function personOf({ kind = 'personal', user }: TokenRecord): string {
  if (kind !== 'personal') throw new Refusal(403, 'The call needs the token of a user.');
  return user;
}

function filterOf({ names, query }: Call): Parameters<typeof auditEvents>[1] {
  return {
    ...{ organization: names['org'] ?? '', event: query.get('eventType') || undefined },
    ...{ user: query.get('user') || undefined, before: numberIn(query, 'startTime') },
    after: numberIn(query, 'continuationToken'),
  };
}
