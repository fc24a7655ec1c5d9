import { makeUrn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import { ciMarks } from './ci-marks.js';

const urn = makeUrn({ stack: 'dev', project: 'shop', type: 'a:b:Page', name: 'index' });
const marksOf = (env: Record<string, string>) =>
  ciMarks({ env, now: () => new Date(7000), token: () => 'key' });
const GITHUB = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: '/repo' };

test.each([
  [{}],
  [{ ...GITHUB, CAIRN_CI_ANNOTATIONS: '0' }],
  [{ GITLAB_CI: 'true', CAIRN_CI_ANNOTATIONS: 'false' }],
  [{ CI: 'true' }],
])('no marks with %j', (env) => expect(marksOf(env as Record<string, string>)).toBeUndefined());

test('GitHub: a group in which nothing that others say is a command', () => {
  const marks = marksOf(GITHUB);
  expect(marks?.open('Updating (dev):\n::error::x')).toBe(
    '::group::Updating (dev):%0A::error::x\n::stop-commands::key\n',
  );
  expect(marks?.close()).toBe('::key::\n::endgroup::\n');
  expect(marks?.guard('::add-mask::x')).toBe('::stop-commands::key\n::add-mask::x\n::key::\n');
});

test('GitHub: problems stand at the file as the repository has it', () => {
  const failed = errorDiagnostic('CAIRN-RESOURCE-FAILED', '100% broken', {
    urn,
    source: { file: 'src/a,b.ts', line: 3, column: 5 },
    causes: ['one\n::set-output name=a::b'],
    hint: 'Correct it.',
  });
  expect(marksOf(GITHUB)?.problems([failed], '/repo/infra')).toBe(
    '::error file=infra/src/a%2Cb.ts,line=3,col=5,title=CAIRN-RESOURCE-FAILED%3A index::' +
      '100%25 broken%0Aone%0A::set-output name=a::b%0Ahint: Correct it.\n',
  );
  const many = Array.from({ length: 30 }, (_, at) => ({ ...failed, summary: `${at} broken` }));
  expect(marksOf(GITHUB)?.problems(many, undefined).split('\n')).toHaveLength(11);
});

test('GitHub: what many resources have in common is one problem, which lists them', () => {
  const refused = [1, 2, 3, 4].map((at) => {
    const each = makeUrn({ stack: 'dev', project: 'shop', type: 'a:b:Page', name: `p${at}` });
    return errorDiagnostic('CAIRN-RESOURCE-PROTECTED', `cannot delete ${each}`, {
      urn: each,
      source: { file: 'index.ts', line: at },
    });
  });
  expect(marksOf(GITHUB)?.problems(refused, undefined)).toBe(
    '::error file=index.ts,line=1,title=CAIRN-RESOURCE-PROTECTED::cannot delete (4 resources: p1, p2, p3, p4)\n',
  );
});

test('GitLab: a section', () => {
  const marks = marksOf({ GITLAB_CI: 'true' });
  expect(marks?.open('Updating')).toBe('\u001b[0Ksection_start:7:cairn_7_1\r\u001b[0KUpdating\n');
  expect(marks?.close()).toBe('\u001b[0Ksection_end:7:cairn_7_1\r\u001b[0K\n');
});
