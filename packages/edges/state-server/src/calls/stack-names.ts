import { ORGANIZATION } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { Login, Name } from '@cairn/http-api';
import * as v from 'valibot';
import { Refusal } from '../domain/refusal.js';

/** Names of a path. */
export type PathNames = Readonly<Partial<Record<string, string>>>;

/** Project of an organization. */
export interface ProjectName {
  readonly organization: string;
  readonly project: string;
}

/** Returns the stack that a path names. Refuses names that are not a segment, and organizations that cannot exist. */
export function stackOf({ org, project, stack }: PathNames): StackId {
  const { organization, project: checked } = projectOf({ org, project });
  const names = { project: checked, stack: checkedName('stack', stack) };
  return organization === ORGANIZATION ? names : { organization, ...names };
}

/** Returns the project that a path names, as {@link stackOf} does. */
export function projectOf({ org, project }: PathNames): ProjectName {
  const organization = v.safeParse(Login, org);
  if (!organization.success) throw noOrganization(org);
  return { organization: organization.output, project: checkedName('project', project) };
}

/** Returns the refusal of an organization that does not exist for the caller. */
export function noOrganization(name: string | undefined): Refusal {
  return new Refusal(404, `Organization '${printable(name)}' not found.`);
}

function checkedName(what: string, text: string | undefined): string {
  const parsed = v.safeParse(Name, text);
  if (parsed.success) return parsed.output;
  throw new Refusal(400, `The name of a ${what} ${parsed.issues[0].message}.`);
}

function printable(text: string | undefined): string {
  return JSON.stringify(text ?? '')
    .slice(1, 41)
    .replace(/"$/, '');
}
