import { ORGANIZATION } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { UserRecord } from '../domain/access.js';
import { highest } from '../domain/roles.js';
import type { Role } from '../domain/roles.js';
import { SERVICE_WIDE } from '../store/access-store.js';
import type { AccessStore } from '../store/access-store.js';
import type { ServiceStore } from '../store/service-store.js';
import { seconds } from './service-ports.js';

interface MembershipPorts {
  readonly store: AccessStore;
  readonly now: () => Date;
}

/** Returns an organization that exists. Fails with `CAIRN-USAGE`. */
export async function knownOrganization(store: AccessStore, name: string): Promise<string> {
  if (name === ORGANIZATION || (await store.findAccess('organizations', SERVICE_WIDE, name)) !== undefined)
    return name;
  throw cairnError('CAIRN-USAGE', `there is no organization ${JSON.stringify(name)}`, {
    hint: 'List them with `cairn serve org ls`.',
  });
}

/** Adds a user to an organization. A user who is a member already keeps the role. */
export async function addMember(
  ports: MembershipPorts,
  organization: string,
  login: string,
  role: Role | 'none',
): Promise<void> {
  await ports.store.changeAccess(organization, async (access) => {
    if ((await access.findAccess('members', organization, login)) === undefined)
      await access.putAccess('members', { id: login, role, since: seconds(ports.now()) });
  });
  await noteUser(ports, { id: login });
}

/** Notes facts about a user, who is new or known. */
export async function noteUser(
  { store, now }: MembershipPorts,
  facts: Omit<UserRecord, 'since'>,
): Promise<void> {
  await store.changeAccess(SERVICE_WIDE, async (access) => {
    const known = await access.findAccess('users', SERVICE_WIDE, facts.id);
    const merged = { since: seconds(now()), ...known, ...facts };
    if (JSON.stringify(merged) !== JSON.stringify(known)) await access.putAccess('users', merged);
  });
}

/** Makes the users of tokens members, each with its highest role, in a store from before there were members. */
export async function adoptTokenUsers(
  ports: MembershipPorts & { readonly store: ServiceStore },
  organization: string,
): Promise<void> {
  const { store } = ports;
  if ((await store.listAccess('members', organization)).length > 0) return;
  const roles = new Map<string, Role[]>();
  for (const { kind = 'personal', user, role } of await store.listTokens())
    if (kind === 'personal') roles.set(user, [...(roles.get(user) ?? []), role]);
  for (const [user, held] of roles) await addMember(ports, organization, user, highest(held) ?? 'reader');
}
