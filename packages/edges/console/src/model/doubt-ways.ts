import type { ConsoleDoubt } from '@cairn/http-api';

/** Way to settle a step in doubt: its words, and the flags of `cairn change resolve`, if a person takes it. */
interface DoubtWay {
  readonly words: string;
  /** Undefined for what a resume does by itself. */
  readonly flags?: string;
}

/**
 * Returns the ways to settle a step, in the order in which a resume tries them [REC-2]. The record says whether the
 * provider has named the work, and whether the object has an id. What a provider accepts besides, a resume finds out.
 */
export function doubtWays({
  type,
  id,
  isNamed,
}: Pick<ConsoleDoubt, 'type' | 'id' | 'isNamed'>): readonly DoubtWay[] {
  if (type === 'reading' || type === 'importing')
    return [{ words: 'A resume forgets it: it had no effect outside.' }];
  return [...providerWays(type, id, isNamed === true).map((words) => ({ words })), ...personWays(type)];
}

function providerWays(type: string, id: string | undefined, isNamed: boolean): readonly string[] {
  if (type !== 'creating')
    return [
      id === undefined
        ? 'By a read: a resume asks the provider for the object.'
        : `By its id: a resume reads ${id}, where the provider looks at the object.`,
      'By a repetition: a resume makes the call again, where the provider states that this does no harm.',
    ];
  if (isNamed) return ['By its name: the provider has named the work, and a resume asks for its end.'];
  return [
    'By its token: a resume makes the call again with the same token, where the provider takes one.',
    'By a look-up: a resume asks for objects that may be the one, where the provider can look.',
  ];
}

function personWays(type: string): readonly DoubtWay[] {
  if (type === 'creating')
    return [
      { words: "By a person's answer: it was created, with this id.", flags: '--created ID' },
      { words: "By a person's answer: it was not created.", flags: '--not-created' },
    ];
  const done = type === 'deleting' ? 'deleted' : 'updated';
  return [
    { words: `By a person's answer: it was ${done}.`, flags: '--done' },
    { words: `By a person's answer: it was not ${done}.`, flags: '--not-done' },
  ];
}
