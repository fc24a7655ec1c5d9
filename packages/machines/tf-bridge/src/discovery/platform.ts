/** An operating system and an architecture, in the names of provider packages [TFD-3]. */
export type PlatformName = string;

const SYSTEMS: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** Returns the platform of this process, for example `linux_amd64`. */
export function platformOf(
  system: string = process.platform,
  architecture: string = process.arch,
): PlatformName {
  return `${SYSTEMS[system] ?? system}_${ARCHITECTURES[architecture] ?? architecture}`;
}
