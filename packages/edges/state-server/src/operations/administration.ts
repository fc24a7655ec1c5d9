import { ORGANIZATION } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import {
  AddMemberRequest,
  CreateGrantRequest,
  CreateTeamRequest,
  CreateTrustRequest,
  Login,
} from '@cairn/http-api';
import * as v from 'valibot';
import { createGrant, createTrust, removeRecord } from '../calls/grants.js';
import type { GrantPorts } from '../calls/grants.js';
import { knownOrganization, noteUser } from '../calls/membership.js';
import { createOrganization, removeMember, removeTeam, setMember, putTeam } from '../calls/organizations.js';
import { Passwords } from '../calls/passwords.js';
import { seconds } from '../calls/service-ports.js';
import { makeToken, removeToken } from '../calls/tokens.js';
import { PasswordDigests } from '../crypto/passwords.js';
import type { Grant, OrganizationMember, Team } from '../domain/access.js';
import { Refusal } from '../domain/refusal.js';
import type { Trust } from '../domain/trust.js';
import { SERVICE_WIDE } from '../store/access-store.js';
import type { AccessKind, AccessRecords } from '../store/access-store.js';

/** Outside facilities of the administration. */
interface AdministrationPorts extends GrantPorts {
  /** Name of the person for the audit log. */
  readonly by: string;
}

/**
 * Administration of a store by one who may write to it: no token is asked for. What it does is in the audit log. Wrong
 * input and what the rules refuse are `CAIRN-USAGE`.
 */
export class Administration {
  readonly #ports: AdministrationPorts;
  readonly #named: string | undefined;
  readonly #organization: string;

  constructor(ports: AdministrationPorts, organization?: string) {
    this.#ports = ports;
    this.#named = organization;
    this.#organization = organization ?? ORGANIZATION;
  }

  newToken(token: Omit<Parameters<typeof makeToken>[1], 'organization'>): Promise<string> {
    const named = this.#named === undefined ? {} : { organization: this.#named };
    return this.#recorded('create-own-token', `made a personal token: ${token.user}: ${token.name}`, () =>
      makeToken(this.#ports, { ...token, ...named }),
    );
  }

  dropToken(id: string): Promise<void> {
    return this.#recorded('delete-own-token', `removed a token: ${id}`, () =>
      removeToken(this.#ports.store, id),
    );
  }

  newOrganization(name: string, admin: string | undefined): Promise<void> {
    const named = new Administration(this.#ports, checked(Login, name, 'the name'));
    return named.#recorded('create-organization', `made an organization: ${name}`, () =>
      createOrganization(this.#ports, name, admin && checked(Login, admin, 'the user')),
    );
  }

  async organizations(): Promise<readonly string[]> {
    const made = await this.#ports.store.listAccess('organizations', SERVICE_WIDE);
    return [ORGANIZATION, ...made.map(({ id }) => id)];
  }

  /** With `signIn`, the account of this name that signs in next becomes that of the user. */
  setMember(login: string, role: string, signIn: boolean): Promise<void> {
    return this.#changed(
      'add-member',
      `set the role of a member: ${login}: ${role}`,
      async (organization) => {
        const request = checked(AddMemberRequest, { role }, 'the role');
        await setMember(this.#ports, organization, checked(Login, login, 'the user'), request.role);
        if (signIn) await noteUser(this.#ports, { id: login, signIn });
      },
    );
  }

  /** Sets the password of a user. What an earlier one opened ends. */
  setPassword(login: string, password: string): Promise<void> {
    return this.#recorded('set-password', `set the password of a user: ${login}`, async () => {
      await this.#passwords().set(login, password);
    });
  }

  dropPassword(login: string): Promise<void> {
    return this.#recorded('remove-password', `removed the password of a user: ${login}`, () =>
      this.#passwords().remove(login),
    );
  }

  #passwords(): Passwords {
    return new Passwords({ ...this.#ports, digests: new PasswordDigests() });
  }

  dropMember(login: string): Promise<void> {
    return this.#changed('remove-member', `removed a member: ${login}`, (organization) =>
      removeMember(this.#ports, organization, login),
    );
  }

  setTeam(name: string, members: readonly string[]): Promise<void> {
    return this.#changed(
      'change-team',
      `set the members of a team: ${name}: ${members.join(' ')}`,
      async (organization) => {
        const team = checked(CreateTeamRequest, { name, members }, 'the team');
        await putTeam(this.#ports, organization, { id: team.name, members: team.members });
      },
    );
  }

  dropTeam(name: string): Promise<void> {
    return this.#changed('delete-team', `removed a team: ${name}`, (organization) =>
      removeTeam(this.#ports, organization, name),
    );
  }

  newGrant(grant: Readonly<Record<'to' | 'role' | 'stacks' | 'tag', string | undefined>>): Promise<Grant> {
    return this.#changed(
      'create-grant',
      `granted a role: ${grant.to ?? ''}: ${grant.role ?? ''}`,
      (organization) => {
        const { to, role, stacks, tag } = checked(CreateGrantRequest, grant, 'the grant');
        const scope = { ...(stacks !== undefined && { stacks }), ...(tag !== undefined && { tag }) };
        return createGrant(this.#ports, organization, { to, role, ...scope });
      },
    );
  }

  newTrust(trust: Readonly<Record<string, unknown>>): Promise<Trust> {
    const done = `trusted an issuer of tokens: ${String(trust['name'])}: ${String(trust['issuer'])}`;
    return this.#changed('create-trust', done, (organization) => {
      const { stacks, ...request } = checked(CreateTrustRequest, trust, 'the trust');
      return createTrust(this.#ports, organization, { ...request, ...(stacks !== undefined && { stacks }) });
    });
  }

  dropRecord(kind: 'grants' | 'trusts', id: string): Promise<void> {
    const name = kind === 'grants' ? 'grant' : 'trust';
    return this.#changed(`delete-${name}`, `removed a ${name}: ${id}`, (organization) =>
      removeRecord(this.#ports, organization, kind, id),
    );
  }

  members(): Promise<readonly OrganizationMember[]> {
    return this.#list('members');
  }

  teams(): Promise<readonly Team[]> {
    return this.#list('teams');
  }

  grants(): Promise<readonly Grant[]> {
    return this.#list('grants');
  }

  trusts(): Promise<readonly Trust[]> {
    return this.#list('trusts');
  }

  async #list<K extends AccessKind>(kind: K): Promise<readonly AccessRecords[K][]> {
    const { store } = this.#ports;
    return store.listAccess(kind, await knownOrganization(store, this.#organization));
  }

  /** Changes an organization that exists. */
  #changed<T>(event: string, description: string, work: (organization: string) => Promise<T>): Promise<T> {
    return this.#recorded(event, description, async () =>
      work(await knownOrganization(this.#ports.store, this.#organization)),
    );
  }

  async #recorded<T>(event: string, description: string, work: () => Promise<T>): Promise<T> {
    const { store, now, by } = this.#ports;
    const record = {
      ...{ at: seconds(now()), organization: this.#organization, event, description, user: by },
      ...{ sourceIp: '', tokenId: '', tokenName: '', stack: '' },
    };
    try {
      return await store.audited({ event: () => record, first: false }, work);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      throw cairnError(
        'CAIRN-USAGE',
        `cannot change who may do what: ${thrown.text.replace(/\.$/, '')}`,
        thrown.status === 404 ? { hint: NOT_FOUND_HINT } : {},
        thrown,
      );
    }
  }
}

const NOT_FOUND_HINT =
  'Check the name and --org: `cairn serve org ls`, `user ls`, `team ls`, `grant ls` and `trust ls` list what is there.';

function checked<S extends v.GenericSchema>(schema: S, value: unknown, what: string): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue);
  const subject = field === null ? 'it' : JSON.stringify(field);
  throw cairnError('CAIRN-USAGE', `cannot use ${what}: ${subject} ${issue.message}`);
}
