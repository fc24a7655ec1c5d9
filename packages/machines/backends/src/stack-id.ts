import { fail } from '@cairn/diagnostics';

/**
 * Stack on a backend. Its names have been checked. `organization` is only set for a stack of a state service. `project`
 * is empty on a store of the layout that came before projects [STORE-4].
 */
export interface StackId {
  readonly organization?: string;
  readonly project: string;
  readonly stack: string;
}

/**
 * Returns the stack if each of its names is one part of a key. Fails with `CAIRN-NAME-INVALID`: names come from project
 * files and command lines, and must not lead out of the place where stacks are.
 */
export function checkedStackId(id: StackId): StackId {
  checkedName('stack', id.stack);
  if (id.project !== '') checkedName('project', id.project);
  return id;
}

/** Returns a name that is one part of a key or an address. Fails with `CAIRN-NAME-INVALID`. */
export function checkedName(what: 'stack' | 'project', name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && !/[/\\\u0000-\u001f\u007f]/.test(name)) return name;
  return fail('CAIRN-NAME-INVALID', `invalid ${what} name ${JSON.stringify(name)}`, {
    hint: 'Use 1 to 100 letters, digits, "_", "." or "-".',
  });
}

/** Organization of every stack on a backend without accounts [ADDR-5]. */
export const ORGANIZATION = 'organization';

/** Returns the organization of a stack, as programs see it. */
export function organizationOf({ organization = ORGANIZATION }: Pick<StackId, 'organization'>): string {
  return organization;
}

/** Returns `<organization>/<project>/<stack>`, or the bare name in the layout before projects. */
export function fullStackName(id: StackId): string {
  return id.project === '' ? id.stack : `${organizationOf(id)}/${id.project}/${id.stack}`;
}
