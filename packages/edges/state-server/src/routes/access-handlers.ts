import {
  AddMemberRequest,
  ChangeMemberRequest,
  ChangeTeamRequest,
  CreateGrantRequest,
  CreateOrganizationRequest,
  CreateTeamRequest,
  CreateTrustRequest,
  Login,
} from '@cairn/http-api';
import * as v from 'valibot';
import { trustedExchange } from '../calls/exchange.js';
import { createGrant, createTrust, removeRecord } from '../calls/grants.js';
import type { GrantPorts } from '../calls/grants.js';
import type { IssuerKeys } from '../calls/issuer-keys.js';
import {
  changeMember,
  changeTeam,
  createOrganization,
  createTeam,
  listMembers,
  removeMember,
  removeTeam,
  setMember,
} from '../calls/organizations.js';
import { Refusal } from '../domain/refusal.js';
import { SERVICE_WIDE } from '../store/access-store.js';
import { NOTHING, parseBody } from './call.js';
import type { Call, SomeHandlers } from './call.js';

/** Calls behind the routes of accounts and organizations. */
interface AccessCalls extends GrantPorts {
  readonly keys: IssuerKeys;
}

/** Returns the handlers of the routes for organizations and the exchange of tokens. */
export function accessHandlers(ports: AccessCalls) {
  const { store } = ports;
  return {
    exchangeToken: async (call) => {
      const form = new URLSearchParams(call.body.toString('utf8'));
      const { organization, user, name, issue } = await trustedExchange(ports, form);
      call.note({ organization, user, tokenName: name, detail: name });
      return { json: await issue() };
    },
    createOrganization: async (call) => {
      const { name } = parseBody(CreateOrganizationRequest, call);
      const { user, kind = 'personal', role, stacks } = call.caller.token;
      const known = await store.findAccess('users', SERVICE_WIDE, user);
      if (kind !== 'personal' || role !== 'admin' || stacks !== undefined || known?.siteAdmin !== true)
        throw new Refusal(403, 'The call needs an administrator of the service.');
      call.note({ organization: name, detail: name });
      await createOrganization(ports, name, user);
      return NOTHING;
    },
    listMembers: async ({ names }) => ({ json: { members: await listMembers(ports, orgOf(names)) } }),
    addMember: async (call) => {
      const { role } = parseBody(AddMemberRequest, call);
      const login = loginIn(call, 'member');
      call.note({ detail: `${login}: ${role}` });
      await setMember(ports, orgOf(call.names), login, role);
      return NOTHING;
    },
    changeMember: async (call) => {
      const { role, fgaRoleId } = parseBody(ChangeMemberRequest, call);
      if ((role ?? undefined) !== undefined && (fgaRoleId ?? undefined) !== undefined)
        throw new Refusal(400, 'role and fgaRoleId: give one of them');
      const given = fgaRoleId ?? (role === 'admin' ? 'admin' : role === 'member' ? 'reader' : undefined);
      if (given === undefined) throw new Refusal(400, 'role: is missing');
      const login = loginIn(call, 'member');
      call.note({ detail: `${login}: ${given}` });
      await changeMember(ports, orgOf(call.names), login, given);
      return NOTHING;
    },
    removeMember: async (call) => {
      const login = loginIn(call, 'member');
      call.note({ detail: login });
      await removeMember(ports, orgOf(call.names), login);
      return NOTHING;
    },
    listTeams: async ({ names }) => {
      const teams = await store.listAccess('teams', orgOf(names));
      return { json: { teams: teams.map(({ id, members }) => ({ name: id, members })) } };
    },
    createTeam: async (call) => {
      const { name, members } = parseBody(CreateTeamRequest, call);
      call.note({ detail: name });
      await createTeam(ports, orgOf(call.names), { id: name, members });
      return NOTHING;
    },
    changeTeam: async (call) => {
      const { memberAction: action, member: login } = parseBody(ChangeTeamRequest, call);
      const team = loginIn(call, 'team');
      call.note({ detail: `${team}: ${action} ${login}` });
      await changeTeam(ports, orgOf(call.names), { team, action, login });
      return NOTHING;
    },
    deleteTeam: async (call) => {
      const team = loginIn(call, 'team');
      call.note({ detail: team });
      await removeTeam(ports, orgOf(call.names), team);
      return NOTHING;
    },
    listGrants: async ({ names }) => ({ json: { grants: await store.listAccess('grants', orgOf(names)) } }),
    createGrant: async (call) => {
      const { to, role, stacks, tag } = parseBody(CreateGrantRequest, call);
      const scope = { ...(stacks !== undefined && { stacks }), ...(tag !== undefined && { tag }) };
      call.note({ detail: `${to}: ${role} ${[stacks, tag].filter(Boolean).join(' ')}`.trim() });
      return { json: await createGrant(ports, orgOf(call.names), { to, role, ...scope }) };
    },
    deleteGrant: removeOf(ports, 'grants', 'grant'),
    listTrusts: async ({ names }) => ({ json: { trusts: await store.listAccess('trusts', orgOf(names)) } }),
    createTrust: async (call) => {
      const { stacks, ...trust } = parseBody(CreateTrustRequest, call);
      // The service asks the issuer for its keys: only an operator may name one inside the network, without TLS.
      if (!trust.issuer.startsWith('https://')) throw new Refusal(400, 'issuer: its address is not https');
      call.note({ detail: `${trust.name}: ${trust.issuer}` });
      const made = { ...trust, ...(stacks !== undefined && { stacks }) };
      return { json: await createTrust(ports, orgOf(call.names), made) };
    },
    deleteTrust: removeOf(ports, 'trusts', 'trust'),
  } satisfies SomeHandlers;
}

function removeOf(ports: AccessCalls, kind: 'grants' | 'trusts', name: string) {
  return async (call: Call) => {
    const id = call.names[name] ?? '';
    call.note({ detail: id });
    await removeRecord(ports, orgOf(call.names), kind, id);
    return NOTHING;
  };
}

/** The authorization has found the organization. */
export function orgOf(names: Call['names']): string {
  return names['org'] ?? '';
}

/** Returns the name of a user or a team in a path. Refuses one that cannot be. */
export function loginIn({ names }: Call, name: string): string {
  const parsed = v.safeParse(Login, names[name]);
  if (parsed.success) return parsed.output;
  throw new Refusal(400, `The name of a ${name} ${parsed.issues[0].message}.`);
}
