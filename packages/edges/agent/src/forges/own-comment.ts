/** Line by which the agent recognises its comment. */
export const COMMENT_MARK = '<!-- cairn agent -->';

/** Calls about the comments of a pull request. */
interface CommentCalls {
  /** Login of the agent's user. */
  me(): Promise<string>;
  all(): Promise<readonly { readonly id: string; readonly by: string; readonly text: string }[]>;
  add(): Promise<unknown>;
  /** Returns `undefined` if there is no such comment. */
  edit(id: string): Promise<unknown>;
}

/**
 * Edits the agent's comment in place, or writes it. Returns its id. Without a known id it looks for a comment of its
 * own: an agent may have died after it had written one.
 */
export async function ownComment(known: string | undefined, calls: CommentCalls): Promise<string> {
  if (known !== undefined && (await calls.edit(known)) !== undefined) return known;
  const me = await calls.me();
  const own = (await calls.all()).find((comment) => comment.by === me && comment.text.includes(COMMENT_MARK));
  if (own !== undefined && (await calls.edit(own.id)) !== undefined) return own.id;
  return String(((await calls.add()) as { readonly id: number }).id);
}
