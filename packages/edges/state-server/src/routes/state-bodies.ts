import type { StateText } from '@cairn/backends';
import { memberTexts, textLists } from '@cairn/state';
import type { BatchItems } from '../domain/batch-acceptance.js';
import { Refusal } from '../domain/refusal.js';
import { ofRequest } from '../domain/request-fault.js';

/** Newest version of the format that the service stores. */
const NEWEST = 4;

/** Reads a state in a body with its exact text. Refuses one without a deployment, or of another version. */
export function documentIn(text: Uint8Array | string): StateText {
  return ofRequest(() => {
    const members = new Map(memberTexts(text, 'the body'));
    const version = Number(members.get('version') ?? Number.NaN);
    if (!Number.isInteger(version) || version < 3 || version > NEWEST)
      throw new Refusal(400, `The version of the deployment is not 3 or ${NEWEST}.`);
    const features = members.get('features');
    const deployment = members.get('deployment');
    if (deployment === undefined || !deployment.startsWith('{'))
      throw new Refusal(400, 'The body has no deployment.');
    return { version, features: features === 'null' ? undefined : features, deployment };
  });
}

/** Returns the text of one member of a body, or undefined if there is none. */
export function memberIn(body: Uint8Array, name: string): string | undefined {
  const text = ofRequest(() => new Map(memberTexts(body, 'the body')).get(name));
  return text === 'null' ? undefined : text;
}

/** Returns the journal entries and the records of a change in a body with their texts. */
export function batchIn(body: Uint8Array): BatchItems {
  return ofRequest(() => ({ ...textLists(body, 'the body', ['entries', 'records']), whole: body }));
}
