import type { TypeExtras } from '@cairn/wire';

/** Facts about a type after all trials. */
interface Known {
  readonly promises: TypeExtras;
  /** True if reads were seen to look at the object; `undefined` if no trial has shown it. */
  readonly looks: boolean | undefined;
  /** Outputs that no input sets. */
  readonly ownOutputs: readonly string[];
}

/** Returns the questions of the engine to a person about objects of a type [PROV-20]. */
export function questionsAbout({ promises, looks, ownOutputs }: Known): readonly string[] {
  const { idempotencyToken, lookup, reads, repeatable = [], holdsData } = promises;
  const read = reads === 'world' || (reads === undefined && looks === true);
  const questions: string[] = [];
  if (idempotencyToken === undefined && lookup !== true) {
    questions.push(
      'a create that was interrupted: whether the object was created, and its id (--created ID or --not-created)',
    );
    if (!read && ownOutputs.length > 0)
      questions.push(
        `an object that is taken over as created: its outputs ${ownOutputs.join(', ')} (--outputs FILE)`,
      );
  }
  for (const call of ['update', 'delete'] as const) {
    if (read || repeatable.includes(call)) continue;
    const article = call === 'update' ? 'an' : 'a';
    questions.push(`${article} ${call} that was interrupted: whether it was done (--done or --not-done)`);
  }
  if (holdsData === true)
    questions.push('a rollback: whether objects that hold data may be deleted or created again');
  return questions;
}
