/** Returns the first diagnostic of a call that must throw one. */
export function failureOf(run: () => unknown): {
  code: string;
  summary: string;
  hint: string;
  urn: string | undefined;
} {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  const first = (
    thrown as
      { diagnostics?: readonly { code: string; summary: string; hint?: string; urn?: string }[] } | undefined
  )?.diagnostics?.[0];
  if (first === undefined) throw new Error(`expected a diagnostic, got ${String(thrown)}`, { cause: thrown });
  return { code: first.code, summary: first.summary, hint: first.hint ?? '', urn: first.urn };
}
