import { ORGANIZATION } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { Name } from '@cairn/http-api';
import * as v from 'valibot';
import { Refusal } from '../domain/refusal.js';

/** Names of a path. */
export type PathNames = Readonly<Partial<Record<string, string>>>;

/** Returns the stack that a path names. Refuses other organizations and names that are no segment. */
export function stackOf({ org, project, stack }: PathNames): StackId {
  return { project: projectOf({ org, project }), stack: checkedName('stack', stack) };
}

/** Returns the project that a path names, as {@link stackOf} does. */
export function projectOf({ org, project }: PathNames): string {
  if (org !== ORGANIZATION) throw new Refusal(404, `Organization '${printable(org)}' not found.`);
  return checkedName('project', project);
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
