interface Problem {
  readonly text: string;
  readonly location: { readonly line: number; readonly column: number; readonly lineText: string } | null;
}

/**
 * Makes the error of a file that does not parse: `<file>:<line>:<column>: <what>` and the line with a mark under the
 * place. Lines and columns count from 1. Anything that is not esbuild's report of problems is returned as it is.
 */
export function asSyntaxError(error: unknown, path: string): unknown {
  const problems = (error as { errors?: readonly Problem[] } | null)?.errors;
  if (!Array.isArray(problems) || problems.length === 0) return error;
  return new SyntaxError(
    (problems as readonly Problem[]).map((problem) => describe(problem, path)).join('\n'),
  );
}

function describe({ text, location }: Problem, path: string): string {
  if (location === null) return `${path}: ${text}`;
  const number = String(location.line);
  const before = location.lineText.slice(0, location.column).replace(/[^\t]/g, ' ');
  return [
    `${path}:${location.line}:${location.column + 1}: ${text}`,
    `  ${number} | ${location.lineText}`,
    `  ${' '.repeat(number.length)} | ${before}^`,
  ].join('\n');
}
