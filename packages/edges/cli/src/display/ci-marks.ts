import path from 'node:path';
import type { Diagnostic } from '@cairn/diagnostics';
import { isUrn, urnName } from '@cairn/addresses';
import { aboutUrn, diagnosticTexts } from './diagnostic-words.js';
import { groupedFailures } from './failure-groups.js';
import { stripEscapes } from '../terminal/paint.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Marks for the log of a CI system: sections that fold, and problems that are shown beside the code. */
export interface CiMarks {
  /** Begins a section. */
  open(title: string): string;
  /** Ends the section. */
  close(): string;
  /** Guards text from other sources, so that the CI system takes none of it for a command. */
  guard(text: string): string;
  /**
   * Returns the errors and warnings of an operation. `root` is the directory of the project, the base of their places.
   */
  problems(diagnostics: readonly Diagnostic[], root: string | undefined): string;
}

/** Inputs for making the marks. */
interface CiFacts {
  readonly env: Env;
  readonly now: () => Date;
  /** Returns a token that is unknown to others. */
  readonly token: () => string;
}

/** GitHub shows at most ten of each kind; the log has all. */
const MOST = 10;

/**
 * Returns the marks of the CI system that runs the command. Returns undefined elsewhere, and with
 * `CAIRN_CI_ANNOTATIONS=0`.
 */
export function ciMarks(facts: CiFacts): CiMarks | undefined {
  const { env } = facts;
  if (['0', 'false'].includes((env['CAIRN_CI_ANNOTATIONS'] ?? '').toLowerCase())) return undefined;
  if (env['GITHUB_ACTIONS'] === 'true') return githubMarks(facts);
  return env['GITLAB_CI'] === 'true' ? gitlabMarks(facts) : undefined;
}

function githubMarks({ env, token }: CiFacts): CiMarks {
  let key = '';
  const begin = (): string => `::stop-commands::${(key = token())}\n`;
  const end = (): string => `::${key}::\n`;
  return {
    open: (title) => `::group::${escapedData(stripEscapes(title))}\n${begin()}`,
    close: () => `${end()}::endgroup::\n`,
    guard: (text) => `${begin()}${text.endsWith('\n') ? text : `${text}\n`}${end()}`,
    problems: (diagnostics, root) =>
      (['error', 'warning'] as const)
        .flatMap((severity) =>
          grouped(diagnostics.filter((each) => each.severity === severity))
            .slice(0, MOST)
            .map((each) => githubProblem(each, severity, root, env['GITHUB_WORKSPACE'])),
        )
        .join(''),
  };
}

/**
 * Merges a problem that many resources share into one. It is at the place of the first resource and lists all of them.
 */
function grouped(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const { groups, single } = groupedFailures(diagnostics.map((diagnostic) => ({ diagnostic })));
  return [
    ...groups.map(({ shared, members }) => {
      const names = members.map(({ urn = '' }) => (isUrn(urn) ? urnName(urn) : ''));
      const { source } = members[0] as Diagnostic;
      return {
        ...shared,
        ...(source === undefined ? {} : { source }),
        summary: `${shared.summary} (${members.length} resources: ${names.join(', ')})`,
      };
    }),
    ...single.map(({ diagnostic }) => diagnostic),
  ];
}

function githubProblem(
  diagnostic: Diagnostic,
  severity: 'error' | 'warning',
  root: string | undefined,
  workspace: string | undefined,
): string {
  const { source, code } = diagnostic;
  const urn = aboutUrn(diagnostic);
  const named = urn === undefined ? code : `${code}: ${urnName(urn)}`;
  const properties = [
    ...(source === undefined ? [] : [`file=${escapedProperty(placeOf(source.file, root, workspace))}`]),
    ...(source?.line === undefined ? [] : [`line=${source.line}`]),
    ...(source?.column === undefined ? [] : [`col=${source.column}`]),
    `title=${escapedProperty(stripEscapes(named))}`,
  ];
  const text = diagnosticTexts(diagnostic).map(stripEscapes).join('\n');
  return `::${severity} ${properties.join(',')}::${escapedData(text)}\n`;
}

/** Returns the file's path in the repository. */
function placeOf(file: string, root: string | undefined, workspace: string | undefined): string {
  if (root === undefined || workspace === undefined || workspace === '') return file;
  return path.relative(workspace, path.resolve(root, file)).split(path.sep).join('/');
}

const escapedData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapedProperty = (text: string): string =>
  escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const ERASE = '\u001b[0K';

function gitlabMarks({ now }: CiFacts): CiMarks {
  let section = '';
  let count = 0;
  const seconds = (): number => Math.floor(now().getTime() / 1000);
  return {
    open(title) {
      section = `cairn_${seconds()}_${(count += 1)}`;
      return `${ERASE}section_start:${seconds()}:${section}\r${ERASE}${stripEscapes(title).replaceAll('\n', ' ')}\n`;
    },
    close: () => `${ERASE}section_end:${seconds()}:${section}\r${ERASE}\n`,
    guard: (text) => text,
    problems: () => '',
  };
}
