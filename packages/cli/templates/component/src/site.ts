import { ComponentResource, interpolate } from '@cairn/sdk';
import type { ComponentResourceOptions, Output } from '@cairn/sdk';
import { s } from '@cairn/provider-sdk';
import type { ArgsOf } from '@cairn/provider-sdk';
import { LocalDirectory, LocalFile } from '@cairn/provider-local';

/** What a program says about a site. */
export const inputs = {
  folder: s.string().describe('Folder that the site is in.'),
  title: s.string().describe('What its page is headed with.'),
};

/** What it offers. */
export const outputs = { page: s.string().describe('Path of the page.') };

/** A folder with a page. */
export class Site extends ComponentResource {
  /** Path of the page. */
  readonly page: Output<string>;

  constructor(name: string, args: ArgsOf<typeof inputs>, options: ComponentResourceOptions = {}) {
    super('__NAME__:index:Site', name, {}, options);
    const parent = { parent: this };
    const folder = new LocalDirectory(`${name}-folder`, { path: args.folder }, parent);
    const page = new LocalFile(
      `${name}-page`,
      { path: interpolate`${folder.path}/index.html`, content: interpolate`<h1>${args.title}</h1>\n` },
      parent,
    );
    this.page = page.path;
    this.registerOutputs({ page: page.path });
  }
}
