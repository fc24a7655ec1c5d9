import { CairnError, isCairnError } from '@cairn/diagnostics';

/**
 * A failure of the store, told with what it does not know: what is saved, where, and how it goes on. Other errors pass.
 */
export function withKept(thrown: unknown, directory: string, entries: number): unknown {
  if (
    !isCairnError(thrown) ||
    !thrown.diagnostics.some(({ code }) => code?.startsWith('CAIRN-STORE-') === true)
  )
    return thrown;
  const kept = `what this operation recorded (${entries} entries) is kept in ${directory}: the next \`cairn up\`, \`cairn refresh\` or \`cairn destroy\` makes it part of the state and asks about steps that were under way`;
  const [first, ...rest] = thrown.diagnostics;
  if (first === undefined || first.causes?.includes(kept) === true) return thrown;
  return new CairnError([{ ...first, causes: [...(first.causes ?? []), kept] }, ...rest], { cause: thrown });
}
