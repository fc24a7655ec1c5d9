import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import type { ConsoleAccessAnswer } from '@cairn/http-api';
import { covers } from '../../domain/access.js';
import type { Grant } from '../../domain/access.js';
import type { ServiceStore } from '../../store/service-store.js';

/** Returns who has which role on a stack, and through what: as a member, or by a grant. */
export async function stackHolders(store: ServiceStore, stack: StackId): Promise<ConsoleAccessAnswer> {
  const organization = organizationOf(stack);
  const [members, grants, roles, tags] = await Promise.all([
    store.listAccess('members', organization),
    store.listAccess('grants', organization),
    store.listAccess('roles', organization),
    store.tags(stack),
  ]);
  const nameOf = (role: string): string => roles.find(({ id }) => id === role)?.name ?? role;
  return {
    holders: [
      ...members
        .filter(({ role }) => role !== 'none')
        .map(({ id, role }) => ({ to: `user:${id}`, role: nameOf(role), through: 'member' })),
      ...grants
        .filter((grant) => covers(grant, { ...stack, tags }))
        .map((grant) => ({ to: grant.to, role: nameOf(grant.role), through: scopeText(grant) })),
    ],
  };
}

function scopeText({ stacks, tag }: Grant): string {
  const parts = [stacks && `stacks ${stacks}`, tag && `tag ${tag}`].filter((part) => part !== undefined);
  return parts.length === 0 ? 'grant on all stacks' : `grant on ${parts.join(' and ')}`;
}
