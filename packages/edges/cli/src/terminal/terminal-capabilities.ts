import type { TerminalCapabilities } from '../command-context.js';

/** Variables that well-known CI systems set [CLI-6]. */
const CI_VARIABLES = [
  'GITHUB_ACTIONS',
  'GITLAB_CI',
  'TF_BUILD',
  'BITBUCKET_BUILD_NUMBER',
  'BUILDKITE',
  'CIRCLECI',
  'JENKINS_URL',
  'TEAMCITY_VERSION',
  'TRAVIS',
  'APPVEYOR',
  'CODEBUILD_BUILD_ARN',
  'DRONE',
  'SEMAPHORE',
];

type Env = Readonly<Record<string, string | undefined>>;

/** Facts for {@link detectTerminal}. */
export interface TerminalFacts {
  readonly env: Env;
  readonly stdinTty: boolean;
  readonly stdoutTty: boolean;
  readonly stderrTty: boolean;
  readonly nonInteractive: boolean;
  readonly color: 'auto' | 'always' | 'never';
  readonly json: boolean;
  readonly debug: boolean;
}

/** Tells whether a CI system runs the command; a variable can turn this off [CLI-6]. */
export function isCi(env: Env): boolean {
  if (isTruthy(env['CAIRN_DISABLE_CI_DETECTION'] ?? env['PULUMI_DISABLE_CI_DETECTION'])) return false;
  const ci = env['CI'];
  if (ci !== undefined && ci !== '' && ci !== 'false' && ci !== '0') return true;
  return CI_VARIABLES.some((name) => (env[name] ?? '') !== '');
}

/** Decides once how to use the terminal [CLI-4] [CLI-6] [CLI-3]. */
export function detectTerminal(facts: TerminalFacts): TerminalCapabilities {
  const ci = isCi(facts.env);
  const dumb = facts.env['TERM'] === 'dumb';
  return {
    interactive: facts.stdinTty && facts.stderrTty && !facts.nonInteractive && !facts.json && !ci,
    redraw: facts.stdoutTty && !dumb && !ci && !facts.json && !facts.nonInteractive,
    colour: decideColour(facts, dumb),
    unicode: isUnicodeLocale(facts.env),
    debug: facts.debug,
  };
}

function decideColour(facts: TerminalFacts, dumb: boolean): boolean {
  if (facts.json) return false;
  if (facts.color !== 'auto') return facts.color === 'always';
  if ((facts.env['NO_COLOR'] ?? '') !== '') return false;
  if (isForced(facts.env['FORCE_COLOR']) || isForced(facts.env['CLICOLOR_FORCE'])) return true;
  return facts.stdoutTty && !dumb;
}

function isUnicodeLocale(env: Env): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (value) => value !== undefined && value !== '',
  );
  return locale === undefined ? process.platform !== 'win32' : /utf-?8/i.test(locale);
}

function isForced(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0';
}

/** Tells whether the text of a setting switches it on. */
export function isTruthy(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true';
}
