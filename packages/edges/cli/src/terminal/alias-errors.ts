import { CairnError, isCairnError } from '@cairn/diagnostics';
import type { Diagnostic, ErrorCode } from '@cairn/diagnostics';

/** Texts that scripts hold all of stderr against, so that nothing may stand behind them. */
const COMPARED = [
  /^configuration key '.*' not found for stack '[^']*'$/,
  /^--\S+ and --\S+ cannot be used together$/,
] as const;

/** Words that scripts look for in errors that are told in others here; they are told as the first cause. */
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
    of: /^the project asks for version (.*); this is compatible with (.*)$/,
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
 * An error as it is told under the other tool's name (`cairn alias`): one whose whole text scripts compare has no place
 * and no hint, one that they look into has their words too; any other one is told as under our own name.
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

/** What scripts look for when a document has a version that is not read. */
const VERSION_WORDS: Partial<Readonly<Record<ErrorCode, string>>> = {
  'CAIRN-STATE-TOO-NEW': 'is newer than what this version of the Pulumi CLI understands',
  'CAIRN-STATE-TOO-OLD': 'is too old',
};

/** The same error; one about the version of a stack's document has the words for it among its causes. */
export function withVersionWords(error: unknown, stack: string): unknown {
  if (!isCairnError(error)) return error;
  const diagnostics = error.diagnostics.map((diagnostic): Diagnostic => {
    const words = VERSION_WORDS[diagnostic.code as ErrorCode];
    if (words === undefined) return diagnostic;
    return { ...diagnostic, causes: [...(diagnostic.causes ?? []), `the stack '${stack}' ${words}`] };
  });
  return new CairnError(diagnostics, { cause: error });
}
