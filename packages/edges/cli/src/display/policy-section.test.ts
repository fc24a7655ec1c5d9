import { makeUrn } from '@cairn/addresses';
import type { EngineEvent, Violation } from '@cairn/engine';
import { propertyMap, secret } from '@cairn/values';
import { paintFor } from '../terminal/paint.js';
import { maskEvent } from '@cairn/operations';
import { policyEventJson } from './policy-json.js';
import { PolicySection, worstFirst } from './policy-section.js';

const urn = makeUrn({ stack: 'dev', project: 'shop', type: 'a:b:Page', name: 'index' });
const violation = (spec: Partial<Violation>): Violation => ({
  urn,
  policyName: 'short',
  packName: 'house',
  packVersion: '1.2.3',
  description: '',
  message: 'too long',
  level: 'mandatory',
  severity: 'unspecified',
  ...spec,
});
const told = (spec: Partial<Violation>): EngineEvent => ({
  t: 'policy-violation',
  violation: violation(spec),
});
const corrected: Extract<EngineEvent, { t: 'policy-remediation' }> = {
  t: 'policy-remediation',
  urn,
  policyName: 'tags',
  packName: 'house',
  packVersion: '1.2.3',
  before: propertyMap({ a: 1, b: 2 }),
  after: propertyMap({ a: 1, b: 3, c: secret('x') }),
};

test('violations are sorted: mandatory first, then by severity, then by name', () => {
  const levels = ['advisory', 'mandatory'] as const;
  const severities = ['unspecified', 'low', 'medium', 'high', 'critical'] as const;
  const all = levels.flatMap((level) => severities.map((severity) => violation({ level, severity })));
  const sorted = all.toSorted(worstFirst).map(({ level, severity }) => `${level} ${severity}`);
  expect(sorted[0]).toBe('mandatory critical');
  expect(sorted).toEqual(all.map(({ level, severity }) => `${level} ${severity}`).reverse());
  expect(
    [violation({ policyName: 'b' }), violation({ policyName: 'a' })].toSorted(worstFirst)[0]?.policyName,
  ).toBe('a');
});

test('the section of a pass: pack by pack, corrections before violations', () => {
  const section = new PolicySection('/shop', true);
  expect(section.lines(paintFor(false))).toEqual([]);
  const summary = {
    packName: 'other',
    packVersion: '',
    passed: ['x'],
    failed: [],
    packDirectory: '/shop/rules',
  };
  section.take({ t: 'policy-summary', of: 'analyze', urn, summary });
  section.take(told({ level: 'advisory' }));
  section.take(told({ severity: 'high', message: 'two\nlines' }));
  section.take(corrected);
  expect(section.lines(paintFor(false))).toEqual([
    'Policies:',
    '    ✅ other (local: rules): kept',
    '    ❌ house@v1.2.3: 2 broken',
    '        [remediate] tags  a:b:Page index  sets b, c',
    '        [mandatory] short (high)  a:b:Page index: two lines',
    '        [advisory] short  a:b:Page index: too long',
    '',
  ]);
  expect(section.lines(paintFor(false), true).filter((line) => line.includes('so far'))).toEqual([
    '    ➖ other (local: rules): 0 broken so far',
    '    ❌ house@v1.2.3: 2 broken so far',
  ]);
});

const pack = { policyPackName: 'house', policyPackVersion: '1.2.3', policyPackVersionTag: '1.2.3' };
const json = (event: EngineEvent) => policyEventJson(event as never, { showSecrets: false, operation: 'up' });

test('policy events in JSON [EVT-2]', () => {
  expect(json({ t: 'policies-loading' })).toEqual({ policyLoadEvent: {} });
  expect(json(told({ severity: 'low' }))).toEqual({
    policyEvent: {
      resourceUrn: urn,
      message: 'too long',
      color: 'never',
      policyName: 'short',
      ...pack,
      enforcementLevel: 'mandatory',
      severity: 'low',
    },
  });
  const { policyRemediationEvent } = json(corrected) as { policyRemediationEvent: { after: object } };
  expect(policyRemediationEvent).toMatchObject({ policyName: 'tags', before: { a: 1, b: 2 } });
  expect(JSON.stringify(policyRemediationEvent)).not.toContain('"x"');
  const summary = { packName: 'house', packVersion: '1.2.3', passed: ['x'], failed: [] };
  expect(json({ t: 'policy-summary', of: 'remediate', urn, summary })).toEqual({
    policyRemediateSummaryEvent: { resourceUrn: urn, ...pack, passed: ['x'] },
  });
  expect(json({ t: 'policy-summary', of: 'analyze-stack', urn: undefined, summary })).toEqual({
    policyAnalyzeStackSummaryEvent: { ...pack, passed: ['x'] },
  });
});

test('secrets of the configuration are masked in what a pack says', () => {
  const masked = maskEvent(told({ message: 'it is hunter2' }), (text) => text.replace('hunter2', '[secret]'));
  expect(masked).toEqual(told({ message: 'it is [secret]' }));
});
