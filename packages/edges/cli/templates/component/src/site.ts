import { ComponentResource, interpolate } from '@cairn/sdk';
import type { ComponentResourceOptions, Input, Output } from '@cairn/sdk';
import { LocalDirectory, LocalFile } from '@cairn/provider-local';

/** Inputs of a site. */
export interface SiteArgs {
  /** Folder that contains the site. */
  readonly folder: Input<string>;
  /** Heading of its page. */
  readonly title: Input<string>;
  /** File name of its page. Defaults to index.html. */
  readonly file?: Input<string>;
}

/** A folder with a page. */
export class Site extends ComponentResource {
  /** Path of the page. */
  readonly page: Output<string>;

  constructor(name: string, args: SiteArgs, options: ComponentResourceOptions = {}) {
    super('__NAME__:index:Site', name, {}, options);
    const parent = { parent: this };
    const folder = new LocalDirectory(`${name}-folder`, { path: args.folder }, parent);
    const page = new LocalFile(
      `${name}-page`,
      {
        path: interpolate`${folder.path}/${args.file ?? 'index.html'}`,
        content: interpolate`<h1>${args.title}</h1>\n`,
      },
      parent,
    );
    this.page = page.path;
    this.registerOutputs({ page: page.path });
  }
}
