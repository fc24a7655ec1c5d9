type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the columns of a terminal: the terminal's own number, else that in `COLUMNS`, else 80. Some terminals report
 * 0.
 */
export function terminalColumns({ columns }: { readonly columns?: number | undefined }, env: Env): number {
  return columns || countIn(env['COLUMNS']) || 80;
}

/** Returns the rows of a terminal: the terminal's own number, else that in `LINES`, else 24. */
export function terminalRows({ rows }: { readonly rows?: number | undefined }, env: Env): number {
  return rows || countIn(env['LINES']) || 24;
}

/** Parses a count; returns 0 for any other text. */
const countIn = (text: string | undefined): number => (/^[0-9]{1,4}$/.test(text ?? '') ? Number(text) : 0);
