import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Decisions are dated, complete and found. */

const folder = path.resolve(__dirname, '..', '..', 'docs', 'decisions');
const index = readFileSync(path.join(folder, 'README.md'), 'utf8');
const pages = readdirSync(folder).filter((name) => name !== 'README.md');

test('their numbers go up without a gap', () => {
  const numbers = pages.map((name) => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]));
  expect(numbers).toEqual(pages.map((_name, at) => at + 1));
});

test.each(pages)('%s has its sections, and a row with its date', (page) => {
  const text = readFileSync(path.join(folder, page), 'utf8');
  const number = page.slice(0, 4);
  expect(text).toMatch(new RegExp(`^# ${number}: .+\\n\\nDate: \\d{4}-\\d\\d-\\d\\d\\n`));
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    'Context',
    'Decision',
    'Consequences',
    'What would change it',
  ]);
  const date = /^Date: (.+)$/m.exec(text)?.[1];
  expect(index).toMatch(new RegExp(`\\[${number}\\]\\(${page}\\) \\| .+ \\| ${date} \\|`));
});
