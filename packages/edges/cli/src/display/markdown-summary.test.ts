import { errorDiagnostic } from '@cairn/diagnostics';
import { markdownSummary } from './markdown-summary.js';
import type { SummarisedChange, SummaryFacts } from './markdown-summary.js';

const change = (more: Partial<SummarisedChange> = {}): SummarisedChange => ({
  glyph: '~ ',
  status: 'update',
  type: 'aws:s3/bucket:Bucket',
  name: 'logs',
  why: 'tags changed',
  lines: ['    ~ tags.team: "a" => "b"', '    + size: 3'],
  ...more,
});
const facts = (more: Partial<SummaryFacts> = {}): SummaryFacts => ({
  title: 'Previewing update',
  project: 'shop',
  stack: 'dev',
  result: 'succeeded',
  counts: '~ 1 to update',
  duration: '1.2s',
  changes: [change()],
  outputs: [],
  diagnostics: [],
  next: [],
  ...more,
});

test('an operation as Markdown', () =>
  expect(markdownSummary(facts())).toBe(`### Previewing update: shop/dev

**succeeded** · \\~ 1 to update · 1.2s

|  | What | Type | Name | Why |
|---|---|---|---|---|
| \`~\` | update | aws:s3:Bucket | logs | tags changed |

<details><summary>~ logs (aws:s3:Bucket)</summary>

\`\`\`diff
    ~ tags.team: "a" => "b"
+     size: 3
\`\`\`

</details>
`));

test('a failure says what, where, why and what to do, and is followed by commands', () => {
  const failed = errorDiagnostic('CAIRN-X', 'broken', {
    source: { file: 'index.ts', line: 3 },
    causes: ['because'],
    hint: 'mend it',
  });
  const text = markdownSummary(facts({ diagnostics: [failed], next: ['cairn resume 2'], changes: [] }));
  expect(text).toContain('**error: CAIRN-X** at `index.ts:3`\n\n```\nbroken\nbecause\nhint: mend it\n```');
  expect(text).toContain('```\ncairn resume 2\n```');
});

test('nothing that others say becomes Markdown or HTML', () => {
  const text = markdownSummary(
    facts({
      changes: [
        change({ name: 'a|b<script>`x`\n# no', why: '[x](y) @team', lines: ['```', '</details><b>'] }),
      ],
    }),
  );
  expect(text).not.toMatch(/^# no/m);
  expect(text).not.toContain('<script>');
  expect(text).toContain('a\\|b&lt;script&gt;\\`x\\`');
  expect(text).toContain('\\[x\\]\\(y\\) \\@team');
  expect(text).toContain('````diff\n```\n</details><b>\n````');
});

test('what is too long is counted', () => {
  const long = Array.from({ length: 3000 }, (_, at) => `    ~ key${at}: 1 => 2`);
  const text = markdownSummary(
    facts({ changes: Array.from({ length: 500 }, (_, at) => change({ name: `n${at}`, lines: long })) }),
  );
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/\(\d+ more lines\)/);
  expect(text).toContain('300 more resources change.');
  expect(text).toMatch(/^\d+ more are not shown here\.$/m);
});
