import { asUrn, UNKNOWN_ID } from '@cairn/addresses';
import { secret, UNKNOWN } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { answerBefore, whyNotReusable } from './service-record.js';
import type { ServiceRecord, Settled } from './service-record.js';

const urn = asUrn('urn:pulumi:dev::proj::pulumi:providers:test::p');
const identity = { urn, name: 'p', type: 'pulumi:providers:test' };
const can = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsPreview: true,
  supportsAutonaming: false,
};

const configured = (inputs: PropertyMap, id = 'one', more: object = {}): Settled => ({
  call: 'configure',
  request: { ...identity, id, inputs },
  answer: { ...can, ...more },
});
const checked = (news: PropertyMap): Settled => ({
  call: 'checkConfig',
  request: { ...identity, olds: undefined, news },
  answer: { inputs: news, failures: [] },
});
const record = (settled: readonly Settled[], more: Partial<ServiceRecord> = {}): ServiceRecord => ({
  settled,
  spent: undefined,
  underWay: 0,
  ...more,
});

const eu = configured({ region: 'eu' });

test.each<[string, ServiceRecord, ReturnType<typeof whyNotReusable>]>([
  ['configured once, all known', record([checked({ region: 'eu' }), eu]), undefined],
  ['never configured', record([checked({ region: 'eu' })]), 'not-configured'],
  ['nothing asked', record([]), 'not-configured'],
  ['configured twice', record([eu, eu]), 'configured-twice'],
  ['a setting unknown', record([configured({ region: UNKNOWN })]), 'unknown'],
  ['an unknown inside a secret', record([configured({ deep: { key: secret(UNKNOWN) } })]), 'unknown'],
  ['a new provider, whose id is not known', record([configured({}, UNKNOWN_ID)]), 'unknown'],
  [
    'the same, and ids make no difference',
    record([configured({}, UNKNOWN_ID, { settingsOnly: true })]),
    undefined,
  ],
  ['it has made components', record([eu], { spent: 'component' }), 'component'],
  ['it was extended', record([eu], { spent: 'extended' }), 'extended'],
  ['a call failed', record([eu], { spent: 'failed' }), 'failed'],
  ['it was asked to give up', record([eu], { spent: 'cancelled' }), 'cancelled'],
  ['a call is under way', record([eu], { underWay: 1 }), 'busy'],
])('whether it can serve a further pass: %s [PLUG-12]', (_, served, unfit) => {
  expect(whyNotReusable(served)).toBe(unfit);
});

const asked = (inputs: PropertyMap, id = 'one') => ({ ...identity, id, inputs });

test.each<[string, Settled, Parameters<typeof answerBefore>[2], boolean]>([
  ['the same settings', eu, asked({ region: 'eu' }), true],
  ['other settings', eu, asked({ region: 'us' }), false],
  ['one more', eu, asked({ region: 'eu', key: null }), false],
  ['secret now', eu, asked({ region: secret('eu') }), false],
  ['known now', configured({ region: UNKNOWN }), asked({ region: 'eu' }), false],
  ['unknown both times', configured({ region: UNKNOWN }), asked({ region: UNKNOWN }), false],
  ['another id', eu, asked({ region: 'eu' }, 'two'), false],
  [
    'another id, which makes no difference',
    configured({}, UNKNOWN_ID, { settingsOnly: true }),
    asked({}, 'two'),
    true,
  ],
  ['another provider', eu, { ...asked({ region: 'eu' }), urn: asUrn(`${urn}2`) }, false],
])('whether an answer to configure stands: %s [PLUG-12]', (_, before, request, stands) => {
  const answer = answerBefore([before], 'configure', request);
  expect(answer).toBe(stands ? before.answer : undefined);
});

test('an answer to a check stands for the same check only [PLUG-12]', () => {
  const before = checked({ region: 'eu' });
  const request = { ...identity, olds: undefined, news: { region: 'eu' } };
  expect(answerBefore([before, eu], 'checkConfig', request)).toBe(before.answer);
  expect(answerBefore([before, eu], 'checkConfig', { ...request, olds: { region: 'eu' } })).toBeUndefined();
  expect(answerBefore([before, eu], 'diffConfig', request as never)).toBeUndefined();
});
