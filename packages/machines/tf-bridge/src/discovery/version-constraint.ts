import semver from 'semver';

/** One condition on a version. All conditions of a constraint must hold. */
interface Condition {
  readonly text: string;
  readonly holds: (version: string) => boolean;
  /** The exact version that it names, which may be a pre-release. */
  readonly exactly?: string | undefined;
}

/** A constraint on versions. */
export interface VersionConstraint {
  readonly text: string;
  readonly conditions: readonly Condition[];
}

/** The constraint in a text, or its error. */
type ConstraintReading =
  | { readonly t: 'constraint'; readonly constraint: VersionConstraint }
  | { readonly t: 'refused'; readonly why: string };

/** Any released version. */
export const ANY_VERSION: VersionConstraint = { text: '', conditions: [] };

const CONDITION =
  /^(~>|>=|<=|!=|=|>|<)?\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

/** Reads conditions separated by commas, for example `~> 3.1, != 3.2.0` [TFD-2]. Missing parts of a version are 0. */
export function readConstraint(text: string): ConstraintReading {
  const conditions: Condition[] = [];
  for (const part of text.split(',').map((each) => each.trim())) {
    const condition = readCondition(part);
    if (condition === undefined)
      return { t: 'refused', why: `"${part}" is not a version constraint, e.g. "~> 3.1" or "3.1.2"` };
    conditions.push(condition);
  }
  return { t: 'constraint', constraint: { text, conditions } };
}

function readCondition(text: string): Condition | undefined {
  const match = CONDITION.exec(text);
  if (match === null) return undefined;
  const [, operator = '=', major = '', minor, patch, prerelease = '', build = ''] = match;
  const numbers = [major, minor, patch].map((each) => Number(each ?? 0));
  const version = `${numbers.join('.')}${prerelease}${build}`;
  if (semver.valid(version) === null) return undefined;
  if (operator === '=')
    return { text, holds: (each) => semver.compareBuild(each, version) === 0, exactly: version };
  if (operator === '~>') {
    const next = `${semver.inc(version, patch === undefined ? 'major' : 'minor')}`;
    const end = prerelease === '' ? next : above(version, patch === undefined);
    return { text, holds: (each) => semver.gte(each, version) && semver.lt(each, `${end}-0`) };
  }
  return { text, holds: COMPARISONS[operator as keyof typeof COMPARISONS](version) };
}

const COMPARISONS = {
  '!=': (version: string) => (each: string) => semver.neq(each, version),
  '>': (version: string) => (each: string) => semver.gt(each, version),
  '>=': (version: string) => (each: string) => semver.gte(each, version),
  '<': (version: string) => (each: string) => semver.lt(each, version),
  '<=': (version: string) => (each: string) => semver.lte(each, version),
};

/** Returns the first version that `~>` excludes, for a pre-release. */
function above(version: string, major: boolean): string {
  const at = new semver.SemVer(version);
  return major ? `${at.major + 1}.0.0` : `${at.major}.${at.minor + 1}.0`;
}

/** Tells whether the constraint allows the version. A pre-release must be named exactly. */
export function allows(constraint: VersionConstraint, version: string): boolean {
  const { conditions } = constraint;
  const named = (condition: Condition) =>
    condition.exactly !== undefined && semver.compareBuild(condition.exactly, version) === 0;
  if (semver.prerelease(version) !== null && !conditions.some(named)) return false;
  return conditions.every(({ holds }) => holds(version));
}
