import { ComponentResource, interpolate } from '@cairn/sdk';
import type { ComponentResourceOptions, Input, Output } from '@cairn/sdk';
import { LocalDirectory, LocalFile, LocalSensitiveFile } from '@cairn/provider-local';

export interface SiteArgs {
  readonly folder: string;
  readonly title: Input<string>;
  readonly password: Input<string>;
}

/** A folder with a page and the file that guards it. */
export class Site extends ComponentResource {
  readonly page: Output<string>;
  readonly fingerprint: Output<string>;

  constructor(name: string, args: SiteArgs, options?: ComponentResourceOptions) {
    super('quickstart:index:Site', name, {}, options);
    const folder = new LocalDirectory(`${name}-folder`, { path: args.folder }, { parent: this });
    const page = new LocalFile(
      `${name}-page`,
      // The path comes from the folder's output, so the folder is made first and deleted last.
      { path: interpolate`${folder.path}/index.html`, content: interpolate`<h1>${args.title}</h1>\n` },
      { parent: this },
    );
    new LocalSensitiveFile(
      `${name}-login`,
      { path: interpolate`${folder.path}/.login`, content: interpolate`admin:${args.password}\n` },
      { parent: this },
    );
    this.page = page.path;
    this.fingerprint = page.hash;
    this.registerOutputs({ page: this.page, fingerprint: this.fingerprint });
  }
}
