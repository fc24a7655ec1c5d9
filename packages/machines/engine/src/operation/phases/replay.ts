import { makeProviderReference, parseProviderReference, UNKNOWN_ID } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import type { RunResult } from '@cairn/wire';
import { goalReferences } from '../../decide/goal-references.js';
import type { PostRegistration, RegisterResult } from '../../model/registration.js';
import type { CompleteTranscript, Said } from '../../model/saved-plan.js';
import { postGoal, postOutputs, postRead } from '../../monitor/posting.js';
import type { ProviderSource } from '../../providers/provider-source.js';

/** Parts of a registration's result on which later registrations depend. */
type Answer = Pick<RegisterResult, 'id' | 'result'>;

/**
 * Repeats the registrations of a program without the program [REC-14]. Each is posted once everything that it refers to
 * is answered, with the present ids of providers. Resolves like a program's run; refusals have been reported.
 */
export async function replayTranscript(
  { said, extensions }: CompleteTranscript,
  post: PostRegistration,
  providers: Pick<ProviderSource, 'learn'>,
): Promise<RunResult> {
  for (const [ref, extension] of Object.entries(extensions)) providers.learn(ref, extension);
  const replayer = new Replayer(post);
  const told = await Promise.allSettled(said.map((each) => replayer.tell(each)));
  return told.every(({ status }) => status === 'fulfilled') ? { t: 'ok' } : { t: 'bail' };
}

class Replayer {
  readonly #answers = new Map<Urn, Promise<Answer>>();
  readonly #all: Promise<unknown>[] = [];
  readonly #post: PostRegistration;

  constructor(post: PostRegistration) {
    this.#post = post;
  }

  tell(said: Said): Promise<unknown> {
    const telling = this.#tell(said);
    this.#all.push(telling);
    return telling;
  }

  #tell(said: Said): Promise<unknown> {
    switch (said.t) {
      case 'register': {
        const { goal } = said;
        return this.#answer(goal.urn, async () => {
          const provider = await this.#ready(goal);
          return postGoal(this.#post, provider === goal.provider ? goal : { ...goal, provider });
        });
      }
      case 'read': {
        const { goal } = said;
        return this.#answer(goal.urn, async () => {
          const provider = await this.#ready(goal);
          const { id } = await postRead(
            this.#post,
            provider === goal.provider ? goal : { ...goal, provider },
          );
          return { id, result: 'success' };
        });
      }
      case 'outputs':
        return this.#outputs(said);
    }
  }

  #answer(urn: Urn, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = ask();
    this.#answers.set(urn, answer);
    return answer;
  }

  /**
   * Registers outputs once everything before them is answered, as a program would. Outputs of a component that failed
   * are not registered.
   */
  async #outputs({ t: _, ...said }: Extract<Said, { readonly t: 'outputs' }>): Promise<void> {
    await Promise.all(this.#all);
    const own = await this.#answers.get(said.urn);
    if (own?.result === 'success') await postOutputs(this.#post, said);
  }

  /** Waits for everything that a goal refers to. Returns the present reference of its provider. */
  async #ready(goal: Parameters<typeof goalReferences>[0]): Promise<ProviderReference | undefined> {
    const answers = goalReferences(goal).flatMap((urn) => this.#answers.get(urn) ?? []);
    await Promise.all(answers);
    if (goal.provider === undefined) return undefined;
    const { urn } = parseProviderReference(goal.provider);
    const answer = await this.#answers.get(urn);
    return answer === undefined ? goal.provider : makeProviderReference(urn, answer.id || UNKNOWN_ID);
  }
}
