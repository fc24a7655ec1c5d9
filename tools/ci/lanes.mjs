// Everything that CI checks. A lane takes one processor; the first two build what all others read, and have all.
//
// name     as in the table and in budgets.json
// words    the command
// minutes  after which it is ended
// width    processors that it takes: a number, by default 1, or `all`
// after    lanes that must have ended before it starts; defaults to `build`
// fatal    true if nothing that comes after it can run without it
// quiet    true if its output is shown only when it fails
// counts   true if it ends with `N passed, N failed`; others count as one check
// network  true if it may use the network

const script = (name, ...words) => ['npm', 'run', '-s', name, ...(words.length > 0 ? ['--', ...words] : [])];

/** Parts of the long tests, each of which is a lane. */
const PARTS = 4;

/** `seed`: of everything random; `times`: factor for the number of random runs of CI. */
export function allLanes({ seed, times }) {
  const random = (runs) => ['--runs', String(runs * times), '--seed', String(seed)];
  const cuts = (runs, ...words) =>
    script('cuts', '--random', String(runs * times), '--seed', String(seed), ...words);
  const parts = Array.from({ length: PARTS }, (_, index) => `${index + 1}/${PARTS}`);
  return [
    {
      ...{ name: 'install', words: ['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error'] },
      ...{ minutes: 10, width: 'all', after: [], fatal: true, quiet: true, network: true },
    },
    {
      ...{ name: 'build', words: script('build') },
      ...{ minutes: 10, width: 'all', after: ['install'], fatal: true, quiet: true },
    },
    { name: 'types', words: script('typecheck'), minutes: 10, quiet: true },
    { name: 'format', words: script('format:check'), minutes: 10, quiet: true },
    { name: 'lint', words: script('lint'), minutes: 10, quiet: true },

    // Licences, and vulnerabilities that the registry knows of.
    { name: 'audit', words: script('audit'), minutes: 5, after: ['install'], quiet: true, network: true },

    // The pages of the documentation as a site, with a search and without dead links.
    { name: 'site', words: script('site'), minutes: 10, after: ['install'], quiet: true, network: true },

    // Debian packages of servers and shells that tests use; without them tests report what they skip.
    { name: 'servers', words: ['node', 'tools/servers/install.mjs'], minutes: 10, network: true },

    // Random operations on random stacks.
    { name: 'fuzz', words: script('fuzz', ...random(2000)), minutes: 15 * times },
    // Operations stopped at every instant and continued both ways; npm test takes samples. Providers help in one or two
    // of four ways at each instant. Where there are more random runs, they help in all four.
    { name: 'cuts', words: script('cuts', '--every', times > 1 ? '1' : '3'), minutes: 20 },
    { name: 'cuts random', words: cuts(200), minutes: 15 * times },
    { name: 'cuts component', words: cuts(100, '--isolate', 'component'), minutes: 15 * times },
    // Every byte of a journal's small files, altered.
    { name: 'damage', words: script('damage'), minutes: 15 },
    // Whole commands on real providers, killed and continued by the lines that they print.
    { name: 'kills', words: script('kills', ...random(12), '--workers', '1'), minutes: 20 * times },
    // Damaged files, and those that mean ill, against everything that reads one.
    { name: 'fuzz:files', words: script('fuzz:files', ...random(10_000)), minutes: 15 * times },

    // Every store against every server that can be started here.
    { name: 'stores', words: script('stores'), minutes: 15, after: ['servers'], counts: true },
    // Programs under Cairn, compared with the recorded answers of Pulumi's own command line.
    { name: 'peers', words: script('peers'), minutes: 25, counts: true },
    // Both examples, a kill with resume and a bucket on the other supported versions of Node.
    { name: 'smoke:nodes', words: script('smoke:nodes'), minutes: 20, counts: true, network: true },

    // The README's test command, and the tests that it leaves out.
    { name: 'npm test', words: ['npm', 'test'], minutes: 30, after: ['servers'], counts: true },
    ...parts.map((part) => ({
      ...{ name: `long ${part}`, words: script('test:long', `--shard=${part}`) },
      ...{ minutes: 35, after: ['servers'], counts: true, network: true },
    })),
  ];
}
