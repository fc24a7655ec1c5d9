/** Command in a comment. */
type PullCommand = { readonly t: 'preview' } | { readonly t: 'approve'; readonly run: string };

/** Returns the commands of a comment: lines that begin with `cairn`. Other lines, and quoted ones, mean nothing. */
export function commandsOf(text: string): readonly PullCommand[] {
  return text.split(/\r?\n/).flatMap((line): readonly PullCommand[] => {
    const [, verb, run] = /^cairn (preview|approve)(?: (\d{1,9}))?\s*$/.exec(line) ?? [];
    if (verb === 'preview' && run === undefined) return [{ t: 'preview' }];
    return verb === 'approve' && run !== undefined ? [{ t: 'approve', run }] : [];
  });
}
