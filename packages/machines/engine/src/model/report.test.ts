import { asUrn } from '@cairn/addresses';
import { errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import { Report } from './report.js';

const urn = asUrn('urn:pulumi:dev::p::a:b:C::one');

test.each([
  ['line and column', 'project:///lib/part.ts#7,9', { file: 'lib/part.ts', line: 7, column: 9 }],
  ['a line', 'project:///index.ts#7', { file: 'index.ts', line: 7 }],
  ['no line', 'project:///index.ts', undefined],
  ['no position', undefined, undefined],
])('what is told about a resource names where it is declared: %s', (_title, position, source) => {
  const events: unknown[] = [];
  const report = new Report((event) => events.push(event));
  report.declared({ urn, sourcePosition: position });
  report.diagnostic(warningDiagnostic('CAIRN-RESOURCE-CHECK', 'odd', { urn }));
  expect(report.diagnostics[0]?.source).toEqual(source);
  expect(events).toEqual([expect.objectContaining({ diagnostic: report.diagnostics[0] })]);
});

test('a place that is said already stays, and other resources have none', () => {
  const report = new Report(() => {});
  report.declared({ urn, sourcePosition: 'project:///index.ts#7' });
  report.diagnostic(errorDiagnostic('CAIRN-RESOURCE-CHECK', 'x', { urn, source: { file: 'plan.json' } }));
  report.diagnostic(errorDiagnostic('CAIRN-RESOURCE-CHECK', 'x', { urn: asUrn(`${urn}s`) }));
  report.diagnostic(errorDiagnostic('CAIRN-RESOURCE-CHECK', 'x'));
  expect(report.diagnostics.map(({ source }) => source)).toEqual([
    { file: 'plan.json' },
    undefined,
    undefined,
  ]);
});
