import type { CheckFailure } from '@cairn/provider-sdk';
import { pick, shuffled } from './uniform.js';

/** Default special characters. */
export const SPECIAL_CHARACTERS = '!@#$%&*()-_=+[]{}<>:?';

/** Rules for a random text. */
interface TextRules {
  readonly length: number;
  readonly lower: boolean;
  readonly upper: boolean;
  readonly numeric: boolean;
  readonly special: boolean;
  readonly minLower: number;
  readonly minUpper: number;
  readonly minNumeric: number;
  readonly minSpecial: number;
  /** Replaces {@link SPECIAL_CHARACTERS}. */
  readonly overrideSpecial?: string | undefined;
}

interface CharacterClass {
  readonly flag: 'lower' | 'upper' | 'numeric' | 'special';
  readonly minimum: 'minLower' | 'minUpper' | 'minNumeric' | 'minSpecial';
  readonly characters: (rules: TextRules) => string;
}

const CLASSES: readonly CharacterClass[] = [
  { flag: 'lower', minimum: 'minLower', characters: () => 'abcdefghijklmnopqrstuvwxyz' },
  { flag: 'upper', minimum: 'minUpper', characters: () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' },
  { flag: 'numeric', minimum: 'minNumeric', characters: () => '0123456789' },
  {
    flag: 'special',
    minimum: 'minSpecial',
    characters: ({ overrideSpecial }) => overrideSpecial ?? SPECIAL_CHARACTERS,
  },
];

/** Returns the reasons why no text can follow the rules. Empty if one can. */
export function textProblems(rules: TextRules): readonly CheckFailure[] {
  const used = CLASSES.filter(({ flag }) => rules[flag]);
  if (used.length === 0)
    return [{ property: 'lower', reason: 'at least one of lower, upper, numeric and special must be true' }];
  const problems: CheckFailure[] = [];
  for (const { flag, minimum } of CLASSES) {
    if (rules[minimum] > 0 && !rules[flag])
      problems.push({ property: minimum, reason: `must be 0 when ${flag} is false` });
  }
  if (rules.special && rules.overrideSpecial === '') {
    problems.push({ property: 'overrideSpecial', reason: 'must not be empty when special is true' });
  }
  const least = CLASSES.reduce((sum, { minimum }) => sum + rules[minimum], 0);
  if (least > rules.length)
    problems.push({ property: 'length', reason: `must be at least ${least}, the sum of the minima` });
  return problems;
}

/**
 * Returns a random text that follows the rules. Draws the required minimum of each class, then any allowed characters,
 * and shuffles them.
 */
export function randomText(rules: TextRules): string {
  const used = CLASSES.filter(({ flag }) => rules[flag]);
  const drawn = used.flatMap((one) => draw(rules[one.minimum], [...one.characters(rules)]));
  // The characters are a set: one that is listed twice is not twice as likely.
  const all = [...new Set(used.flatMap((one) => [...one.characters(rules)]))];
  return shuffled([...drawn, ...draw(rules.length - drawn.length, all)]).join('');
}

function draw(count: number, characters: readonly string[]): string[] {
  return Array.from({ length: count }, () => pick(characters));
}
