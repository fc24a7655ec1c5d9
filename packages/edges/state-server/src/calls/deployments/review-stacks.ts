import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { MATCHED_TEXTS, Name } from '@cairn/http-api';
import * as v from 'valibot';
import { openSettings, sealSettings } from '../../domain/deployments/settings.js';
import { reviewSettings, reviewStackName } from '../../domain/deployments/review-settings.js';
import { Refusal } from '../../domain/refusal.js';
import type { ApiCaller } from '../caller.js';
import { inStackTurn } from '../service-ports.js';
import type { ServicePorts, TurnPorts } from '../service-ports.js';
import { newStackRecord, recordOf } from '../stack-records.js';
import type { Stacks } from '../stacks.js';
import type { StackRecord } from '../../store/service-store.js';
import { needNamedStacks, needSecretsOf, settingsRow } from './named-stacks.js';

/** Outside facilities of review stacks. */
interface ReviewPorts extends ServicePorts {
  readonly stacks: Pick<Stacks, 'add'>;
}

/**
 * Returns the review stack of a pull request on a stack. Refuses a caller who may not write to it, and a name that no
 * stack can have.
 */
export async function reviewStackOf(stack: StackId, pull: string, caller: ApiCaller): Promise<StackId> {
  const review = { ...stack, stack: reviewStackName(stack.stack, pull) };
  if (!v.is(Name, review.stack)) throw new Refusal(400, `'${review.stack}' is no name of a stack.`);
  await caller.needForNewStack(review, 'stack:create');
  await caller.needOnStack({ role: 'writer', permission: 'stack:write' }, review);
  return review;
}

/**
 * Makes the review stack of a stack, or brings its settings up to date [AGT-25]. The caller must be able to read the
 * stack that it copies with its secrets, and the stacks that its settings name. Refuses another stack's name (409).
 */
export function makeReviewStack(
  ports: ReviewPorts,
  {
    of: stack,
    review,
    caller,
  }: { readonly of: StackId; readonly review: StackId; readonly caller: ApiCaller },
): Promise<void> {
  return inStackTurn(ports, [stack, review], async (turn) => {
    const { store, now } = turn;
    await needSecretsOf(caller, stack);
    const copied = await recordOf(turn, stack);
    const own = await settingsRow(store, copied.id);
    if (own === undefined) throw new Refusal(404, 'Deployment settings not found.');
    await needNamedStacks(caller, stack, own.settings);
    const isNew = !(await store.stackExists(review));
    const record = isNew
      ? { ...(await newStackRecord(turn)), config: copied.config }
      : await recordOf(turn, review);
    const known = isNew ? undefined : await settingsRow(store, record.id);
    if (!isNew && known?.copies?.stackId !== copied.id)
      throw new Refusal(
        409,
        `Stack '${review.stack}' ${MATCHED_TEXTS.alreadyExists}, and is no review stack.`,
      );
    if (isNew) await store.putStackRecord(review, record);
    // Before the stack is there, so that none is without this row.
    await store.putDeploymentRow(record.id, 'settings', 'settings', {
      settings: await resealed(turn, reviewSettings(own.settings), copied, record),
      modified: now().toISOString(),
      copies: { stackId: copied.id, stack: stack.stack },
    });
    if (isNew) await ports.stacks.add(turn, review, record, caller.name);
  });
}

/** Refuses a stack that is no review stack of another one (409), or that does not exist (404). */
export function needReviewStack(ports: ReviewPorts, stack: StackId, review: StackId): Promise<void> {
  return inStackTurn(ports, [stack, review], async (turn) => {
    const known = await settingsRow(turn.store, (await recordOf(turn, review)).id);
    if (known?.copies?.stackId !== (await recordOf(turn, stack)).id)
      throw new Refusal(
        409,
        `Stack '${organizationOf(review)}/${review.project}/${review.stack}' is no review stack.`,
      );
  });
}

/** Returns settings with the secrets sealed under the key of another stack. */
async function resealed(
  { keys }: TurnPorts,
  settings: ReturnType<typeof reviewSettings>,
  from: StackRecord,
  to: StackRecord,
): Promise<ReturnType<typeof reviewSettings>> {
  const [before, after] = [await keys.open(from.id, from.key), await keys.open(to.id, to.key)];
  const open = (text: string): string => {
    const plain = before.decrypt(Buffer.from(text, 'base64'));
    if (plain === undefined)
      throw new Refusal(400, 'A ciphertext of the settings does not belong to this stack.');
    return plain.toString('utf8');
  };
  const seal = (text: string): string => after.encrypt(Buffer.from(text)).toString('base64');
  return sealSettings(await openSettings(settings, open), seal, () => '');
}
