import * as v from 'valibot';
import type { Route } from './route.js';

const NAME = '/tf/{org}/{project}/{stack}';
const LARGEST_STATE = 256 << 20;

/**
 * Routes of the `http` backend of Terraform and OpenTofu, and ours about the states that it keeps. A state has secrets
 * in the clear, so that reading one asks for the role that opens secrets.
 */
export const TERRAFORM_ROUTES = {
  readTerraform: {
    method: 'GET',
    path: NAME,
    needs: 'writer',
    permission: 'stack:decrypt',
    maxBody: 0,
    audit: 'read a state of Terraform',
    auditFirst: true,
  },
  writeTerraform: {
    method: 'POST',
    path: NAME,
    needs: 'writer',
    permission: 'stack:write',
    maxBody: LARGEST_STATE,
    audit: 'stored a state of Terraform',
  },
  deleteTerraform: {
    method: 'DELETE',
    path: NAME,
    needs: 'writer',
    permission: 'stack:delete',
    maxBody: 0,
    audit: 'deleted a state of Terraform',
  },
  lockTerraform: { method: 'LOCK', path: NAME, needs: 'writer', permission: 'stack:write', maxBody: 1 << 20 },
  unlockTerraform: {
    method: 'UNLOCK',
    path: NAME,
    needs: 'writer',
    permission: 'stack:write',
    maxBody: 1 << 20,
  },
  listTerraform: { method: 'GET', path: '/tf/{org}', needs: 'user', maxBody: 0 },
  listTerraformVersions: {
    method: 'GET',
    path: `${NAME}/versions`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: 0,
  },
  readTerraformVersion: {
    method: 'GET',
    path: `${NAME}/versions/{version}`,
    needs: 'writer',
    permission: 'stack:decrypt',
    maxBody: 0,
    audit: 'read a version of a state of Terraform',
    auditFirst: true,
  },
  purgeTerraform: {
    method: 'DELETE',
    path: `${NAME}/versions`,
    needs: 'admin',
    maxBody: 0,
    audit: 'removed a state of Terraform with its versions',
  },
} as const satisfies Readonly<Record<string, Route>>;

/** Lock of a state as Terraform sends it. Other members are kept as they came. */
export const TerraformLock = v.looseObject({
  ID: v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(200, 'is longer than 200 characters')),
});

/** Lock that holds a state. */
export type TerraformLockInfo = v.InferOutput<typeof TerraformLock>;

/** Version of a state of Terraform. `bytes` is 0 for a deletion. */
export interface TerraformVersionRow {
  readonly version: number;
  /** RFC 3339. */
  readonly time: string;
  readonly by: string;
  readonly serial?: number;
  readonly lineage?: string;
  readonly bytes: number;
}

/** State of Terraform in a list, with its newest version. */
export interface TerraformRow extends Partial<TerraformVersionRow> {
  readonly project: string;
  readonly name: string;
  readonly lock?: TerraformLockInfo;
}

/** Page of the list of states. Without a token there are no more rows. */
export interface TerraformRowsAnswer {
  readonly states: readonly TerraformRow[];
  readonly continuationToken: string | null;
}

/** Page of the versions of a state, newest first. */
export interface TerraformVersionsAnswer {
  readonly versions: readonly TerraformVersionRow[];
}
