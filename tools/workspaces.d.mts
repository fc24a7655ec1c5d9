export const FLOORS: readonly string[];
export const packageFolders: ReadonlyMap<string, string>;
export function packageFolder(name: string): string;
export function inPackage(place: string): string;
