import { ChangeRoleRequest, CreateRoleRequest } from '@cairn/http-api';
import { giveTeamRole } from '../calls/grants.js';
import type { GrantPorts } from '../calls/grants.js';
import { changeRole, createRole, findRole, listRoles, removeRole, roleAnswer } from '../calls/roles.js';
import { loginIn, orgOf } from './access-handlers.js';
import { NOTHING, parseBody } from './call.js';
import type { Call, SomeHandlers } from './call.js';

/** Returns the handlers of the routes for roles. */
export function roleHandlers(ports: GrantPorts) {
  const { store } = ports;
  return {
    listRoles: async ({ names, query }) => {
      const purpose = query.get('uxPurpose') || undefined;
      const roles = await listRoles(store, orgOf(names));
      return { json: { roles: roles.filter(({ uxPurpose }) => (purpose ?? uxPurpose) === uxPurpose) } };
    },
    getRole: async ({ names }) => ({ json: await findRole(store, orgOf(names), roleOf(names)) }),
    createRole: async (call) => {
      const role = parseBody(CreateRoleRequest, call);
      call.note({ detail: role.name });
      const organization = orgOf(call.names);
      return { json: roleAnswer(await createRole(ports, organization, role), organization) };
    },
    changeRole: async (call) => {
      const text = parseBody(ChangeRoleRequest, call);
      const id = roleOf(call.names);
      call.note({ detail: `${text.name}: ${id}` });
      const organization = orgOf(call.names);
      return { json: roleAnswer(await changeRole(ports, organization, id, text), organization) };
    },
    deleteRole: async (call) => {
      const id = roleOf(call.names);
      call.note({ detail: id });
      await removeRole(ports, orgOf(call.names), id, call.query.get('force') === 'true');
      return NOTHING;
    },
    giveTeamRole: async (call) => {
      const team = loginIn(call, 'team');
      const role = roleOf(call.names);
      call.note({ detail: `${team}: ${role}` });
      await giveTeamRole(ports, orgOf(call.names), team, role);
      return NOTHING;
    },
  } satisfies SomeHandlers;
}

function roleOf(names: Call['names']): string {
  return names['role'] ?? '';
}
