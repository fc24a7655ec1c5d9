import { FINE, patterns } from './concluding.js';
import { resourceName, resourceType } from './fuzz-case.js';
import type { FuzzCase, WantedOperation, WantedResource } from './fuzz-case.js';
import type { Finding } from './run-case.js';

/**
 * Returns a case as the text of a test, to be pasted beside the other scenarios. Its programs look as if written by
 * hand, one registration after the other, up to the operation that showed the fault.
 */
export function scenarioText(wanted: FuzzCase, finding: Finding): string {
  const { operations } = wanted;
  const last = operations.at(-1)?.program ?? [];
  const shown = operations.slice(0, finding.operation + 1);
  const ending = finding.operation < operations.length ? [] : endings(last);
  const lines = [
    `test(${text(finding.fault.slice(0, 100))}, async () => {`,
    '  const providers = new ScriptedWorld();',
    ...priorLines(wanted),
    ...[...shown, ...ending].flatMap((operation) => operationLines(operation)),
    '});',
  ];
  return lines.join('\n');
}

function endings(program: readonly WantedResource[]): readonly WantedOperation[] {
  const fine = { ...FINE, program };
  return [fine, fine, { ...FINE, kind: 'destroy' }];
}

function priorLines({ prior }: FuzzCase): readonly string[] {
  if (prior.length === 0) return ['  let prior = emptySnapshot;'];
  return [
    '  let prior = priorSnapshot([',
    ...prior.map((entry) => `    ${code(entry)},`),
    '  ]);',
    '  providers.adopt(prior.resources);',
  ];
}

function operationLines(operation: WantedOperation): readonly string[] {
  const {
    kind,
    preview,
    runProgram,
    refresh,
    continueOnError,
    ignoreProtect,
    scope,
    scripts,
    vanished,
    cancelAt,
    program,
  } = operation;
  const limits = code(
    withoutNothing({
      refresh,
      targets: patterns(scope?.targets ?? []),
      targetDependents: scope?.dependents === true && scope.targets.length > 0,
      excludes: patterns(scope?.excludes ?? []),
      excludeDependents: scope?.dependents === true && scope.excludes.length > 0,
      replace: patterns(scope?.replace ?? []),
    }),
  );
  const rules = code(withoutNothing({ continueOnError, ignoreProtect }));
  return [
    `  providers.scripts = ${code(scripts)};`,
    ...vanished.map((at) => `  providers.vanishAt(${at});`),
    ...(cancelAt === undefined ? [] : [`  // cancelled at call ${cancelAt} of a provider`]),
    '  ({ snapshot: prior } = await runScenario({',
    `    ...${code(withoutNothing({ kind, preview, runProgram }))},`,
    '    prior,',
    '    providers,',
    ...(limits === '{}' ? [] : [`    scope: ${limits},`]),
    ...(rules === '{}' ? [] : [`    policy: ${rules},`]),
    '    program: async ({ resource, component, read, provider }) => {',
    ...program.flatMap((each, at) => registrationLines(each, program.slice(0, at))),
    '    },',
    '  }));',
    '  expect(worldFaults(prior, providers)).toEqual([]);',
  ];
}

function registrationLines(wanted: WantedResource, earlier: readonly WantedResource[]): readonly string[] {
  const name = resourceName(wanted);
  const named = (at: number | undefined) => {
    const found = at === undefined ? undefined : earlier[at];
    return found === undefined ? undefined : resourceName(found);
  };
  const urn = (at: number | undefined) => {
    const found = named(at);
    return found === undefined ? undefined : `${found}.urn`;
  };
  const linked = new Set(
    [...wanted.deps, wanted.from, wanted.bound].map(urn).filter((each) => each !== undefined),
  );
  const options = [
    ['dependencies', list([...linked])],
    ['parent', urn(wanted.parent)],
    ['deletedWith', urn(wanted.deletedWith)],
    ['replaceWith', list([urn(wanted.replaceWith)].filter((each) => each !== undefined))],
    ['protect', wanted.protect ? 'true' : undefined],
    ['retainOnDelete', wanted.retain ? 'true' : undefined],
    ['deleteBeforeReplace', wanted.deleteFirst === undefined ? undefined : String(wanted.deleteFirst)],
    ['ignoreChanges', wanted.ignoreUpdate ? "['update']" : undefined],
    ['replaceOnChanges', wanted.promoteUpdate ? "['update']" : undefined],
    ['replacementTrigger', wanted.trigger === undefined ? undefined : String(wanted.trigger)],
    ['importId', wanted.imported ? text(`outside-${name}`) : undefined],
    [
      'aliases',
      wanted.renamed ? `[aliasOf(${text(resourceName({ ...wanted, renamed: false }))})]` : undefined,
    ],
  ].flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`]));
  const inputs = [
    `update: ${wanted.update}`,
    `replace: ${wanted.replace}`,
    ...[['from', named(wanted.from)] as const, ['bound', named(wanted.bound)] as const].flatMap(
      ([key, value]) => (value === undefined ? [] : [`${key}: ${value}.id`]),
    ),
  ];
  const type = text(resourceType(wanted));
  const tail = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  switch (wanted.kind) {
    case 'component':
      return [`      const ${name} = await component(${type}, '${name}'${tail});`];
    case 'provider':
      return [
        `      const ${name} = await resource(${type}, '${name}', { update: ${wanted.update} }${tail});`,
      ];
    case 'read':
      return [`      const ${name} = await read(${type}, '${name}', 'outside-${name}'${tail});`];
    case 'custom':
      return [`      const ${name} = await resource(${type}, '${name}', { ${inputs.join(', ')} }${tail});`];
  }
}

function list(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : `[${items.join(', ')}]`;
}

function withoutNothing(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([, value]) => value !== false && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function text(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Returns a value as a TypeScript literal. */
function code(value: unknown): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map(code).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Object.entries(value).map(([key, each]) => `${key}: ${code(each)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
