import semver from 'semver';
import type { PackageLocation, TerraformProviderPackage } from './packages.js';
import type { PlatformName } from './platform.js';
import { allows } from './version-constraint.js';
import type { VersionConstraint } from './version-constraint.js';

/** Facts for the choice of a package. */
interface ChoiceFacts {
  readonly constraint: VersionConstraint;
  readonly platform: PlatformName;
  /** Searched places, the first choice first. */
  readonly places: readonly PackageLocation[];
  readonly packages: readonly TerraformProviderPackage[];
}

/** The package to use, or a sentence for each place about the packages there. */
type Choice =
  | { readonly t: 'chosen'; readonly chosen: TerraformProviderPackage }
  | { readonly t: 'none'; readonly looked: readonly string[] };

/**
 * Chooses the newest matching version, from the first place that has it for this platform. An unpacked package is
 * preferred to a packed one [TFD-6].
 */
export function choosePackage(facts: ChoiceFacts): Choice {
  const { constraint, platform, places, packages } = facts;
  const fitting = packages.filter((each) => each.platform === platform && allows(constraint, each.version));
  const [chosen] = fitting.toSorted(
    (a, b) =>
      semver.compareBuild(b.version, a.version) ||
      places.indexOf(a.place) - places.indexOf(b.place) ||
      Number(a.files.t === 'archive') - Number(b.files.t === 'archive'),
  );
  if (chosen !== undefined) return { t: 'chosen', chosen };
  return { t: 'none', looked: places.map((place) => whatIsIn(place, facts)) };
}

const WHERE: Readonly<Record<PackageLocation['kind'], string>> = {
  installed: 'among the providers installed in',
  mirror: 'in the mirror',
  'plugin cache': 'in the plugin cache',
  cache: 'in the cache',
  registry: 'in the registry',
};

function whatIsIn(place: PackageLocation, { packages, platform }: ChoiceFacts): string {
  const there = packages.filter((each) => each.place === place);
  const here = `${WHERE[place.kind]} ${place.directory}`;
  if (there.length === 0) return `not found ${here}`;
  const ours = versionsOf(there.filter((each) => each.platform === platform));
  if (ours.length > 0) return `${here} only ${ours.join(', ')}`;
  const platforms = [...new Set(there.map((each) => each.platform))].sort();
  return `${here} only for ${platforms.join(', ')}, not for ${platform}`;
}

function versionsOf(packages: readonly TerraformProviderPackage[]): readonly string[] {
  return [...new Set(packages.map(({ version }) => version))].sort(semver.compareBuild);
}
