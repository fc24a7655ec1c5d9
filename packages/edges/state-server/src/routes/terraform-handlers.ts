import { TerraformLock } from '@cairn/http-api';
import { projectOf, stackOf } from '../calls/stack-names.js';
import type { TerraformStates } from '../calls/terraform.js';
import { Refusal } from '../domain/refusal.js';
import { checkDigest, md5Of } from '../domain/terraform-rules.js';
import { NOTHING, numberIn, parseBody } from './call.js';
import type { Call, RouteReply, SomeHandlers } from './call.js';

/** Returns the handlers of the routes for Terraform and OpenTofu. */
export function terraformHandlers(states: TerraformStates) {
  return {
    readTerraform: async ({ names }) => stateReply(await states.read(stackOf(names))),
    writeTerraform: async (call) => {
      checkDigest(call.body, call.contentMd5);
      await states.write(stackOf(call.names), call.body, writeOf(call));
      return NOTHING;
    },
    deleteTerraform: async (call) => {
      await states.delete(stackOf(call.names), writeOf(call));
      return NOTHING;
    },
    lockTerraform: async (call) => {
      await states.lock(stackOf(call.names), parseBody(TerraformLock, call));
      return NOTHING;
    },
    unlockTerraform: async (call) => {
      const id = call.body.length === 0 ? undefined : parseBody(TerraformLock, call).ID;
      await states.unlock(stackOf(call.names), id);
      return NOTHING;
    },
    listTerraform: async ({ names, query, caller }) => {
      const project = query.get('project') || undefined;
      const { organization } = projectOf({ ...names, project: project ?? 'any' });
      await caller.needOnSome({ role: 'reader', permission: 'stack:read' }, organization);
      const token = query.get('continuationToken');
      const after = token === null ? undefined : Buffer.from(token, 'base64url').toString('utf8');
      return { json: await states.list({ organization, project, after, caller }) };
    },
    listTerraformVersions: async ({ names, query }) => {
      const size = numberIn(query, 'pageSize');
      const page = numberIn(query, 'page');
      return {
        json: await states.versions(stackOf(names), { ...(size && { size }), ...(page && { page }) }),
      };
    },
    readTerraformVersion: async ({ names }) => {
      const { version = '' } = names;
      if (!/^\d{1,8}$/.test(version)) throw new Refusal(404, 'Version not found.');
      return stateReply(await states.readVersion(stackOf(names), Number(version)));
    },
    purgeTerraform: async ({ names }) => {
      await states.purge(stackOf(names));
      return NOTHING;
    },
  } satisfies SomeHandlers;
}

function writeOf({ query, caller }: Call): { readonly lockId: string | undefined; readonly by: string } {
  return { lockId: query.get('ID') || undefined, by: caller.name };
}

function stateReply(state: Buffer): RouteReply {
  return { text: state, headers: { 'content-md5': md5Of(state) } };
}
