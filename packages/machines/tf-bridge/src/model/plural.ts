import { isLetter, runAtEnd } from './runs.js';

/** Plurals that no rule results in. A word that is its own plural maps to itself. */
const IRREGULAR: Readonly<Record<string, string>> = {
  alias: 'aliases',
  appendix: 'appendices',
  atlas: 'atlases',
  axis: 'axes',
  bias: 'biases',
  bonus: 'bonuses',
  bus: 'buses',
  cactus: 'cactuses',
  calf: 'calves',
  campus: 'campuses',
  canvas: 'canvases',
  census: 'censuses',
  chassis: 'chassis',
  child: 'children',
  children: 'children',
  consensus: 'consensuses',
  corpus: 'corpuses',
  criteria: 'criteria',
  criterion: 'criteria',
  data: 'data',
  datum: 'data',
  echo: 'echoes',
  epoch: 'epochs',
  feet: 'feet',
  focus: 'focuses',
  foot: 'feet',
  half: 'halves',
  hero: 'heroes',
  index: 'indices',
  information: 'information',
  iris: 'irises',
  knife: 'knives',
  leaf: 'leaves',
  lens: 'lenses',
  life: 'lives',
  man: 'men',
  matrix: 'matrices',
  media: 'media',
  men: 'men',
  metadata: 'metadata',
  mice: 'mice',
  mouse: 'mice',
  nexus: 'nexuses',
  people: 'people',
  person: 'people',
  phenomena: 'phenomena',
  phenomenon: 'phenomena',
  quiz: 'quizzes',
  radius: 'radiuses',
  self: 'selves',
  shelf: 'shelves',
  status: 'statuses',
  stomach: 'stomachs',
  surplus: 'surpluses',
  teeth: 'teeth',
  thief: 'thieves',
  tooth: 'teeth',
  vertex: 'vertices',
  virus: 'viruses',
  wolf: 'wolves',
  woman: 'women',
  women: 'women',
};

/** Endings and their replacements. The first match counts. */
const ENDINGS: readonly (readonly [ending: RegExp, plural: string])[] = [
  [/sis$/, 'ses'],
  [/(?<=ss)$/, 'es'],
  [/(?<=s)$/, ''],
  [/(?<=x|z|ch|sh)$/, 'es'],
  [/(?<=[^aeiou])y$/, 'ies'],
  [/$/, 's'],
];

/**
 * Returns the plural of a name in snake case, by its last word [TFN-2]. Names of users depend on this table, so nothing
 * in it may change; a mapping file corrects it for one name.
 */
export function plural(name: string): string {
  const start = runAtEnd(name, isLetter);
  const [before, word] = [name.slice(0, start), name.slice(start)];
  if (word === '') return `${name}s`;
  const irregular = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined;
  if (irregular !== undefined) return before + irregular;
  const [ending, put] = ENDINGS.find(([pattern]) => pattern.test(word)) as (typeof ENDINGS)[number];
  return before + word.replace(ending, put);
}
