/** Command of a comment that approves a run. Runs of a service are numbered by stack, so that it may name one. */
export interface ApproveCommand {
  readonly t: 'approve';
  readonly run: string;
  readonly stack?: string;
}

/** Command in a comment. */
type PullCommand = { readonly t: 'preview' } | ApproveCommand;

/** Returns the commands of a comment: lines that begin with `cairn`. Other lines, and quoted ones, mean nothing. */
export function commandsOf(text: string): readonly PullCommand[] {
  return text.split(/\r?\n/).flatMap((line): readonly PullCommand[] => {
    if (/^cairn preview\s*$/.test(line)) return [{ t: 'preview' }];
    const [, run, stack] = /^cairn approve (\d{1,9})(?: (\S{1,300}))?\s*$/.exec(line) ?? [];
    return run === undefined ? [] : [{ t: 'approve', run, ...(stack !== undefined && { stack }) }];
  });
}
