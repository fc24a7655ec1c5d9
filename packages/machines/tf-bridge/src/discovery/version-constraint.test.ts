import { choosePackage } from './choose.js';
import { readConstraint } from './version-constraint.js';

const VERSIONS = [
  ...['2.9.0', '3.0.0', '3.1.0', '3.1.5', '3.2.0', '3.2.1', '3.10.0', '4.0.0-beta1', '4.0.0'],
  ...['4.1.0-rc.1', '4.1.0-rc.2', '5.0.0-alpha'],
];
const place = { kind: 'mirror', directory: '/mirror' } as const;
const packages = VERSIONS.map((version) => ({
  ...{ source: 'registry.terraform.io/acme/thing', version, platform: 'linux_amd64', place },
  files: { t: 'directory', path: `/mirror/${version}` } as const,
}));

/** Returns the chosen version of {@link VERSIONS}, `none`, or `refused` if the text is not a constraint. */
function taken(text: string): string {
  const read = readConstraint(text);
  if (read.t === 'refused') return 'refused';
  const { constraint } = read;
  const choice = choosePackage({ constraint, platform: 'linux_amd64', places: [place], packages });
  return choice.t === 'chosen' ? choice.chosen.version : 'none';
}

/** The versions that `terraform init` 1.11.4 chooses from a mirror with these versions. */
test.each([
  ['~> 3.1', '3.10.0'],
  ['~> 3.1.0', '3.1.5'],
  ['~> 3', '3.10.0'],
  ['~>3.1', '3.10.0'],
  ['~> 3.1, != 3.10.0', '3.2.1'],
  ['>= 3.0, < 3.2', '3.1.5'],
  ['> 3.1', '4.0.0'],
  ['>3.1.5', '4.0.0'],
  ['<= 3.1', '3.1.0'],
  ['!= 4.0.0, >= 3', '3.10.0'],
  ['= 3.1', '3.1.0'],
  ['3.1', '3.1.0'],
  ['3', '3.0.0'],
  ['= 4', '4.0.0'],
  ['> 3', '4.0.0'],
  ['< 3', '2.9.0'],
  ['<= 3', '3.0.0'],
  ['!= 4', '3.10.0'],
  ['03.1.0', '3.1.0'],
  ['3.01.0', '3.1.0'],
  ['4.0.0-beta1', '4.0.0-beta1'],
  ['4.1.0-rc.2', '4.1.0-rc.2'],
  ['5.0.0-alpha', '5.0.0-alpha'],
  ['~> 4.0.0-beta1', '4.0.0'],
  ['~> 4.1.0-rc.1', 'none'],
  ['>= 4.1.0-rc.1', 'none'],
  ['>= 4.0.0-beta1, < 4.0.0', 'none'],
  ['~> 2.9, ~> 3.1', 'none'],
  ['v3.1.0', 'refused'],
  ['3.1.0.0', 'refused'],
  ['>= 3.1, ', 'refused'],
  ['3.1.0 3.2.0', 'refused'],
  ['~> 3.1.x', 'refused'],
  ['3.1.*', 'refused'],
  ['^3.1', 'refused'],
  ['==3.1.0', 'refused'],
  ['=> 3.0', 'refused'],
])('"%s" takes %s [TFD-2]', (text, expected) => {
  expect(taken(text)).toBe(expected);
});

describe('which of equal versions is taken [TFD-6]', () => {
  const other = { kind: 'cache', directory: '/cache' } as const;
  const archive = { t: 'archive', path: '/mirror/x.zip' } as const;
  const at = (version: string, more: object = {}) =>
    ({ ...packages[0], version, ...more }) as (typeof packages)[number];
  const facts = (...all: (typeof packages)[number][]) => ({
    constraint: { text: '', conditions: [] },
    ...{ platform: 'linux_amd64', places: [place, other], packages: all },
  });

  test.each([
    ['the first place', [at('1.0.0', { place: other }), at('1.0.0')], 1],
    ['unpacked before packed', [at('1.0.0', { files: archive }), at('1.0.0')], 1],
    ['a newer one of a later place', [at('1.0.0'), at('1.0.1', { place: other, files: archive })], 1],
    ['only this platform', [at('2.0.0', { platform: 'windows_amd64' }), at('1.0.0')], 1],
    ['the later build', [at('1.0.0+1'), at('1.0.0+2')], 1],
  ] as const)('%s', (_, all, index) => {
    expect(choosePackage(facts(...all))).toEqual({ t: 'chosen', chosen: all[index] });
  });
});
