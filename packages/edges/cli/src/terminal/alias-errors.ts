import { CairnError, isCairnError } from '@cairn/diagnostics';
import type { Diagnostic, ErrorCode } from '@cairn/diagnostics';

/** Texts that scripts compare with all of stderr, so that nothing may follow them. */
const COMPARED = [
  /^configuration key '.*' not found for stack '[^']*'$/,
  /^--\S+ and --\S+ cannot be used together$/,
] as const;

/** Words that scripts look for in errors that Cairn reports in other words. They become the first cause. */
const LOOKED_FOR: readonly {
  readonly code: ErrorCode;
  readonly of: RegExp;
  readonly words: (...parts: string[]) => string;
}[] = [
  {
    code: 'CAIRN-NAME-INVALID',
    of: /^invalid stack name /,
    words: () => 'a stack name may only contain alphanumeric, hyphens, underscores, or periods',
  },
  {
    code: 'CAIRN-CONFIG-MISSING',
    of: /^stack "[^"]*" is missing the config value/,
    words: () => 'validating stack config',
  },
  {
    code: 'CAIRN-PROJECT-INVALID',
    of: /^the project requires version (.*), but this one is compatible with (.*)$/,
    words: (range, version) => `Pulumi CLI version ${version} does not satisfy the version range "${range}"`,
  },
  {
    code: 'CAIRN-STACK-NOT-EMPTY',
    of: /^stack "([^"]*)" still has /,
    words: (stack) => `'${stack}' still has resources; removal rejected`,
  },
  {
    code: 'CAIRN-RESOURCE-FAILED',
    of: /^cannot (?:create|update|delete|read) urn:.*?: (.*)$/s,
    words: (message) => `error: ${message}`,
  },
];

/**
 * Returns an error in the form for the other tool's name (`cairn alias`). If scripts compare its whole text, it has no
 * place and no hint. If they search it, it contains their words too. Any other error is the same as under Cairn's own
 * name.
 */
export function underAlias(diagnostic: Diagnostic): Diagnostic {
  const { code, summary, causes = [] } = diagnostic;
  if (COMPARED.some((text) => text.test(summary)))
    return { ...diagnostic, source: undefined, hint: undefined };
  for (const row of LOOKED_FOR) {
    const found = row.code === code ? row.of.exec(summary) : null;
    if (found !== null) return { ...diagnostic, causes: [row.words(...found.slice(1)), ...causes] };
  }
  return diagnostic;
}

/** Words that scripts look for if a document's version is not supported. */
const VERSION_WORDS: Partial<Readonly<Record<ErrorCode, string>>> = {
  'CAIRN-STATE-TOO-NEW': 'is newer than what this version of the Pulumi CLI understands',
  'CAIRN-STATE-TOO-OLD': 'is too old',
};

/** Returns the same error. If it is about the version of a stack's document, these words are among its causes. */
export function withVersionWords(error: unknown, stack: string): unknown {
  if (!isCairnError(error)) return error;
  const diagnostics = error.diagnostics.map((diagnostic): Diagnostic => {
    const words = VERSION_WORDS[diagnostic.code as ErrorCode];
    if (words === undefined) return diagnostic;
    return { ...diagnostic, causes: [...(diagnostic.causes ?? []), `the stack '${stack}' ${words}`] };
  });
  return new CairnError(diagnostics, { cause: error });
}
