import { command } from './command-spec.js';
import type { Command, CommandSpec } from './command-spec.js';
import type { Counts, Lists, Switches, Texts } from './flags/flag-spec.js';

const flags = [
  { name: 'dry-run', summary: 'Fly on paper' },
  { name: 'to', value: 'place', summary: 'Destination' },
  { name: 'height', value: 'n', holds: 'count', summary: 'Height' },
  { name: 'over', value: 'place', holds: 'list', summary: 'Places on the way' },
] as const;
const row = { path: ['fly'], summary: 'Fly', flags };
const code = <Reads>(run: Command<Reads>) => Promise.resolve(run);
const done = () => Promise.resolve(0);

/** The compiler checks these: each line below a directive is an error. */
const specs: readonly CommandSpec[] = [
  command({
    ...row,
    load: () => code<Switches<'dryRun'> & Texts<'to'> & Counts<'height'> & Lists<'over'>>(done),
  }),
  // @ts-expect-error the row has no such flag
  command({ ...row, load: () => code<Switches<'dryRnu'>>(done) }),
  // @ts-expect-error the flag is a switch
  command({ ...row, load: () => code<Texts<'dryRun'>>(done) }),
  // @ts-expect-error the flag may be absent
  command({ ...row, load: () => code<{ readonly to: string }>(done) }),
  // @ts-expect-error the row declares no flags
  command({ path: ['fly'], summary: 'Fly', load: () => code<Switches<'dryRun'>>(done) }),
];

test('a command is its row', () => {
  expect(specs[0]).toMatchObject(row);
});
