/** Scope to which a sealed file is bound. It opens nowhere else. */
export interface SealedScope {
  /** The stack's part of keys: `project/stack`, or the bare name in the layout before projects. */
  readonly stack: string;
  /**
   * Kind of file. All copies of a state are of one kind, so that a copy may replace the checkpoint by hand. A journal's
   * file is bound to its change and its name.
   */
  readonly kind: string;
}

const AREA = /^\.pulumi\/(?<area>stacks|history|backups|journals)\/(?<rest>.+)$/;
const CHECKPOINT = /^(?<stack>.+?)\.(?:json|ya?ml)(?:\.gz|\.zst)?(?:\.bak|\.\d+)?$/;

/**
 * Returns the scope to which the file under a key is bound when it is sealed. Returns undefined for keys that never
 * are: locks, tags, `meta.yaml`.
 */
export function sealedScopeOf(key: string): SealedScope | undefined {
  const { area, rest = '' } = AREA.exec(key)?.groups ?? {};
  const at = rest.lastIndexOf('/');
  const file = rest.slice(at + 1);
  const directory = at < 0 ? '' : rest.slice(0, at);
  switch (area) {
    case 'stacks': {
      const stack = CHECKPOINT.exec(file)?.groups?.['stack'];
      return stack === undefined ? undefined : { stack: join(directory, stack), kind: 'state' };
    }
    case 'history':
      return { stack: directory, kind: file.includes('.history.') ? 'history' : 'state' };
    case 'backups':
      return { stack: directory, kind: 'state' };
    case 'journals': {
      const above = directory.lastIndexOf('/');
      const change = directory.slice(above + 1);
      return { stack: directory.slice(0, Math.max(above, 0)), kind: `journal ${change} ${file}` };
    }
    default:
      return undefined;
  }
}

/** Returns true if a key is one of the names that a stack's checkpoint may have. */
export function isCheckpoint(key: string): boolean {
  return /^\.pulumi\/stacks\/.+\.json(?:\.gz|\.zst)?$/.test(key);
}

function join(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}
