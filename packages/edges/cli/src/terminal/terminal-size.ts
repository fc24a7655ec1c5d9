type Env = Readonly<Record<string, string | undefined>>;

/** Columns of a terminal: as it says, else as `COLUMNS` says, else 80. Some terminals report 0. */
export function terminalColumns({ columns }: { readonly columns?: number | undefined }, env: Env): number {
  return columns || countIn(env['COLUMNS']) || 80;
}

/** Rows of a terminal: as it says, else as `LINES` says, else 24. */
export function terminalRows({ rows }: { readonly rows?: number | undefined }, env: Env): number {
  return rows || countIn(env['LINES']) || 24;
}

/** 0 for what is no count. */
const countIn = (text: string | undefined): number => (/^[0-9]{1,4}$/.test(text ?? '') ? Number(text) : 0);
