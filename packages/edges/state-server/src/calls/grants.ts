import { EXCHANGE } from '@cairn/http-api';
import * as v from 'valibot';
import type { Grant, Grantee, RoleId } from '../domain/access.js';
import { Refusal } from '../domain/refusal.js';
import type { Trust } from '../domain/trust.js';
import type { AccessEditor } from '../store/access-store.js';
import { knownMember, knownTeam } from './organizations.js';
import type { OrganizationPorts } from './organizations.js';
import { knownRole } from './roles.js';

const Id = v.pipe(v.string(), v.uuid());

/** Facilities for grants and trusts. */
export interface GrantPorts extends OrganizationPorts {
  /** Returns a fresh UUID. */
  readonly newId: () => string;
}

/** Grants a role to a member or a team, and returns the grant. Refuses a holder who does not exist. */
export async function createGrant(
  { store, newId }: GrantPorts,
  organization: string,
  grant: Omit<Grant, 'id'>,
): Promise<Grant> {
  return store.changeAccess(organization, async (access) => {
    await checkHolder(access, organization, grant.to);
    await knownRole(access, organization, grant.role);
    const made = { id: newId(), ...grant };
    await access.putAccess('grants', made);
    return made;
  });
}

/** Gives a team one role on all stacks, in place of any that it had on all of them. */
export async function giveTeamRole(
  { store, newId }: GrantPorts,
  organization: string,
  team: string,
  role: RoleId,
): Promise<void> {
  const to: Grantee = `team:${team}`;
  await store.changeAccess(organization, async (access) => {
    await checkHolder(access, organization, to);
    await knownRole(access, organization, role);
    for (const { id, to: holder, stacks, tag } of await access.listAccess('grants', organization))
      if (holder === to && stacks === undefined && tag === undefined) await access.removeAccess('grants', id);
    await access.putAccess('grants', { id: newId(), to, role });
  });
}

/** Trusts an issuer of tokens, and returns the trust. Without an audience, it is that of the organization. */
export async function createTrust(
  { store, newId }: GrantPorts,
  organization: string,
  trust: Omit<Trust, 'id' | 'audience'> & { readonly audience?: string | undefined },
): Promise<Trust> {
  return store.changeAccess(organization, async (access) => {
    if (trust.to !== 'organization') await checkHolder(access, organization, trust.to);
    const audience = trust.audience ?? `${EXCHANGE.audiencePrefix}${organization}`;
    const made = { ...trust, id: newId(), audience };
    await access.putAccess('trusts', made);
    return made;
  });
}

/** Removes a grant or a trust. Refuses one that does not exist. */
export async function removeRecord(
  { store }: OrganizationPorts,
  organization: string,
  kind: 'grants' | 'trusts',
  id: string,
): Promise<void> {
  await store.changeAccess(organization, async (access) => {
    const isThere = v.is(Id, id) && (await access.findAccess(kind, organization, id)) !== undefined;
    if (!isThere) throw new Refusal(404, `${kind === 'grants' ? 'Grant' : 'Trust'} not found.`);
    await access.removeAccess(kind, id);
  });
}

async function checkHolder(access: AccessEditor, organization: string, holder: Grantee): Promise<void> {
  const name = holder.slice(holder.indexOf(':') + 1);
  if (holder.startsWith('team:')) await knownTeam(access, organization, name);
  else await knownMember(access, organization, name);
}
